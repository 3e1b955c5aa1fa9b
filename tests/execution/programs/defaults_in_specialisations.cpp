// Regions in partial specialisations for classes some of whose arguments are default ones.
#include <cstdio>
template <int Teams = 0, int Threads = 128, bool Async = false> struct Device {};
struct Left {}; template <class T, class Layout = Left, class Space = Device<>> struct View { T *p; };
template <class P> struct Exec;
template <int T, int H, bool A> struct Exec<Device<T, H, A>> {
  template <class F> static void run(int n, F f) {
#pragma omp target teams distribute parallel for num_teams(T + 1) thread_limit(H)
    for (int i = 0; i < n; i++) f(i, H + A);
  }
};
template <class V> struct Norm;
template <class T, class L, int N, int H, bool A> struct Norm<View<T, L, Device<N, H, A>>> {
  static T sum(int n, T *p) {
    T s = N + H;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; i++) s += p[i] + T(sizeof(L)) + A * N;
    return s;
  }
};
template <class T> struct Norm<View<T>> { static T sum(int n, T *p) {
    T s = 0;
#pragma omp target map(to : p[0 : n]) map(tofrom : s)
    for (int i = 0; i < n; i++) s = s * 2 + p[i];
    return s; } };
struct Right { double x; };
int main() {
  int a[9]; int *p = a;
#pragma omp target data map(from : p[:9])
  {
    Exec<Device<3, 32>>::run(9, [=](int i, int h) { p[i] = i + h; });
    Exec<Device<4>>::run(5, [=](int i, int h) { p[i] += h; });
    Exec<Device<>>::run(3, [=](int i, int h) { p[i] -= 2 * h; });
    Exec<Device<1, 64, true>>::run(2, [=](int i, int h) { p[i] *= h; }); }
  for (int x : a) printf("%d ", x);
  double d[5] = {1, 2, 3, 4, 5}; float f[3] = {1, 2, 3};
  printf("%g %g %g %g\n",
         Norm<View<double>>::sum(5, d),
         Norm<View<float, Right>>::sum(3, f),
         Norm<View<double, Right, Device<5>>>::sum(4, d),
         Norm<View<double, Left, Device<5, 7, true>>>::sum(4, d));
}
