#include <cstdio>
#define BIN(op) friend S operator op(const S &a, const S &b) { return {a.v op b.v}; }
struct S { int v; BIN(+) BIN(*) };
#define BINT(op) friend T2 operator op(const T2 &a, const T2 &b) { return {a.v op b.v}; }
template <class T> struct T2 { T v; BINT(+) BINT(*) };
#define METH(name, e) int name() const { return e; }
struct M { int v; METH(twice, v * 2) METH(inc, v + 1) };
template <class T> struct MT { T v; METH(twice, v * 2) METH(inc, v + 1) };
#define FREE(T, op) inline T operator op(const T &a, const T &b) { return {a.v op b.v}; }
struct F { int v; }; FREE(F, +) FREE(F, -)
#define FREET(op) template <class T> F2<T> operator op(const F2<T> &a, const F2<T> &b) { return {a.v op b.v}; }
template <class T> struct F2 { T v; }; FREET(+) FREET(-)
#define CMP(C, m) friend bool operator==(const C &a, const C &b) { return a.m == b.m; } friend bool operator<(const C &a, const C &b) { return a.m < b.m; }
struct K { int id; CMP(K, id) };
#define ALL(X) X(+) X(-)
#define TB(op) template <class U> friend T3 operator op(const T3 &a, const U &b) { return {T(a.v op b)}; } friend T3 operator op(const T3 &a) { return {op a.v}; }
template <class T> struct T3 { T v; ALL(TB) };
#define FRIEND friend
struct G { int v; FRIEND G operator~(const G &g) { return {~g.v}; } FRIEND constexpr bool operator!(const G &g); };
constexpr bool operator!(const G &g) { return g.v == 0; }
int main() {
  int r = 0;
#pragma omp target map(tofrom: r)
  { S a{2}, b{3}; r += (a + b * a).v; T2<int> c{2}, d{5}; r += (c * d + c).v; M m{4}; r += m.twice() + m.inc(); MT<long> n{4}; r += n.twice() + n.inc(); F e{1}, f{2}; r += (e + f - e).v; F2<int> g{1}, h{2}; r += (g + h - g).v; K k{1}, l{2}; r += (k < l) + (k == l); T3<double> t{2.5}; r += (t + 2).v + (-(t - 1.5f)).v; G q{5}; r += (~q).v + !q; }
  printf("%d\n", r);
}
