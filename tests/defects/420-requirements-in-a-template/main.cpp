// Requirements in regions of templates (C++20).
#include <cstdio>
struct P { int x; };
template <class T> concept Point = requires(T t) { t.x; };
template <class T> int sum(int n, const T *a) {
  int s = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    if constexpr (requires(T t) { t.x; }) s += a[i].x;
    else s += a[i];
    constexpr bool has = requires { a->y; };
    if (has || requires { a[i] + 1; }) s += 100;
    if constexpr (Point<T>) s += 3 * a[i].x;
  }
  return s;
}
int main() {
  P p[3] = {{1}, {2}, {3}};
  int k[3] = {1, 2, 3};
  printf("%d %d\n", sum(3, p), sum(3, k));
}
