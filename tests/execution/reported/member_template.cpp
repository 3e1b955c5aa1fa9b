#include <cstdio>
template <typename T> struct Stack {
  T *entries;
  template <typename U> void set(U v, int n) {
    T *e = entries;
#pragma omp target teams distribute parallel for map(from : e[0 : n])
    for (int i = 0; i < n; i++) e[i] = static_cast<T>(v * i);
  }
};
int main() {
  double a[4];
  Stack<double> s{a};
  s.set(0.5f, 4), s.set(2, 4);
  std::printf("%g\n", a[3]);
}
