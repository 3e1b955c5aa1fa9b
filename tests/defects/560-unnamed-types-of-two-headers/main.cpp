#include "first.h"
#include "other.h"
#include <cstdio>
int main() {
  int sum = 0;
  lib::one p{4};
  lib::two q{5};
#pragma omp target map(tofrom : sum) map(to : p, q)
  sum = lib::FIRST + lib::OTHER + p.x * q.x + lib::made<3>::size + lib::more<4>::size;
  std::printf("%d\n", sum);
}
