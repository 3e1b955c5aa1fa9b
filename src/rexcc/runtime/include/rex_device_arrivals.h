// SPDX-License-Identifier: Apache-2.0
//
// The kernel by which small rows of an update come home from behind other kernels: it writes them into memory of the host's
// that the GPU reaches (rex_queue.h). Included by device files of programs with such updates. The GPU's engine for copies
// would have to wait for the one for kernels first, and that takes longer than the copy. The host's memory lies as far from a
// multiple of 16 bytes as the row does.
#ifndef REX_DEVICE_ARRIVALS_H
#define REX_DEVICE_ARRIVALS_H

#include "rex_arrivals.h"

// A unit whose code may be linked with that of others has none: two of them would have two definitions.
#if defined(__CUDACC__) && !defined(__CUDACC_RDC__)
__device__ static inline void rex_bring_row_home(char *to, const char *from, unsigned size) {
  const unsigned threads = gridDim.x * blockDim.x, self = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned word = sizeof(uint4), misplaced = (unsigned)(size_t)from % word;
  const unsigned before = misplaced == 0 ? 0 : size < word - misplaced ? size : word - misplaced;
  const unsigned words = (size - before) / word, whole = words * word;
  for (unsigned i = self; i < words; i += threads)
    reinterpret_cast<uint4 *>(to + before)[i] = reinterpret_cast<const uint4 *>(from + before)[i];
  for (unsigned i = self; i < size - whole; i += threads) {
    const unsigned at = i < before ? i : whole + i;
    to[at] = from[at];
  }
}

extern "C" __global__ void __launch_bounds__(REX_ARRIVAL_THREADS) rex_bring_home(const rex_arrivals rows) {
  #pragma unroll
  for (unsigned row = 0; row < REX_ARRIVAL_ROWS; row++)
    if (row < rows.count) rex_bring_row_home(rows.to[row], rows.from[row], rows.size[row]);
}
#endif

#endif
