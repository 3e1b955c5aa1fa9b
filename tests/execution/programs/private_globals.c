// Variables with static storage that constructs of the host make private, mapped inside.
#include <stdio.h>
#include <omp.h>
int g = 7, arr[4];
static void update(void) {
  int bad = 0;
#pragma omp parallel private(g, arr) num_threads(3) reduction(+ : bad)
  {
    g = 10 * omp_get_thread_num();
    for (int i = 0; i < 4; i++) arr[i] = g + i;
#pragma omp target map(tofrom : g)
    g += 1;
    bad += g != 10 * omp_get_thread_num() + 1;
#pragma omp target enter data map(to : g)
#pragma omp target map(always, tofrom : g)
    g += 1;
#pragma omp target exit data map(delete : g)
    bad += g != 10 * omp_get_thread_num() + 2;
#pragma omp target map(tofrom : arr)
    for (int i = 0; i < 4; i++) arr[i] += 1;
    for (int i = 0; i < 4; i++) bad += arr[i] != 10 * omp_get_thread_num() + i + 1;
#pragma omp target data map(tofrom : arr[1 : 2])
#pragma omp target
    arr[1] += 5;
    bad += arr[1] != 10 * omp_get_thread_num() + 7;
  }
  printf("%d bad\n", bad);
}
int main(void) {
  update();
  int bad = 0;
#pragma omp parallel for firstprivate(g) num_threads(3) reduction(+ : bad)
  for (int i = 0; i < 6; i++) {
    g = i;
#pragma omp target map(tofrom : g)
    g *= 2;
    bad += g != 2 * i;
  }
  printf("%d bad\n", bad);
}
