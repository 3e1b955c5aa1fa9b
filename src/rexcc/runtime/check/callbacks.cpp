// SPDX-License-Identifier: Apache-2.0
//
// What gcc and clang call before each access under -fsanitize=thread, and for each atomic operation: the names are those of
// LLVM's ThreadSanitizer (compiler-rt/lib/tsan/rtl/tsan_interface.h), whose library is not linked.
#include "accesses.h"
#include "kernels.h"
#include "races.h"

#include <cstring>

using namespace rex_check;

namespace {

inline __attribute__((always_inline)) void accesses(const volatile void *place, size_t size, bool is_write,
                                                    bool is_atomic, void *pc) {
  if (inside > 0) return;
  Found found = {reinterpret_cast<uintptr_t>(place), size, is_write, reinterpret_cast<uintptr_t>(pc)};
  if (running_kernel == nullptr) host_accesses(found);
  else if (runs_program) kernel_accesses(found, is_atomic);
}

// What the thread was about to write has been written.
inline __attribute__((always_inline)) void comes() {
  if (inside > 0 || running_kernel == nullptr || !runs_program || !writes_wait) return;
  Locked locked;
  settle_writes();
}

inline __attribute__((always_inline)) void begins_atomic(const volatile void *place, size_t size, bool is_write,
                                                         void *pc) {
  if (inside > 0) return;
  comes();
  accesses(place, size, is_write, true, pc);
  if (running_kernel == nullptr) return;
  Locked locked;
  synchronise(reinterpret_cast<uintptr_t>(place));
}

} // namespace

#define PC __builtin_return_address(0)

REX_CHECK_INTERFACE void __tsan_init() {}

// The calling function's frame ends behind the address to return to, which lies above where its frame pointer points.
REX_CHECK_INTERFACE void __tsan_func_entry(void *) {
  if (inside > 0 || running_kernel != nullptr) return;
  constexpr uintptr_t most = 1 << 20;
  auto mine = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  uintptr_t callers = *reinterpret_cast<uintptr_t *>(mine); // where functions keep frame pointers
  if (callers > mine && callers - mine < most) forget_stack(mine - most, callers - mine + most);
}
REX_CHECK_INTERFACE void __tsan_func_exit() {}
REX_CHECK_INTERFACE void __tsan_ignore_thread_begin() {}
REX_CHECK_INTERFACE void __tsan_ignore_thread_end() {}

#define ACCESSES(prefix, size)                                                                                         \
  REX_CHECK_INTERFACE void __tsan_##prefix##read##size(void *p) {                                                      \
    comes();                                                                                                           \
    accesses(p, size, false, false, PC);                                                                               \
  }                                                                                                                    \
  REX_CHECK_INTERFACE void __tsan_##prefix##write##size(void *p) {                                                     \
    comes();                                                                                                           \
    accesses(p, size, true, false, PC);                                                                                \
  }                                                                                                                    \
  REX_CHECK_INTERFACE void __tsan_##prefix##read_write##size(void *p) {                                                \
    comes();                                                                                                           \
    accesses(p, size, false, false, PC);                                                                               \
    accesses(p, size, true, false, PC);                                                                                \
  }
ACCESSES(, 1)
ACCESSES(, 2)
ACCESSES(, 4)
ACCESSES(, 8)
ACCESSES(, 16)
ACCESSES(unaligned_, 1)
ACCESSES(unaligned_, 2)
ACCESSES(unaligned_, 4)
ACCESSES(unaligned_, 8)
ACCESSES(unaligned_, 16)
ACCESSES(volatile_, 1)
ACCESSES(volatile_, 2)
ACCESSES(volatile_, 4)
ACCESSES(volatile_, 8)
ACCESSES(volatile_, 16)
ACCESSES(unaligned_volatile_, 2)
ACCESSES(unaligned_volatile_, 4)
ACCESSES(unaligned_volatile_, 8)
ACCESSES(unaligned_volatile_, 16)
#undef ACCESSES

// clang tells of the host's loads and stores in this way, too (-fsanitize-coverage=trace-loads,trace-stores).
#define COVERED(size)                                                                                                  \
  REX_CHECK_INTERFACE void __sanitizer_cov_load##size(void *p) { accesses(p, size, false, false, PC); }                 \
  REX_CHECK_INTERFACE void __sanitizer_cov_store##size(void *p) { accesses(p, size, true, false, PC); }
COVERED(1)
COVERED(2)
COVERED(4)
COVERED(8)
COVERED(16)
#undef COVERED

// Aggregates: a piece at a time, so that one that is bad is found among others. The host's large ones are seldom mapped.
static void accesses_range(const char *place, size_t size, bool is_write, void *pc) {
  for (size_t i = 0; i < size;) {
    auto address = reinterpret_cast<uintptr_t>(place + i);
    size_t rest = size - i, to_next = to_next_page(address);
    bool is_of_interest = running_kernel != nullptr || may_be_mapped(address) || to_next < 8;
    size_t piece = is_of_interest ? 8 : to_next;
    if (piece > rest) piece = rest;
    if (is_of_interest) accesses(place + i, piece, is_write, false, pc);
    i += piece;
  }
}
REX_CHECK_INTERFACE void __tsan_read_range(void *p, size_t size) {
  comes();
  accesses_range(static_cast<char *>(p), size, false, PC);
}
REX_CHECK_INTERFACE void __tsan_write_range(void *p, size_t size) {
  comes();
  accesses_range(static_cast<char *>(p), size, true, PC);
}
REX_CHECK_INTERFACE void __tsan_vptr_update(void **p, void *) {
  comes();
  accesses(p, sizeof *p, true, false, PC);
}
REX_CHECK_INTERFACE void __tsan_vptr_read(void **p) {
  comes();
  accesses(p, sizeof *p, false, false, PC);
}

