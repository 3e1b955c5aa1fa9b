// Variables of files whose declarations end in the argument of a macro.
#include <cstdio>
#define REAL(x) x
#define VALUE(x) = x
#define DECLARED(t, n) static t n
namespace {
const double real = REAL(2.5), other{REAL(0.5)};
constexpr int first VALUE(7), second VALUE(REAL(3));
}
#pragma omp declare target
alignas(16) static int changed VALUE(8);
DECLARED(int, bare);
struct S { static constexpr double half = REAL(0.25); };
#pragma omp end declare target
int main() {
  double r = 0;
#pragma omp target map(tofrom : r)
  {
    changed++, bare++;
    r += real + other + first + second + changed + bare + S::half;
  }
  printf("%f\n", r);
}
