/* Variables with the names of classes, enumerations and aliases that other variables need. */
#include <cstdio>
struct Size { int n; Size() : n(0) {} Size(int k) : n(k) {} Size(const Size &o) : n(o.n) {} int twice() const { return 2 * n; } };
struct Plain { int a; double b; };
typedef int Count; enum Kind { A, B };
namespace ns { struct Box { int w; }; }
using ns::Box;
template <class T> T sum(const T *T1, int Count, Plain Plain) {
  T s = 0;
#pragma omp target teams distribute parallel for map(to : T1[0 : Count]) reduction(+ : s)
  for (int i = 0; i < Count; i++) s += T1[i] + (T)Plain.a;
  return s;
}
struct M { ::Count Count; ::Plain Plain; int run(int k, Kind Kind) { int r = 0; ::Plain p = Plain; ::Count c = 3;
#pragma omp target map(tofrom : r)
  { r = p.a + c + Count + k + Kind; }
  return r; } };
int main() {
  Size Size(4); Plain Plain = {1, 2.5}; Count Count = 3; Kind Kind = B; Box Box = {6}; int r = 0; ::Count other = 8; ::Plain arr[2] = {{1, 1}, {2, 2}}; int a[3] = {1, 2, 3};
#pragma omp target map(tofrom : r, Plain) firstprivate(Size)
  { r = Size.n + Size.twice() + Count + Kind + Box.w + other; Plain.b = 9; r += arr[1].a; }
  std::printf("%d %g\n", r, Plain.b);
#pragma omp target teams distribute parallel for reduction(+ : Count) firstprivate(Box, other)
  for (int i = 0; i < 10; i++) { Count += i + Box.w; other += i; }
  M m; m.Count = 5; m.Plain = Plain;
  std::printf("%d %d %d\n", Count, sum(a, 3, Plain), m.run(2, Kind));
}
