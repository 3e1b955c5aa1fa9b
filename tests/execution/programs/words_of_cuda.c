/* CUDA's words as macros, functions and variables of a C program. */
#include <omp.h>
#include <stdio.h>
#define __shared__
#define __ldg(p) (*(p))
#define __syncthreads() _Pragma("omp barrier")
#ifndef __forceinline__
#define __forceinline__ inline
#endif
#pragma omp declare target
static __forceinline__ int __clz(unsigned x) { return x ? 100 + __builtin_clz(x) : 132; }
static __forceinline__ int __mul24(int a, int b) { return a * b - 1; }
static int atomicMax(int *p, int v) {
  int old;
#pragma omp atomic compare capture
  {
    old = *p;
    if (*p < v) { *p = v; }
  }
  return old;
}
#pragma omp end declare target
static int __threadfence = 4;
int main(void) {
  int in[8], out[8] = {0}, most = -1;
  for (int i = 0; i < 8; i++) in[i] = i * 3 % 8;
#pragma omp target teams num_teams(1) thread_limit(8) map(to : in) map(tofrom : out, most) firstprivate(__threadfence)
  {
    __shared__ int rows[8];
#pragma omp parallel num_threads(8)
    {
      for (int t = omp_get_thread_num(); t < 8; t += omp_get_num_threads()) rows[t] = __mul24(__ldg(&in[t]), 7);
      __syncthreads()
      for (int t = omp_get_thread_num(); t < 8; t += omp_get_num_threads()) {
        out[t] = rows[7 - t] + __clz(t) + __threadfence;
        atomicMax(&most, out[t]);
      }
    }
  }
  for (int i = 0; i < 8; i++) printf("%d ", out[i]);
  printf("%d\n", most);
  return 0;
}
