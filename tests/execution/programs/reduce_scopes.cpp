// Where declared reductions are found: unnamed and linkage scopes, templates, lambdas, comments and continued lines.
#include <algorithm>
#include <cstdio>

struct scale {
  double v;
  scale(double x = 0) : v(x) {}
  scale &operator*=(const scale &o) { v *= o.v; return *this; }
};
#pragma omp declare reduction(* : scale : omp_out *= omp_in) /* a comment */                                             \
    initializer(omp_priv = scale(1)) // and another

namespace {
enum { BIAS = 3 };
template <class T> T biggest(T a, T b) { return std::max(a, b); }
#pragma omp declare reduction(big : int, double : omp_out = biggest(omp_out, omp_in) + (BIAS - 3))                       \
    initializer(omp_priv = -1)
}

extern "C" {
#pragma omp declare reduction(low : long : omp_out = omp_out < omp_in ? omp_out : omp_in) initializer(omp_priv = 1000)
}

struct base { int x; };
struct derived : base { int y; };
#pragma omp declare reduction(+ : derived : omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = {{0}, 0})

template <class T> T run(int n, T start) {
  T best = start, sum = T();
#pragma omp target teams distribute parallel for reduction(big : best) reduction(+ : sum) num_teams(3)
  for (int i = 0; i < n; i++) {
    best = std::max(best, T(i * 2));
    sum += T(1);
  }
  return best + sum;
}

int main() {
  scale s(2);
  long l = 500;
  derived d = {{1}, 2};
#pragma omp target teams distribute parallel for reduction(* : s) reduction(low : l) reduction(+ : d)
  for (int i = 0; i < 20; i++) {
    if (i % 10 == 0) s *= scale(3);
    if (l > i + 7) l = i + 7;
    d.x++;
    d.y += i;
  }
  auto in_lambda = [&](int n) {
    int t = 4;
#pragma omp target parallel for reduction(big : t)
    for (int i = 0; i < n; i++)
      if (t < i) t = i;
    return t;
  };
  std::printf("%g %ld %d %d %d %g %d\n", s.v, l, d.x, d.y, run(30, 5), run(30, 5.0), in_lambda(60));
}
