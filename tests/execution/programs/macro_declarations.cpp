/* Macros that make several declarations of device code: functions, templates, methods, classes, variables. */
#include <cstdio>
template <class T, int D> struct Vec { T v[D]; };
struct Add { template <class A, class B> static void apply(A &a, const B &b) { a += b; } };
#define ACCUMULATE(C, OP, TAG)                                                                          \
  template <class T1, class T2, int D> inline C<T1, D> &OP(C<T1, D> &a, const C<T2, D> &b) {            \
    for (int i = 0; i < D; i++) TAG::apply(a.v[i], b.v[i]);                                             \
    return a;                                                                                           \
  }                                                                                                     \
  template <class T1, class T2, int D> inline C<T1, D> &OP(C<T1, D> &a, const T2 &b) {                  \
    for (int i = 0; i < D; i++) TAG::apply(a.v[i], b);                                                  \
    return a;                                                                                           \
  }
ACCUMULATE(Vec, operator+=, Add)
#define BINARY(OP)                                                                                      \
  template <class A, class B> struct Result { typedef A type; };                                        \
  template <class T1, class T2, int D>                                                                  \
  inline Vec<typename Result<T1, T2>::type, D> operator OP(const Vec<T1, D> &a, const Vec<T2, D> &b) {  \
    Vec<typename Result<T1, T2>::type, D> r;                                                            \
    for (int i = 0; i < D; i++) r.v[i] = a.v[i] OP b.v[i];                                              \
    return r;                                                                                           \
  }
BINARY(*)
static int on_host(int x) { return fprintf(stderr, "%s", "") + x; }
#define TWO(N)                                \
  static int N##_one(int x) { return x + 1; } \
  static int N##_two(int x) { return on_host(x) + 2; } \
  int N##_three = 3;
TWO(f)
#define METHODS(N)                       \
  int get_##N() const { return v + 1; }  \
  int set_##N(int n) { return v = n; }
#define ONE(N) template <class T> T only_##N(T n) const { return v + n; }
struct Holder { int v; METHODS(a) ONE(b) };
#define CLASS(N) struct N { int v; int get() const { return v * 2; } N &set(int n) { v = n; return *this; } };
CLASS(Made)
#define ENUMERATION(N) enum N { N##_a = 3, N##_b }; typedef N N##_t;
ENUMERATION(E)
#define SIMPLE(N) static inline int N(int x) { return x * 3; }
SIMPLE(three)
namespace space {
#define SIZED(N)               \
  constexpr int N##_size = 4;  \
  template <class T> T N##_sum(const T (&a)[N##_size]) { T s(0); for (int i = 0; i < N##_size; i++) s += a[i]; return s; }
SIZED(q)
TWO(g)
namespace inner {
TWO(h)
CLASS(Other)
}
}
#pragma omp declare target
#define GLOBALS(N) int N##_first = 5; static int N##_second = 6; int N##_sum() { return N##_first + N##_second; }
GLOBALS(global)
#pragma omp end declare target

int main() {
  double out[3] = {0, 0, 0};
  int n = 1;
#pragma omp target map(tofrom : out, n)
  {
    Vec<double, 3> a = {{1, 2, 3}}, b = {{4, 5, 6}};
    a += b;
    a += 2;
    auto c = a * b;
    for (int i = 0; i < 3; i++) out[i] = c.v[i];
    Holder s = {4};
    Made m;
    space::inner::Other o = {1};
    E_t e = E_b;
    int q[] = {1, 2, 3, 4};
    n = f_one(n) + s.get_a() * s.set_a(9) + s.only_b(1) + m.set(5).get() + e + three(n) + space::q_sum(q);
    n += space::g_one(n) + space::inner::h_one(n) + o.get() + global_first + global_second + global_sum();
  }
  printf("%g %g %g %d %d\n", out[0], out[1], out[2], n, f_two(f_three) + space::g_two(1) + space::inner::h_two(2));
}
