/* A record with an array or a bit-field among its members is still a plain record. */
#include <stdio.h>

typedef struct {
  int a;
  short c[2][3];
  unsigned b : 5;
} cell;

int main(void) {
  int sum[4] = {0};
#pragma omp target teams distribute map(tofrom : sum)
  for (int g = 0; g < 4; g++) {
    cell cells[8];
    for (int i = 0; i < 8; i++) {
      cells[i].a = i;
      cells[i].b = (unsigned)i;
      for (int k = 0; k < 6; k++) cells[i].c[k / 3][k % 3] = (short)(i + k);
    }
#pragma omp parallel for
    for (int i = 0; i < 8; i++) cells[i].a += cells[i].c[1][2] + (int)cells[i].b + g;
    for (int i = 0; i < 8; i++) sum[g] += cells[i].a;
  }
  for (int g = 0; g < 4; g++) printf("%d\n", sum[g]);
  return 0;
}
