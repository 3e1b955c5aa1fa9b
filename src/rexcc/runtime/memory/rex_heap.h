// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the heap have in common. None of them may allocate by malloc or new, which are made of them.
#ifndef REX_HEAP_H
#define REX_HEAP_H

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include <pthread.h>

#define REX_HEAP_HIDDEN __attribute__((visibility("hidden")))

namespace rex_memory REX_HEAP_HIDDEN {

// The heap grows by pieces of whole granules, so that the granule of an address tells the piece.
constexpr int kGranuleBits = 21;
constexpr size_t kGranule = size_t(1) << kGranuleBits;
constexpr size_t in_granules(size_t size) { return (size + kGranule - 1) & ~(kGranule - 1); }

class Locked {
public:
  explicit Locked(pthread_mutex_t &given) : mutex(given) { pthread_mutex_lock(&mutex); }
  ~Locked() { pthread_mutex_unlock(&mutex); }
  Locked(const Locked &) = delete;

private:
  pthread_mutex_t &mutex;
};

// What a function does to errno nobody sees who calls malloc or free.
class KeepErrno {
public:
  KeepErrno() : before(errno) {}
  ~KeepErrno() { errno = before; }
  KeepErrno(const KeepErrno &) = delete;

private:
  const int before;
};

} // namespace rex_memory

#endif
