/* The words of a fictitious device, on top of the CPU device's. */
#ifndef FX_DEVICE_H
#define FX_DEVICE_H

#include "rex_nvidia.h"

#define fx_lane (threadIdx.x)
#define fx_lanes (blockDim.x)
#define fx_group (blockIdx.x)
#define fx_groups (gridDim.x)
#define fx_local __shared__
#define fx_meet() __syncthreads()
#define fx_publish() __threadfence()
#define fx_load __ldg
#define fx_entry __global__
#define fx_function __device__
#define fx_everywhere __host__ __device__
#define fx_most(...) __launch_bounds__(__VA_ARGS__)

#endif
