// SPDX-License-Identifier: Apache-2.0
//
// OpenMP's locks in a kernel. A lock spins on its own storage. Threads of one warp may compete for it: since sm_70 they
// are scheduled separately, and who waits makes room for the others (rex_pause).
#ifndef REX_DEVICE_LOCKS_H
#define REX_DEVICE_LOCKS_H

#include "rex_device_atomic.h"
#include "rex_device_team.h"
#include "rex_omp_types.h"

namespace rex_detail {

REX_DEVICE unsigned long long *lock_word(void *lock) {
#ifdef __CUDACC__
  asm("" : "+l"(lock)); // nvcc warns of atomics on what it knows to be a thread's own, though they are not executed
#endif
  return static_cast<unsigned long long *>(lock);
}

// Takes a free lock, whose word is 0. A GPU has no atomics on a thread's own variables, nor any use for them.
REX_DEVICE bool take_lock(unsigned long long *word, unsigned long long owned) {
  unsigned long long before = is_own(word) ? *word : atomicCAS(word, 0ull, owned);
  if (before != 0) return false;
  if (is_own(word)) *word = owned;
  __threadfence(); // what the last owner wrote is seen from here on
  return true;
}
REX_DEVICE void free_lock(unsigned long long *word) {
  __threadfence();
  if (is_own(word)) *word = 0;
  else atomicExch(word, 0ull);
}

} // namespace rex_detail

static_assert(sizeof(omp_lock_t) == 8 && sizeof(omp_nest_lock_t) == 8, "a lock is one word");

REX_DEVICE void omp_init_lock(omp_lock_t *lock) { lock->_lk = nullptr; }
REX_DEVICE void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t) { omp_init_lock(lock); }
REX_DEVICE void omp_destroy_lock(omp_lock_t *lock) { lock->_lk = nullptr; }
REX_DEVICE int omp_test_lock(omp_lock_t *lock) { return rex_detail::take_lock(rex_detail::lock_word(lock), 1); }
REX_DEVICE void omp_set_lock(omp_lock_t *lock) {
  while (!omp_test_lock(lock)) rex_pause();
}
REX_DEVICE void omp_unset_lock(omp_lock_t *lock) { rex_detail::free_lock(rex_detail::lock_word(lock)); }

// ---------------------------------------------------------------------------------------------------------------------
// A nestable lock's word: how often its owner has set it in the upper 16 bits, who that is in the others.

namespace rex_detail {

constexpr unsigned long long one_nesting = 1ull << 48;

#ifdef __CUDACC__
// Blocks have 31 bits, threads 10; the other 7 tell kernels apart that run at the same time.
REX_DEVICE unsigned long long my_lock_owner() {
  unsigned long long grid;
  asm("mov.u64 %0, %%gridid;" : "=l"(grid));
  return (grid & 127) << 41 | (unsigned long long)blockIdx.x << 10 | threadIdx.x;
}
#else
// An address that no other thread has.
REX_DEVICE unsigned long long my_lock_owner() {
  return (unsigned long long)&parallel_states[threadIdx.x] & (one_nesting - 1);
}
#endif

} // namespace rex_detail

REX_DEVICE void omp_init_nest_lock(omp_nest_lock_t *lock) { lock->_lk = nullptr; }
REX_DEVICE void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t) { omp_init_nest_lock(lock); }
REX_DEVICE void omp_destroy_nest_lock(omp_nest_lock_t *lock) { lock->_lk = nullptr; }

// Returns how often the caller has set it now; 0: it is another's.
REX_DEVICE int omp_test_nest_lock(omp_nest_lock_t *lock) {
  using namespace rex_detail;
  unsigned long long *word = lock_word(lock), me = my_lock_owner(), now = load(word);
  if (now == 0) return take_lock(word, me + one_nesting);
  if (now % one_nesting != me) return 0;
  rex_atomic_write(word, now + one_nesting); // nobody else writes a lock that is mine
  return (int)(now / one_nesting) + 1;
}
REX_DEVICE void omp_set_nest_lock(omp_nest_lock_t *lock) {
  while (omp_test_nest_lock(lock) == 0) rex_pause();
}
REX_DEVICE void omp_unset_nest_lock(omp_nest_lock_t *lock) {
  using namespace rex_detail;
  unsigned long long *word = lock_word(lock), now = load(word);
  if (now / one_nesting > 1) rex_atomic_write(word, now - one_nesting);
  else free_lock(word);
}

#endif
