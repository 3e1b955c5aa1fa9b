/* std::clamp in kernels: of elements, in tiles, in a team's loops, as the place of a bin, in sums and conditions, of NaN,
   in templates, with an order of the user's, of objects that stay where they are. */
#include <algorithm>
#include <cstdio>
#include <limits>

constexpr int N = 500;

struct Word {
  int value, place;
  bool operator<(const Word &o) const { return value < o.value; }
};

template <class T> void into(const T *a, T *out, T least, T most) {
#pragma omp target teams distribute parallel for map(to : a[0 : N]) map(from : out[0 : N])
  for (int i = 0; i < N; i++) out[i] = std::clamp(a[i], least, most);
}

int main() {
  static float f[N], g[N];
  static int n[N], m[N], bins[20], r[N];
  static Word w[N];
  float least = -3.5f, most = 40, sum = 0;
  for (int i = 0; i < N; i++) {
    f[i] = (float)((i * 37) % 211) / 2 - 20, n[i] = (i * 91) % 307 - 150, w[i] = Word{(i * 17) % 101, i};
  }
  f[7] = std::numeric_limits<float>::quiet_NaN();
#pragma omp target teams distribute parallel for map(to : f) map(from : g)
  for (int i = 0; i < N; i++) g[i] = std::clamp(f[i], least, most);
  for (int i = 0; i < N; i++) sum += i == 7 ? g[i] != g[i] : g[i];
  std::printf("%.6g\n", sum);
#pragma omp target teams distribute parallel for map(to : n) map(tofrom : bins)
  for (int i = 0; i < N; i++) {
    int k = std::clamp(n[i], 0, 19);
#pragma omp atomic
    bins[k]++;
  }
  long h = 0, total = 0;
  for (int b : bins) h = (h * 31 + b) % 1000003;
#pragma omp target teams distribute map(to : n) map(from : m)
  for (int t = 0; t < 5; t++) {
#pragma omp parallel for
    for (int i = t * (N / 5); i < (t + 1) * (N / 5); i++) m[i] = std::clamp<int>(n[i], -t, t + 9);
  }
#pragma omp target teams distribute parallel for map(to : n) map(tofrom : total) reduction(+ : total)
  for (int i = 0; i < N; i++) total += std::clamp(n[i], -20, 30) * (std::clamp(i, 3, 90) > 50 ? 2 : 1);
  for (int x : m) h = (h * 31 + x + 200) % 1000003;
  std::printf("%ld %ld\n", h, total);
#pragma omp target teams distribute parallel for map(to : n, w) map(from : r)
  for (int i = 0; i < N; i++) {
    int low = i % 10, high = 60;
    const int &kept = std::clamp(n[i], low, high);
    low = 7, high = 8;
    Word x = std::clamp(w[i], Word{20, -1}, Word{60, -2});
    r[i] = kept * 10 + x.value + x.place + std::clamp(n[i], 40, -40, [](int a, int b) { return a > b; });
  }
  for (int x : r) h = (h * 31 + x + 9000) % 1000003;
  into(n, m, -9, 9), into(f, g, 0.f, 9.f);
  for (int i = 0; i < N; i++) h = (h * 31 + m[i] + (i == 7 ? 0 : (int)(g[i] * 2)) + 20) % 1000003;
  std::printf("%ld\n", h);
}
