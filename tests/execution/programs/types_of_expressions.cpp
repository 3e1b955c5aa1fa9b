// Variables whose types are written as those of expressions, which are other names in device code.
#include <cstdio>
#include <vector>
namespace N { struct P { int x; }; }
template <class T> T twice(T x) { decltype(x) y = x; decltype(auto) z = (y); T s = 0;
#pragma omp target map(tofrom: s)
 { s = y + z; }
 return s; }
int main() { unsigned n = 64; decltype(n) m = 60; decltype(n + 1ul) k = 3; int q[4] = {1,2,3,4}; decltype(q) w = {1,2}; N::P pt{4}; decltype(pt) pu{5}; decltype((pt)) pr = pu;
 const decltype(&n) pp = 0; int s = 0; auto a = 4l; std::vector<int> v(3, 7); decltype(v)::value_type vv = v[0]; decltype(v.size()) sz = v.size(); __typeof__(v[0]) tv = v[1];
#pragma omp target teams distribute parallel for map(tofrom: s) reduction(+: s) firstprivate(w)
 for (decltype(m) i = 0; i < m; i++) { decltype(q) l = {1}; decltype(m) mm = m; w[0] = 1; s += k + q[i & 3] + l[0] + mm + w[0] + (pp == 0) + pu.x + pr.x + a + vv + sz + tv; }
 printf("%d %d %g\n", s, twice(3), twice(2.5)); }
