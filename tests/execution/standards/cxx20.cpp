// What C++20 initialises by parentheses: classes without constructors, and arrays.
#include <cstdio>
struct Agg {
  int x;
  double y;
  int z[2];
};
struct Outer {
  Agg a;
  int b;
};
template <class T> T make(int i) { return T(i, 2.0); }
int main() {
  double r = 0;
  int n = 5;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < n; i++) {
    Agg q(i, n * 0.5);
    Agg w = Agg(n - i, 1);
    Outer o(Agg(1, 2), n);
    int values[3](i, 2);
    r += q.x * q.y + q.z[1] + w.x + make<Agg>(i).y + o.b + o.a.y + values[0];
  }
  Agg h(n, 3);
#pragma omp target map(tofrom : r)
  r += h.x + h.y;
  std::printf("%g\n", r);
}
