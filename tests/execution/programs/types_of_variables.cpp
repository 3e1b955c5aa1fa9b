// Types of functions that ask for those of the function's variables and parameters, which are no constants: decltype and
// sizeof of them in aliases, members, enumerations and extents; in functions, methods and templates.
#include <cstdio>
#include <type_traits>
#include <vector>
struct V {
  double v;
  double get() const { return v; }
  V(double x) : v(x) {}
};
struct W {
  int q;
};
static double compute(int n) { return n * 0.5; }
struct S {
  int k = 3;
  int run(int n) {
    const S self = *this;
    auto r = self.k;
    using R = decltype(r);
    R out[4];
#pragma omp target teams distribute parallel for map(from : out)
    for (int i = 0; i < 4; i++) {
      R a = i;
      out[i] = a + n;
    }
    return out[3];
  }
};
static int in_function(const std::vector<int> &v, short few, W *w) {
  const auto n = v.size();
  using index = std::remove_const_t<decltype(n)>;
  const double h = compute(3);
  typedef std::remove_const_t<decltype(h)> real;
  const V x(2);
  using VV = std::decay_t<decltype(x)>;
  auto r = few;
  float f;
  const int K = 3;
  struct L {
    decltype(r) a;
    decltype(few) b;
    decltype(f) c;
    std::remove_const_t<decltype(n)> d[K];
    std::remove_pointer_t<decltype(w)> e;
    char z[sizeof(n)];
  };
  enum E : decltype(r) { one = sizeof(r) };
  real s = 0;
  const int *p = v.data();
#pragma omp target teams distribute parallel for map(to : p[0:n]) reduction(+ : s)
  for (index i = 0; i < n; i++) {
    L l;
    l.a = p[i];
    l.b = one;
    l.c = 1.5;
    l.d[2] = i;
    l.e.q = 8;
    VV q(p[i]);
    s += l.a + l.b + l.c + l.d[2] + l.e.q + sizeof(l) + q.get();
  }
  f = few;
  return int(s + h * f);
}
template <class C, class T> static int in_template(const C &v, T few, W *w) {
  const auto n = v.size();
  using index = std::remove_const_t<decltype(n)>;
  const auto h = compute(3);
  typedef std::remove_const_t<decltype(h)> real;
  const V x(2);
  using VV = std::decay_t<decltype(x)>;
  auto r = few;
  float f;
  const int K = sizeof(T) + 1;
  struct L {
    decltype(r) a;
    decltype(few) b;
    decltype(f) c;
    std::remove_const_t<decltype(n)> d[K];
    std::remove_pointer_t<decltype(w)> e;
    char z[sizeof(n)];
  };
  enum E : decltype(r) { one = sizeof(r) };
  real s = 0;
  const int *p = v.data();
#pragma omp target teams distribute parallel for map(to : p[0:n]) reduction(+ : s)
  for (index i = 0; i < n; i++) {
    L l;
    l.a = p[i];
    l.b = one;
    l.c = 1.5;
    l.d[2] = i;
    l.e.q = 8;
    VV q(p[i]);
    s += l.a + l.b + l.c + l.d[2] + l.e.q + sizeof(l) + q.get();
  }
  f = few;
  return int(s + h * f);
}
int main() {
  std::vector<int> v{1, 2, 3};
  W w;
  printf("%d %d\n", S().run(2), in_function(v, 2, &w));
  printf("%d %d\n", in_template(v, short(2), &w), in_template(v, 2L, &w));
}
