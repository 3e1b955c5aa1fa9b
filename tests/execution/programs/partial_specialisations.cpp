// Regions in members of partial specialisations: keys have the arguments of what is specialised.
#include <cstdio>
template <class T, class How> struct Task;
template <class T> struct Task<T, int> {
  T *p;
  void run(int n) {
    T *q = p;
#pragma omp target teams distribute parallel for map(from : q[0:n])
    for (int i = 0; i < n; i++) q[i] = T(i) / 2;
  }
};
template <class T> struct Task<T *, char> {
  T *p;
  void run(int n);
};
template <class T> void Task<T *, char>::run(int n) {
    T *q = p;
#pragma omp target teams distribute parallel for map(from : q[0:n])
    for (int i = 0; i < n; i++) { T k = i; q[i] = k + 7; }
}
namespace in {
template <int N, class B> struct Fixed;
template <int N> struct Fixed<N, float> { static float sum() { float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += i;
  return s; } };
template <class B> struct Fixed<3, B> { static B sum() { B s = 0;
#pragma omp target map(s)
  s = 3;
  return s; } };
}
int main() {
  double x[10]; int y[10]; float z[10];
  Task<double, int> t{x}; t.run(10);
  Task<int, int> u{y}; u.run(10);
  Task<float *, char> v{z}; v.run(10);
  std::printf("%g %d %g %g %g %d\n", x[9], y[9], z[9], in::Fixed<10, float>::sum(), in::Fixed<20, float>::sum(), in::Fixed<3, int>::sum());
}
