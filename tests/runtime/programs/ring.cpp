// SPDX-License-Identifier: Apache-2.0
//
// Copies through a ring with a make-believe driver, whose device memory is the host's: all bytes, and no others, for sizes
// around those at which pieces, threads and the way to store change, from and to any address.
#include "rex_copy_ring.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dlfcn.h>

using namespace __rex;

static int checks, failures;

static unsigned char value(size_t at, unsigned seed) { return static_cast<unsigned char>((at * 2654435761u >> 13) + seed); }

static void copy(CopyRing &ring, bool up, size_t size, size_t shift, int threads) {
  static unsigned seed;
  constexpr size_t beside = 256;
  static std::vector<unsigned char> host, device;
  host.assign(size + 2 * beside, 0xee), device.assign(size + 2 * beside, 0xee);
  std::vector<unsigned char> &from = up ? host : device, &to = up ? device : host;
  seed += 7;
  for (size_t i = 0; i < size; i += 61) from[beside / 2 + shift + i] = value(i, seed);
  size_t begin = beside / 2 + shift;
  bool good = ring.copy(up, reinterpret_cast<uintptr_t>(device.data() + begin), reinterpret_cast<char *>(host.data() + begin),
                        size, threads);
  good = good && memcmp(from.data() + begin, to.data() + begin, size) == 0;
  for (size_t i = 0; i < begin; i++) good = good && to[i] == 0xee;
  for (size_t i = begin + size; i < to.size(); i++) good = good && to[i] == 0xee;
  checks++;
  if (!good) failures++, printf("%s: %zu bytes, %zu beside, %d threads: wrong\n", up ? "up" : "down", size, shift, threads);
}

int main() {
  constexpr size_t mib = 1 << 20;
  dlopen("libcuda.so.1", RTLD_NOW);
  const CopyDriver driver;
  if (!driver.complete) return puts("no driver"), 1;
  auto *anything = static_cast<char *>(malloc(1));
  void *context = driver.context_of(reinterpret_cast<uintptr_t>(anything));
  std::atomic<int> up{0};
  for (int workers : {2, 8}) {
    CopyRing large(driver, context, up, workers, 2 * mib, 64 * mib);
    for (int threads : {1, 3, 8}) {
      copy(large, false, 64 * mib + 4097 * threads, static_cast<size_t>(threads), threads);
      copy(large, false, 3 * mib + 5, 0, threads);
    }
    copy(large, true, 65 * mib + 1, 3, 8);
    copy(large, false, 64 * mib - 1, 64, 8);
  }
  CopyRing halves(driver, context, up, 8, 2 * mib, 64 * mib, 100 * mib); // from the second on by all threads
  for (size_t shift : {0, 1, 17, 64}) copy(halves, false, 70 * mib + 3 * 4096 + shift, shift, 8);
  copy(halves, true, 65 * mib, 5, 8);
  copy(halves, false, 90 * mib + 77, 3, 5);
  up = 1;
  copy(halves, false, 90 * mib + 77, 3, 8);
  CopyRing small(driver, context, up, 4, mib / 2);
  copy(small, false, 66 * mib + 9, 33, 4);
  copy(small, true, 66 * mib + 9, 33, 4);
  free(anything);
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
