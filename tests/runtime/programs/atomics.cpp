// SPDX-License-Identifier: Apache-2.0
// The atomic operations on the CPU device, and as a CUDA program on a GPU (nvcc -x cu -arch=native).
#include <cstdio>

#include "atomic_checks.h"

constexpr int kSteps = 100 * 64 * 4;

static int wrong_in(const Crowd &c, int steps) {
  int wrong = (int)c.wrong;
  for (unsigned char byte : c.bytes) wrong += byte != (unsigned char)(steps / 4);
  for (unsigned short number : c.shorts) wrong += number != (unsigned short)-(steps / 2);
  for (int place : c.order) wrong += place != steps / 64;
  wrong += c.sum != (int)((long long)steps * (steps - 1) / 2) || c.least != 1 - steps || c.bits != 0;
  wrong += c.most != (long long)(steps - 1) << 33 || c.f != (float)steps || c.d != steps * 0.5;
  wrong += c.w != ((wide)steps << 64 | (wide)steps) || c.product != 0x1p256;
  return wrong;
}

#ifdef __CUDACC__

__global__ void alone(AtomicFindings *found) { *found = atomic_checks(); }
__global__ void together(Crowd *crowd, int steps) {
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < steps; i += (int)(gridDim.x * blockDim.x))
    crowd_step(crowd, i);
}

int main() {
  AtomicFindings *found;
  Crowd *crowd;
  cudaMallocManaged(&found, sizeof *found);
  cudaMallocManaged(&crowd, sizeof *crowd);
  *crowd = Crowd{};
  crowd->product = 1;
  alone<<<1, 1>>>(found);
  together<<<64, 128>>>(crowd, kSteps);
  if (cudaDeviceSynchronize() != cudaSuccess) return printf("%s\n", cudaGetErrorString(cudaGetLastError())), 1;
#else

int main() {
  AtomicFindings findings = atomic_checks(), *found = &findings;
  Crowd all = {}, *crowd = &all;
  crowd->product = 1;
  rex_geometry geometry = {64, 4};
  rex_run_teams(&geometry, [&] {
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < kSteps; i += (int)(gridDim.x * blockDim.x))
      crowd_step(crowd, i);
  });
#endif
  if (found->failures > 0) printf("atomic_checks.h:%d: wrong\n", found->first_wrong_line);
  printf("%d failures, %d wrong\n", found->failures, wrong_in(*crowd, kSteps));
  return 0;
}
