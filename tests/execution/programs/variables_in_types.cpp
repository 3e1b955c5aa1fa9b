/* Templates whose regions name variables in types that depend on no parameter: extents of arrays, decltype. */
#include <cstdio>

template <class T> void combined(T *p, int n) {
  constexpr int W = 4;
  const int V = 3;
  auto m = n;
  double weight = 0.5;
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n]) firstprivate(weight)
  for (decltype(m) i = 0; i < m; i++) {
    int a[W] = {1, 2};
    T b[V][W] = {{3}};
    for (int k = 0; k < W; k++) p[i] += a[k];
    p[i] += b[V - 3][0] + W;
    auto x = 5;
    decltype(x) y = 6;
    decltype(x + weight) z = x + weight;
    p[i] += static_cast<decltype(m)>(z * y) + (decltype(V))sizeof(decltype(weight)) + sizeof(int[W]);
  }
}

template <class T> struct Rows {
  T *data;
  int n;
  template <class By> T sum(By by) {
    constexpr int W = 4;
    static constexpr int S = 2;
    T *p = data;
    auto m = n;
    T total = 0;
#pragma omp target teams distribute map(tofrom : p[0 : m]) reduction(+ : total)
    for (decltype(m) i = 0; i < m; i++) {
      int part[W] = {0}, last[S] = {1, 2};
#pragma omp parallel for
      for (decltype(i) k = 0; k < W; k++) part[k] = k * static_cast<decltype(m)>(by);
      int inner = 0;
#pragma omp parallel for reduction(+ : inner)
      for (int k = 0; k < W; k++) {
        decltype(inner) more = part[k] + W;
        inner += more + last[k % S];
      }
      p[i] += inner;
      total += p[i];
    }
    return total;
  }
};

template <class T, int N> struct Both {
  T first;
  int second[N];
};

/** Private copies, sections of reductions, lambdas. */
template <class T> void copies(T *p, int n) {
  constexpr int W = 3;
  const auto shift = 1;
  T sums[W + 2] = {}, own[W] = {1, 1, 1};
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : sums[1 : W]) private(own)
  for (int i = 0; i < n; i++) {
    Both<decltype(shift), W> both{shift, {1, 2, 3}};
    auto at = [&](decltype(i) k) {
      int step[W] = {shift, W, shift + W};
      return step[k] + both.second[k];
    };
    for (int k = 0; k < W; k++) own[k] = p[i] + at(k);
    for (int k = 0; k < W; k++) sums[k + shift] += own[k];
  }
  for (T s : sums) printf("%g ", (double)s);
}

int main() {
  int a[5] = {1, 2, 3, 4, 5};
  double b[4] = {1, 2, 3, 4};
  combined(a, 5);
  combined(b, 4);
  printf("%d %g\n", Rows<int>{a, 5}.sum(2), Rows<double>{b, 4}.sum(1.5f));
  for (int x : a) printf("%d ", x);
  for (double x : b) printf("%g ", x);
  copies(a, 5);
  copies(b, 4);
  puts("");
}
