/* A program ends when its tasks have: before what it registered earlier to be called at exit. */
#include <stdio.h>
#include <stdlib.h>

static int x, status;
static void show(void) { printf("%d %d\n", x, status); }

int main(int count, char **arguments) {
  atexit(show);
  for (int i = 0; i < 3; i++) {
#pragma omp target nowait map(tofrom : x) depend(inout : x)
    {
      volatile int spent = 0;
      for (int i = 0; i < 10000000; i++) spent += i & 1;
      x = x + 1 + (spent < 0);
    }
  }
  if (count > 1) status = 7, exit(0);
  return 0;
}
