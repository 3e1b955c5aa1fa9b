// First-private variables that a region changes and whose names it gives to variables of its own too: C has no references.
#include <stdio.h>

static int calls = 5;

int main(void) {
  int x = 1, y = 2, row[3] = {1, 2, 3};
#pragma omp target map(tofrom : x) firstprivate(y)
  {
    int kept = x;
    {
      int x = 50;
      y += x;
    }
    for (int y = 0; y < 3; y++) kept += y;
    x = kept + y;
  }
  printf("%d\n", x);
#pragma omp target map(tofrom : x) firstprivate(row, calls)
  {
    row[1] += 5;
    calls += row[1];
    {
      int row = 4, calls = 6;
      x += row * calls;
    }
    x += calls + row[1];
  }
  printf("%d\n", x);
#pragma omp target teams distribute parallel for map(tofrom : x) reduction(+ : x) firstprivate(y)
  for (int i = 0; i < 4; i++) {
    x += y * 0 + i;
    y = i;
    {
      int y = 3;
      x += y;
    }
  }
  printf("%d\n", x);
}
