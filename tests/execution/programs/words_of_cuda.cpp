// CUDA's words as macros and functions of the program, as programs have them that were CUDA's once.
#include <omp.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#define __global__ static
#define __device__
#define __host__
#define __shared__
#define __launch_bounds__(threads)
#define __constant__ static const
#define __threadfence() _Pragma("omp flush")
#define THREAD omp_get_thread_num()
#pragma omp declare target
__device__ inline void __syncthreads() {
#pragma omp barrier
}
template <class T> __device__ T __ldg(const T *p) { return *p + 1; }
__device__ static int __popc(unsigned x) { return x ? 2 + __popc(x & (x - 1)) : 0; }
__device__ __host__ inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752); }
__device__ inline float __int_as_float(int i) {
  float f;
  memcpy(&f, &i, sizeof f);
  return f;
}
template <typename T> __device__ T atomicAdd(T *p, T v) {
  T old;
#pragma omp atomic capture
  {
    old = *p;
    *p += v;
  }
  return old;
}
__device__ inline unsigned atomicCAS(unsigned *p, unsigned expected, unsigned v) {
  unsigned old;
#pragma omp atomic compare capture
  {
    old = *p;
    if (*p == expected) { *p = v; }
  }
  return old;
}
struct int3 {
  int x, y, z;
};
__device__ inline int3 make_int3(int x, int y, int z) { return {x, y, z}; }
__constant__ int factors[3] = {3, 5, 7};
#pragma omp end declare target

__global__ __launch_bounds__(8) void turned(const int *in, int *out, double *parts, unsigned *owner) {
#pragma omp target teams num_teams(1) thread_limit(8) map(to : in[0 : 8]) map(tofrom : out[0 : 8], parts[0 : 8], owner[0 : 8])
  {
    __shared__ int rows[8];
#pragma omp parallel num_threads(8)
    {
      for (int t = THREAD; t < 8; t += omp_get_num_threads()) rows[t] = __ldg(in + t) * 3;
      __syncthreads();
      for (int t = THREAD; t < 8; t += omp_get_num_threads()) {
        const int3 found = make_int3(rows[7 - t], __popc(t), factors[t % 3]);
        out[t] = found.x + found.y * 100 + found.z * 10000;
        parts[t] = normcdf(0.25 * t) + __int_as_float(0x3f800000);
        __threadfence();
        atomicAdd(&owner[0], 2u);
        if (t > 0 && atomicCAS(&owner[t], 77u, 5u) == 77u) atomicAdd(&out[t], 1000000);
      }
    }
  }
}

int main() {
  int in[8], out[8] = {0};
  double parts[8] = {0}, sum = 0;
  unsigned owner[8];
  for (int i = 0; i < 8; i++) {
    in[i] = i * i;
    owner[i] = i % 2 ? 77 : 1;
  }
  turned(in, out, parts, owner);
  for (double part : parts) sum += part;
  for (int i = 0; i < 8; i++) printf("%d %u ", out[i], owner[i]);
  printf("%.6f\n", sum);
}
