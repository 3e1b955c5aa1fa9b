/* Private copies, reductions and last values of volatile variables and arrays. */
#include <stdio.h>

static void reduced(void) {
  volatile int s = 0, row[3] = {0}, scanned = 0;
  volatile double product = 1;
  volatile unsigned char bits = 255;
  volatile _Bool all = 1;
  volatile float most = -1;
  int plain = 0, in[5] = {1, 2, 3, 4, 5}, out[5];
#pragma omp target teams distribute parallel for reduction(+ : s, row, plain) reduction(* : product) \
    reduction(& : bits) reduction(&& : all) reduction(max : most)
  for (int i = 0; i < 100; i++) {
    s += i, row[i % 3] += i, bits &= 254, all = all && i < 1000, plain++;
    if (i < 3) product *= 2;
    if (most < i % 77) most = i % 77;
  }
  printf("%d %d %d %g %d %d %g %d\n", s, row[0], row[2], product, bits, all, most, plain);
#pragma omp target map(tofrom : s, row)
#pragma omp parallel for reduction(+ : s, row[0 : 2])
  for (int i = 0; i < 100; i++) s += i, row[i % 2] += i;
#pragma omp target teams distribute reduction(+ : s)
  for (int i = 0; i < 4; i++) {
    volatile int inner = 0;
#pragma omp parallel for simd reduction(+ : inner)
    for (int j = 0; j < 5; j++) inner += j;
    s += inner;
  }
#pragma omp target map(tofrom : in, out, scanned)
#pragma omp parallel for reduction(inscan, + : scanned)
  for (int i = 0; i < 5; i++) {
    scanned += in[i];
#pragma omp scan inclusive(scanned)
    out[i] = scanned;
  }
  printf("%d %d %d %d %d\n", s, row[0], row[1], out[3], scanned);
}

static void copied(void) {
  volatile int first[2] = {5, 6}, last[2] = {0}, one = 1;
  int sum = 0;
#pragma omp target firstprivate(first, one) map(tofrom : sum)
  {
    int before = first[1];
    one = first[0];
    sum += before * one;
#pragma omp parallel for num_threads(2) firstprivate(first, one) reduction(+ : sum)
    for (int i = 0; i < 2; i++) sum += first[i] * 100 + one;
  }
#pragma omp target teams distribute parallel for lastprivate(last) map(tofrom : one)
  for (int i = 0; i < 10; i++) {
    last[0] = i, last[1] = -i;
    if (i == 7) one = 70;
  }
#pragma omp target parallel for lastprivate(last) firstprivate(first) reduction(+ : sum)
  for (int i = 0; i < 8; i++) last[1] = i * first[1], last[0] = i, sum += first[0];
  printf("%d %d %d %d %d\n", sum, first[1], last[0], last[1], one);
}

int main(void) {
  reduced();
  copied();
  return 0;
}
