#include <stdio.h>
static int bad;
#define CHECK(c) do { if (!(c)) { printf("line %d\n", __LINE__); bad++; } } while (0)

/* Each thread has the index of a loop that the team shares: all have its last value behind it. */
static void each_thread(int n) {
  int sum = 0, threads = 0;
#pragma omp target parallel num_threads(8) map(tofrom : sum, threads) reduction(+ : sum, threads)
  {
    int i;
#pragma omp loop bind(parallel)
    for (i = n; i > 0; i -= 3)
      ;
    sum += i;
    threads++;
  }
  int i;
  for (i = n; i > 0; i -= 3)
    ;
  CHECK(sum == threads * i && threads >= 1);
}
static void in_distribute(int n) {
  int last[10] = {0};
#pragma omp target teams distribute map(from : last)
  for (int k = 0; k < 10; k++) {
    int i;
#pragma omp loop bind(parallel)
    for (i = 0; i < n + k; i++)
      ;
    last[k] = i;
  }
  for (int k = 0; k < 10; k++) CHECK(last[k] == n + k);
}
static void pointers(void) {
  double v[40];
  int wrong = 0;
#pragma omp target parallel map(tofrom : wrong, v) num_threads(8)
  {
    double *q = 0;
#pragma omp loop bind(parallel)
    for (q = v; q < v + 40; q++) *q = 1;
#pragma omp atomic
    wrong += q != v + 40;
  }
  CHECK(wrong == 0);
}
int main(void) {
  pointers();
  each_thread(50);
  in_distribute(13);
  printf("%s: %d\n", bad ? "wrong" : "right", bad);
  return bad != 0;
}
