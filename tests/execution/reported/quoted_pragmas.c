/* Directives in strings that another macro makes: without a device they would be the host compiler's. */
#include <stdio.h>
#define STR2(...) #__VA_ARGS__
#define STR(...) STR2(__VA_ARGS__)
#define PRAGMA(...) _Pragma(STR(__VA_ARGS__))
#define WIDTH 4
int main() {
  int h = 1, k = 1, s = 0;
  PRAGMA(omp target parallel for num_threads(WIDTH) map(from: h, k) reduction(+ : s))
  for (int i = 0; i < 1; i++) h = 3, s += 4;
  _Pragma(STR(omp target map(from: k)))
  k = 7;
  printf("%d %d %d %s\n", h, k, s, STR(a, b));
}
