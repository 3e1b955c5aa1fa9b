// Declarations in blocks of what is defined elsewhere.
#include <cstdio>
#pragma omp declare target
int outer = 7;
namespace n { int deep = 4; int deeper(int); inline int use(int x) { int deeper(int); extern int deep; return deeper(x) + deep; } int deeper(int x) { return x * 3 + deep; } }
#pragma omp end declare target
struct S { int k; S() : k(2) {} };
int half(int);
template <class T> T twice(T x) { return half(x) * 4; }
int half(int x) { return x / 2; }
extern "C" int c_one(int x) { return x + 1; }
int shadow(int outer) { { extern int outer; return outer; } }
int main() {
  int r[8] = {0};
#pragma omp target map(tofrom: r)
  {
    int half(int), more(int);
    S s;
    S make();
    r[0] = half(9) + outer + s.k;
    r[1] = n::use(2);
    r[2] = twice(10);
    r[3] = more(3);
    r[4] = shadow(1);
    outer = 9;
  }
#pragma omp target update from(outer)
  r[5] = outer;
  extern int outer;

  #pragma omp target map(tofrom: r)
  { outer++; r[6] = outer; }
#pragma omp target update from(outer)
  r[7] = outer;
  for (int i = 0; i < 8; i++) std::printf("%d ", r[i]);
  std::puts("");
}
int more(int x) { return x + 50; }
