// SPDX-License-Identifier: Apache-2.0
//
// The kernel that brings rows home, by threads one after the other: each byte of each row comes once, and no other one.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>

#define __CUDACC__
#define __global__
#define __device__
#define __launch_bounds__(threads)
using std::min;
struct uint4 {
  unsigned x, y, z, w;
};
static struct {
  unsigned x;
} gridDim, blockDim, blockIdx, threadIdx;
#include "rex_device_arrivals.h"

static const unsigned room = 9000;
alignas(16) static char device[4 * room], home[4 * room], expected[4 * room];

static void bring(const rex_arrivals &rows, unsigned blocks) {
  gridDim.x = blocks, blockDim.x = REX_ARRIVAL_THREADS;
  for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) rex_bring_home(rows);
}

static bool comes_home(unsigned count, unsigned place, unsigned size, unsigned blocks) {
  memset(home, '.', sizeof home), memset(expected, '.', sizeof expected);
  rex_arrivals rows = {};
  rows.count = count;
  for (unsigned row = 0; row < count; row++) {
    unsigned at = row * room + place + row, bytes = size + 3 * row;
    rows.from[row] = device + at, rows.to[row] = home + at, rows.size[row] = bytes;
    memcpy(expected + at, device + at, bytes);
  }
  bring(rows, blocks);
  return memcmp(home, expected, sizeof home) == 0;
}

int main() {
  for (unsigned i = 0; i < sizeof device; i++) device[i] = static_cast<char>(i % 251 ^ i >> 8);
  int wrong = 0;
  for (unsigned place = 0; place < 16; place++)
    for (unsigned size : {1u, 2u, 7u, 8u, 15u, 16u, 17u, 31u, 33u, 1000u, 4095u, 4096u, 8000u})
      wrong += !comes_home(1 + place % REX_ARRIVAL_ROWS, place, size, 1 + size / 4096);
  printf("wrong: %d\n", wrong);
  return wrong != 0;
}
