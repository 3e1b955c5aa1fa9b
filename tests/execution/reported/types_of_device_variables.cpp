// Types that the declarations of device variables define: without a name, with attributes, scoped, in namespaces.
#include <cstdio>

#pragma omp declare target
namespace n {
struct { int a; double b; } g = {1, 2.5}, h[2];
enum { ONE = 1, TWO } e = TWO;
}
typedef struct { int z; } *P;
P pointer = nullptr;
struct alignas(32) { int t; } aligned = {3};
struct alignas(16) Named { int t; } named = {4};
enum class Kind : short { A, B } kind = Kind::B;
class { public: int m; int twice() const { return 2 * m; } } object = {5};
#pragma omp end declare target
int main() {
  int r = 0;
#pragma omp target map(from : r)
  {
    n::g.a += 1;
    n::h[1].a = n::g.a;
    n::e = n::ONE;
    aligned.t += named.t++;
    kind = Kind::A;
    object.m += 2;
    pointer = nullptr;
    r = object.twice();
  }
#pragma omp target update from(n::g, n::h, n::e, aligned, named, kind, object)
  std::printf("%d %d %d %d %d %d %d %d\n", n::g.a, n::h[1].a, n::e, aligned.t, named.t, (int)kind, object.m, r);
}
