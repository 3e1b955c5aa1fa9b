// Functions of the host where nothing executes them: types, selections and constants.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int p[8] = {0};
#pragma omp target map(tofrom : p)
  {
    p[0] = _Generic(rand(), int : 2, default : 3);
    __typeof__(rand()) kept = 3;
    p[1] = kept + (int)_Alignof(__typeof__(rand()));
    p[2] = (int)sizeof(strtol("1", NULL, 10));
    p[3] = 0 ? rand() : 4;
  }
  for (int i = 0; i < 8; i++) printf("%d ", p[i]);
  printf("\n");
  return 0;
}
