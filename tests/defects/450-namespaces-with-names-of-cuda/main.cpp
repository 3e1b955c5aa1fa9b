#include <cstdio>
namespace float2 { int x = 3; int get(int y) { return y + 1; } }
namespace dim3 { struct S { int a; }; }
int main() { int r = 0;
#pragma omp target map(r)
 { dim3::S s{4}; r = float2::get(s.a); }
 printf("%d\n", r); }
