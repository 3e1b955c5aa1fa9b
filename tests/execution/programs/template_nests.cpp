// Nests in templates, whose instances share a launch: each iteration is executed once, whichever kernel an instance has.
#include <cstdio>
#include <vector>

template <class T> struct Pair {
  T first, second;
};

template <class T> static void show(const char *what, const std::vector<T> &y) {
  double sum = 0;
  for (std::size_t k = 0; k < y.size(); k++) sum = sum * 0.75 + (double)y[k];
  printf("%s: %.6f\n", what, sum);
}

template <class T, int W> void known(T *y, int n) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : y[0 : n * W])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < W; j++)
      if (y[i * W + j] > 3) y[i * W + j] = T(i - j);
}

template <class T> void of_run(T *y, int n, int m, int threads) {
#pragma omp target teams distribute parallel for collapse(2) thread_limit(threads) map(tofrom : y[0 : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (y[i * m + j] < 9) y[i * m + j] += T(i) / 4 + T(j);
}

template <template <class> class Of> void pairs(Of<float> *y, int n, int m) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : y[0 : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      Of<float> v = y[i * m + j];
      if (v.first > 2) y[i * m + j] = Of<float>{v.second, v.first + (float)i};
    }
}

template <class T> struct Image {
  T *data;
  int height, width;
  void blur(const T *from) {
    const int h = height, w = width;
    T *to = data;
#pragma omp target teams distribute parallel for collapse(2) thread_limit(64) map(from : to[0 : h * w]) map(to : from[0 : h * w])
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        T sum = 0;
        for (int d = -1; d <= 1; d++)
          if (x + d >= 0 && x + d < w) sum += from[y * w + x + d];
        to[y * w + x] = sum;
      }
  }
};

template <class T> static std::vector<T> values(int count) {
  std::vector<T> y(count);
  for (int k = 0; k < count; k++) y[k] = T(k % 13);
  return y;
}

template <class T> static void all(const char *name, int n, int m, int threads) {
  printf("%s, %d by %d, %d threads\n", name, n, m, threads);
  std::vector<T> a = values<T>(n * 7), b = values<T>(n * m), c = b;
  known<T, 7>(a.data(), n);
  show("seven columns", a);
  of_run(b.data(), n, m, threads);
  show("threads of the run", b);
  Image<T>{c.data(), n, m}.blur(b.data());
  show("three of a row", c);
}

int main() {
  for (int threads : {1, 31, 64, 256, 257, 1024}) {
    all<float>("float", 300, 11, threads);
    all<int>("int", 1, 1000, threads);
    all<double>("double", 257, 3, threads);
  }
  all<short>("short", 5, 0, 32);
  std::vector<Pair<float>> p(300 * 5);
  std::vector<float> firsts(p.size());
  for (std::size_t k = 0; k < p.size(); k++) p[k] = {(float)(k % 7), (float)(k % 5)};
  pairs(p.data(), 300, 5);
  for (std::size_t k = 0; k < p.size(); k++) firsts[k] = p[k].first + 2 * p[k].second;
  show("pairs", firsts);
}
