// Reductions that templates declare, whose expressions alone name a parameter that is a template or a pack.
#include <cstdio>
template <class T> struct Min {
  static T id() { return 1000; }
  static void join(T &a, const T &b) {
    if (b < a) a = b;
  }
};
template <class T> struct Max {
  static T id() { return -1000; }
  static void join(T &a, const T &b) {
    if (a < b) a = b;
  }
};
template <class T, template <class> class R> static T in_function(const T *p, int n) {
  T s = R<T>::id();
#pragma omp declare reduction(jn : T : R<T>::join(omp_out, omp_in)) initializer(omp_priv = R<T>::id())
#pragma omp target teams distribute parallel for reduction(jn : s) map(to : p[0:n])
  for (int i = 0; i < n; i++)
    if (p[i] > 2) s = p[i];
  return s;
}
template <class T, template <class> class R> struct Reducer {
  T value;
#pragma omp declare reduction(jn : T : R<T>::join(omp_out, omp_in)) initializer(omp_priv = R<T>::id())
  void run(const T *p, int n) {
    T s = R<T>::id();
#pragma omp target teams distribute parallel for reduction(jn : s) map(to : p[0:n])
    for (int i = 0; i < n; i++)
      if (p[i] > 2) s = p[i];
    value = s;
  }
};
template <class T, class... U> static T of_pack(const T *p, int n) {
  T s = 0;
#pragma omp declare reduction(jn : T : omp_out += omp_in + (0 * ... * sizeof(U))) initializer(omp_priv = sizeof...(U) * 0)
#pragma omp target teams distribute parallel for reduction(jn : s) map(to : p[0:n])
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}
int main() {
  double d[10] = {5, 4, 3, 2, 7, 8, 9, 4, 3, 4};
  float f[3] = {1, 2, 3};
  printf("%g %g\n", in_function<double, Min>(d, 1), in_function<float, Max>(f, 3));
  Reducer<double, Max> a;
  Reducer<float, Min> b;
  a.run(d + 4, 1);
  b.run(f, 3);
  printf("%g %g\n", a.value, b.value);
  printf("%g %g\n", of_pack<double, int, char>(d, 10), of_pack<float>(f, 3));
}
