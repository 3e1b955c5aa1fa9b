/* Loops that 32 bits can count: bounds at the ends of int, no iterations, steps, leaving an iteration early. */
#include <limits.h>
#include <stdio.h>

static int p[5000];
static void tell(const char *what) {
  long sum = 0;
  for (int k = 0; k < 5000; k++) sum += (long)p[k] * (k % 13 + 1), p[k] = 0;
  printf("%s %ld\n", what, sum);
}

static void run(int n) {
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (int i = 0; i < n; i++)
    if (i % 3) p[i] = i;
  tell("up");
#pragma omp target teams distribute parallel for map(tofrom : p) thread_limit(48)
  for (int i = 7; i <= n; i += 3) {
    if (i % 5 == 0) continue;
    if (i < 5000) p[i] += 2 * i;
  }
  tell("from 7 to n by 3");
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (short i = 2; i < n; i++)
    for (int k = 0; k < 3; k++) p[i] += k + i;
  tell("short");
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (unsigned char i = 0; i < (n < 200 ? n : 200); i++)
    if (n > i) p[i]++;
  tell("unsigned char");
}

int main(void) {
  const int counts[] = {INT_MIN, -5, 0, 1, 2, 255, 257, 4999, 5000};
  for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++) run(counts[c]);
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (int i = 0; i < INT_MAX - (1 << 20); i += 1 << 20)
    if (i >= 0) p[i >> 20] = i >> 10;
  tell("to the end of int");
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (int i = 2147480000; i <= INT_MAX - 1; i++)
    if (i > 0) p[i - 2147480000] = 1;
  tell("the last of int");
}
