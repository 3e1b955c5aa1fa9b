/* Ranges of cases, an extension of GNU's that nvcc takes for their first value in device code. */
#include <stdio.h>

enum colour { RED, GREEN, BLUE, GREY = 40 };

static int kind(int c) {
  switch (c) {
  case '0' ... '9': return 1;
  case 'a'...'z' /* small */: case 'A' ... 'Z': return 2;
  case -5 ... -1: return 3;
  case 7 ... 7: return 4;
  default: return 0;
  }
}
#pragma omp declare target to(kind)

int main(void) {
  enum { N = 300 };
  int r[N], s[N], t[N];
#pragma omp target teams distribute parallel for map(from : r, s, t)
  for (int i = 0; i < N; i++) {
    unsigned u = i - 10u;
    r[i] = kind(i - 50);
    s[i] = 0;
    switch (u) {
    case 4294967290 ... 4294967295: s[i] = 1; /* falls through */
    case 0 ... 99:
      s[i] += 2;
      break;
    case 100 /* from */ ... /* to */ 200: s[i] = 5; break;
    }
    switch ((enum colour)(i % 5)) {
    case RED ... BLUE: t[i] = 1; break;
    case GREY: t[i] = 2; break;
    default: t[i] = 3;
    }
  }
  long sum = 0;
  for (int i = 0; i < N; i++) {
    printf("%d%d%d ", r[i], s[i], t[i]);
    sum += (long)(r[i] + 10 * s[i] + 100 * t[i]) * i;
  }
  printf("\n%ld\n", sum);
}
