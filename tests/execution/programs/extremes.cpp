/* std::min and std::max: of elements, members and own arrays, of operands with effects, of objects that are kept by
   reference, with types given, in methods, functions and templates. */
#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

constexpr int N = 60;

struct Box {
  std::array<float, 3> lo{1e30f, 1e30f, 1e30f}, hi{-1e30f, -1e30f, -1e30f};
  void add(const float *p) {
    for (int k = 0; k < 3; k++) lo[k] = std::min(lo[k], p[k]), hi[k] = std::max(hi[k], p[k]);
  }
  Box &operator|=(const Box &o) {
    for (int k = 0; k < 3; k++) lo[k] = std::min(lo[k], o.lo[k]), hi[k] = std::max(hi[k], o.hi[k]);
    return *this;
  }
};
#pragma omp declare reduction(join : Box : omp_out |= omp_in)

struct Word {
  int value;
  bool operator<(const Word &o) const { return value % 10 < o.value % 10; }
};

template <class T> T spread(const T *a, int n) {
  T least = a[0], most = a[0];
  for (int i = 1; i < n; i++) least = std::min(least, a[i]), most = std::max<T>(most, a[i]);
  return most - least;
}

static int next(int &x) { return x += 2; }

static void boxes(const float *p, float *out) {
#pragma omp target teams distribute map(to : p[0 : 3 * N]) map(from : out[0 : 18])
  for (int t = 0; t < 3; t++) {
    Box b;
#pragma omp parallel for reduction(join : b)
    for (int i = 0; i < N / 3; i++) b.add(p + 3 * (t * (N / 3) + i));
    for (int k = 0; k < 3; k++) out[6 * t + k] = b.lo[k], out[6 * t + 3 + k] = b.hi[k];
  }
}

int main() {
  float p[3 * N], out[18], zero = 0, nan = std::numeric_limits<float>::quiet_NaN();
  int a[N], b[N];
  double sums[4] = {};
  for (int i = 0; i < 3 * N; i++) p[i] = (float)((i * 37) % 101) / 3 - 9;
  for (int i = 0; i < N; i++) a[i] = (i * 29) % 53, b[i] = (i * 31) % 47;
  boxes(p, out);
  for (float x : out) std::printf("%.5g ", x);
  std::printf("\n");
#pragma omp target teams distribute parallel for map(tofrom : a, b)
  for (int i = 0; i < N; i++) {
    int own[4] = {a[i], b[i], 7, i};
    own[i % 4] = std::max(own[(i + 1) % 4], b[i]);
    a[i] = std::min(a[i], b[(i + 1) % N] * 0 + own[i % 4]) + std::max<long>(own[0], 3) % 5;
    int x = i, y = std::min(x, next(x));       // the operand is what it has become
    const int &kept = std::max(own[2], own[3]); // the object itself
    own[2] = own[3] = 100 + i;
    Word w = std::min(Word{a[i]}, Word{b[i]});
    b[i] = y * 1000 + kept + w.value + std::min({a[i], own[0], own[1]}) + std::max(x++, 4);
  }
  long h = 0;
  for (int i = 0; i < N; i++) h = (h * 31 + a[i] * 7 + b[i]) % 1000003;
  std::printf("%ld\n", h);
#pragma omp target map(to : p, zero, nan, a) map(tofrom : sums)
  {
    sums[0] = std::min(nan, 1.f) == 1.f;
    sums[1] = std::min(1.f, nan);
    sums[2] = 1 / std::max(-zero, zero) < 0;
    sums[3] = spread(p, 3 * N) + spread(a, N);
  }
  std::printf("%g %g %g %.5g\n", sums[0], sums[1], sums[2], sums[3]);
}
