/* Names of C that C++ keeps for itself, in kernels whose code is compiled in several forms. */
#include <stdio.h>
enum { ROWS = 4, MOST = 600 };
static float w[ROWS * MOST];
int main(void) {
  double template[ROWS] = {0};
  int n = 257, typename = 1;
  for (int i = 0; i < ROWS * MOST; i++) w[i] = i % 37;
#pragma omp target teams distribute num_teams(ROWS) map(tofrom : template) map(to : w)
  for (int class = 0; class < ROWS; class++) {
    double this = 0;
#pragma omp parallel for reduction(+ : this)
    for (int new = 0; new < n; new++) {
      const int operator = new + class * MOST + typename;
      this += w[operator];
    }
    template[class] = this;
  }
  for (int i = 0; i < ROWS; i++) printf("%g ", template[i]);
  puts("");
}
