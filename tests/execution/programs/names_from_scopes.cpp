#include <cstdio>
#include <vector>
namespace lib { typedef float real; struct S { int a; }; namespace in { struct D { int z; }; } enum E { one = 1 }; inline int get(S s) { return s.a; } }
struct float2 { float a, b; };
namespace app { float2 mul(float2 x) { x.a *= 2; return x; }
 struct T { int q; };
 void work(float2 &f, T &t) {
#pragma omp target map(tofrom : f, t)
  { f = mul(f); t.q++; }
 } }
template <typename T> struct Vec { T *d; int n;
  Vec(int n) : d(new T[n]), n(n) {}
  void fill(T v) { T *p = d; int m = n;
#pragma omp target teams distribute parallel for map(from : p[0:m])
   for (int i = 0; i < m; i++) p[i] = v; } 
  template <typename F> static void each(T *p, int m, F f) {
  }
};
template <typename F> int apply(F f, int n) { int r = 0;
#pragma omp target map(from : r)
  r = later(f, n);
  return r; }
struct G { int k; struct N { int v; }; };
int later(G g, int n) { return g.k + n; }
int main() {
  using lib::real; using lib::S; using namespace lib; namespace li = lib::in;
  real x = 2; S s{3}; in::D d{4}; li::D e{5}; E en = one; real arr[2] = {1, 2}; real *ptr = arr;
#pragma omp target map(tofrom : x, s, d, e) map(ptr[0:2])
  { x += (real)1.5 + sizeof(real) + ptr[1]; s.a += get(s); d.z++; e.z += en; ptr[0] = lib::one; }
  std::printf("%g %d %d %d %g\n", x, s.a, d.z, e.z, arr[0]);
  float2 f{1, 2}; app::T t{1}; app::work(f, t);
  Vec<float> v(3); v.fill(2.5f);
  std::printf("%g %d %g %d\n", f.a, t.q, v.d[2], apply(G{3}, 4));
  struct Local { int a; } l{7};
#pragma omp target map(tofrom : l)
  l.a++;
  std::printf("%d\n", l.a);
}