// clang calls these for the C library's functions, and the linker lets gcc's calls come here (--wrap).
#define COPIES(name, function)                                                                                         \
  REX_CHECK_INTERFACE void *name(void *to, const void *from, size_t size) {                                            \
    comes();                                                                                                           \
    accesses_range(static_cast<const char *>(from), size, false, PC);                                                  \
    accesses_range(static_cast<char *>(to), size, true, PC);                                                           \
    return function(to, from, size);                                                                                   \
  }
extern "C" void *__real_memcpy(void *, const void *, size_t), *__real_memmove(void *, const void *, size_t);
extern "C" void *__real_memset(void *, int, size_t);
COPIES(__tsan_memcpy, __real_memcpy)
COPIES(__tsan_memmove, __real_memmove)
COPIES(__wrap_memcpy, __real_memcpy)
COPIES(__wrap_memmove, __real_memmove)
#undef COPIES
#define FILLS(name)                                                                                                    \
  REX_CHECK_INTERFACE void *name(void *to, int value, size_t size) {                                                   \
    comes();                                                                                                           \
    accesses_range(static_cast<char *>(to), size, true, PC);                                                           \
    return __real_memset(to, value, size);                                                                                   \
  }
FILLS(__tsan_memset)
FILLS(__wrap_memset)
#undef FILLS

// ---------------------------------------------------------------------------------------------------------------------
// Atomic operations. The order that the program asks for is not less than it gets.

typedef unsigned char a8;
typedef unsigned short a16;
typedef unsigned a32;
typedef unsigned long a64;

#define RMW(bits, name, builtin)                                                                                       \
  REX_CHECK_INTERFACE a##bits __tsan_atomic##bits##_##name(volatile a##bits *p, a##bits value, int) {                  \
    begins_atomic(p, sizeof *p, true, PC);                                                                             \
    return builtin(p, value, __ATOMIC_SEQ_CST);                                                                        \
  }
#define CAS(bits, name)                                                                                                \
  REX_CHECK_INTERFACE int __tsan_atomic##bits##_compare_exchange_##name(volatile a##bits *p, a##bits *expected,        \
                                                                        a##bits desired, int, int) {                   \
    begins_atomic(p, sizeof *p, true, PC);                                                                             \
    return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);               \
  }
#define ATOMICS(bits)                                                                                                  \
  REX_CHECK_INTERFACE a##bits __tsan_atomic##bits##_load(const volatile a##bits *p, int) {                             \
    begins_atomic(p, sizeof *p, false, PC);                                                                            \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                       \
  }                                                                                                                    \
  REX_CHECK_INTERFACE void __tsan_atomic##bits##_store(volatile a##bits *p, a##bits value, int) {                      \
    begins_atomic(p, sizeof *p, true, PC);                                                                             \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                                      \
  }                                                                                                                    \
  RMW(bits, exchange, __atomic_exchange_n)                                                                             \
  RMW(bits, fetch_add, __atomic_fetch_add)                                                                             \
  RMW(bits, fetch_sub, __atomic_fetch_sub)                                                                             \
  RMW(bits, fetch_and, __atomic_fetch_and)                                                                             \
  RMW(bits, fetch_or, __atomic_fetch_or)                                                                               \
  RMW(bits, fetch_xor, __atomic_fetch_xor)                                                                             \
  RMW(bits, fetch_nand, __atomic_fetch_nand)                                                                           \
  CAS(bits, strong)                                                                                                    \
  CAS(bits, weak)                                                                                                      \
  REX_CHECK_INTERFACE a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *p, a##bits expected,        \
                                                                         a##bits desired, int, int) {                  \
    begins_atomic(p, sizeof *p, true, PC);                                                                             \
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                     \
    return expected;                                                                                                   \
  }
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
REX_CHECK_INTERFACE void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
REX_CHECK_INTERFACE void __tsan_atomic_signal_fence(int) {}

// Sixteen bytes, under a lock: everybody who has a part in it is compiled to call these.
typedef unsigned __int128 a128;
#define LOCKED(result, name, parameters, is_write, ...)                                                                \
  REX_CHECK_INTERFACE result __tsan_atomic128_##name parameters {                                                      \
    begins_atomic(p, sizeof *p, is_write, PC);                                                                         \
    Locked locked;                                                                                                     \
    __VA_ARGS__                                                                                                        \
  }
#define LOCKED_RMW(name, next)                                                                                         \
  LOCKED(a128, name, (a128 * p, a128 v, int), true, a128 old = *p; *p = (next); return old;)
LOCKED(a128, load, (const a128 *p, int), false, return *p;)
LOCKED(void, store, (a128 * p, a128 v, int), true, *p = v;)
LOCKED_RMW(exchange, v)
LOCKED_RMW(fetch_add, old + v)
LOCKED_RMW(fetch_sub, old - v)
LOCKED_RMW(fetch_and, old &v)
LOCKED_RMW(fetch_or, old | v)
LOCKED_RMW(fetch_xor, old ^ v)
LOCKED_RMW(fetch_nand, ~(old & v))
#define LOCKED_CAS(name)                                                                                               \
  LOCKED(int, compare_exchange_##name, (a128 * p, a128 * expected, a128 desired, int, int), true,                      \
         bool same = *p == *expected; *(same ? p : expected) = same ? desired : *p; return same;)
LOCKED(a128, compare_exchange_val, (a128 * p, a128 expected, a128 desired, int, int), true,
       a128 old = *p; if (old == expected) *p = desired; return old;)
LOCKED_CAS(strong)
LOCKED_CAS(weak)
