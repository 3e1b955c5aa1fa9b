// SPDX-License-Identifier: Apache-2.0
// Atomic operations that one thread can check, on the GPU and on the CPU alike, and some that need many threads.
#ifndef ATOMIC_CHECKS_H
#define ATOMIC_CHECKS_H

#include "rex_nvidia.h"

__extension__ typedef __int128 wide;

struct AtomicFindings {
  int checks, failures, first_wrong_line;
};

__device__ static inline void note_atomic(AtomicFindings *findings, bool good, int line) {
  findings->checks++;
  if (!good && findings->failures++ == 0) findings->first_wrong_line = line;
}
#define CHECK(condition) note_atomic(findings, condition, __LINE__)

// An operation in memory that threads share and in the thread's own: old value, new value, what it leaves behind.
#define OPERATION(name)                                                                                                \
  template <class T, class V>                                                                                          \
  __device__ static inline void expect_##name(AtomicFindings *findings, int line, T first, V v, T now) {               \
    __shared__ T x;                                                                                                    \
    T own = first;                                                                                                     \
    x = first;                                                                                                         \
    bool good = rex_atomic_##name(&x, v) == first && x == now;                                                         \
    x = first;                                                                                                         \
    good = good && rex_atomic_##name##_new(&x, v) == now && x == now;                                                  \
    good = good && rex_atomic_##name(&own, v) == first && own == now;                                                  \
    note_atomic(findings, good, line);                                                                                 \
  }

// Those of which plain C says what they must give.
#define PLAIN_OPERATION(name, expression)                                                                              \
  OPERATION(name)                                                                                                      \
  template <class T, class V>                                                                                          \
  __device__ static inline void check_##name(AtomicFindings *findings, int line, T x, V v) {                           \
    expect_##name(findings, line, x, v, (T)(expression));                                                              \
  }
OPERATION(min)
OPERATION(max)
PLAIN_OPERATION(add, x + v)
PLAIN_OPERATION(sub, x - v)
PLAIN_OPERATION(mul, x *v)
PLAIN_OPERATION(div, x / v)
PLAIN_OPERATION(mod, x % v)
PLAIN_OPERATION(rsub, v - x)
PLAIN_OPERATION(rdiv, v / x)
PLAIN_OPERATION(rmod, v % x)
PLAIN_OPERATION(and, x &v)
PLAIN_OPERATION(or, x | v)
PLAIN_OPERATION(xor, x ^ v)
PLAIN_OPERATION(shl, x << v)
PLAIN_OPERATION(shr, x >> v)
PLAIN_OPERATION(rshl, v << x)
PLAIN_OPERATION(rshr, v >> x)
PLAIN_OPERATION(land, x &&v)
PLAIN_OPERATION(lor, x || v)
#define AGREES(name, ...) check_##name(findings, __LINE__, __VA_ARGS__)
#define GIVES(name, ...) expect_##name(findings, __LINE__, __VA_ARGS__)

template <class T> __device__ static inline void check_arithmetic_of(AtomicFindings *findings) {
  AGREES(add, (T)100, 300);
  AGREES(sub, (T)100, 30u);
  AGREES(mul, (T)7, 2.5f);
  AGREES(div, (T)100, 3.5);
  AGREES(rsub, (T)3, 50);
  AGREES(rdiv, (T)3, 50.5);
  AGREES(add, (T)3, (wide)5);
  GIVES(min, (T)3, 2.5, (T)2.5);
  GIVES(min, (T)3, 3.5, (T)3);
  GIVES(max, (T)3, 'a', (T)'a');
  GIVES(max, (T)3, 2ll, (T)3);
}

template <class T> __device__ static inline void check_bits_of(AtomicFindings *findings) {
  check_arithmetic_of<T>(findings);
  AGREES(mod, (T)100, 7);
  AGREES(rmod, (T)7, 100ll);
  AGREES(and, (T)0x5a, 0x33);
  AGREES(or, (T)0x5a, 0x33ull);
  AGREES(xor, (T)0x5a, -1);
  AGREES(shl, (T)5, 2);
  AGREES(shr, (T)100, (char)3);
  AGREES(rshl, (T)3, 1ll);
  AGREES(rshr, (T)3, 200);
  AGREES(land, (T)3, 0.5);
  AGREES(lor, (T)0, 3);
}

__device__ static inline void check_integers(AtomicFindings *findings) {
  check_bits_of<unsigned char>(findings);
  check_bits_of<int>(findings);
  check_bits_of<unsigned long long>(findings);
  check_bits_of<wide>(findings);
#ifndef FEW_TYPES // (nvcc takes its time)
  check_bits_of<char>(findings);
  check_bits_of<signed char>(findings);
  check_bits_of<short>(findings);
  check_bits_of<unsigned short>(findings);
  check_bits_of<unsigned>(findings);
  check_bits_of<long>(findings);
  check_bits_of<unsigned long>(findings);
  check_bits_of<long long>(findings);
#endif
  GIVES(min, -5, 3u, 3);
  GIVES(max, -5, 3u, -5);
  GIVES(min, 5u, -3, 5u);
  GIVES(max, 5u, -3, (unsigned)-3);
  GIVES(min, -5l, 3u, -5l);
  GIVES(max, (unsigned char)3, 300, (unsigned char)44);
  GIVES(max, 16777217, 5.0f, 16777217);
  GIVES(sub, -2147483647 - 1, -2147483647 - 1, 0);
  AGREES(sub, 5ull, -3);
  AGREES(add, true, 2);
  AGREES(sub, false, 1);
  AGREES(sub, true, 1);
}

__device__ static inline void check_reals(AtomicFindings *findings) {
  check_arithmetic_of<float>(findings);
  check_arithmetic_of<double>(findings);
  AGREES(add, 16777216.0f, 1.0);
  AGREES(add, 1.0f, 1e-9);
  AGREES(add, 0.1, 16777217);
  AGREES(mul, 0.1f, 3.3);
  __shared__ float f;
  f = -0.0f;
  rex_atomic_sub(&f, 0.0f);
  CHECK(1 / f < 0);
  f = 0.0f;
  CHECK(rex_atomic_min_new(&f, -0.0f) == 0 && 1 / f > 0);
  f = NAN;
  CHECK(rex_atomic_max_new(&f, 5.0f) != 5.0f && rex_atomic_min_new(&f, 5) != 5);
  f = 3;
  CHECK(rex_atomic_max_new(&f, NAN) == 3 && rex_atomic_min(&f, NAN) == 3);
}

__device__ static inline void check_swaps(AtomicFindings *findings) {
  __shared__ unsigned char bytes[3], *c;
  bytes[0] = 1, bytes[1] = 44, bytes[2] = 3, c = &bytes[1];
  CHECK(!rex_atomic_compare_swap(c, 300, 5) && *c == 44 && rex_atomic_compare_swap(c, 44, 300) && *c == 44);
  CHECK(rex_atomic_compare_exchange(c, 44.0, 7) == 44 && *c == 7 && rex_atomic_exchange(c, 9) == 7);
  CHECK(bytes[0] == 1 && bytes[1] == 9 && bytes[2] == 3 && rex_atomic_write(c, 257) == 1 && rex_atomic_read(c) == 1);
  __shared__ int i;
  int seen = 0;
  i = 10;
  CHECK(!rex_atomic_compare_swap(&i, 10.5, 5) && rex_atomic_compare_swap(&i, 10l, 5) && i == 5);
  CHECK(!rex_atomic_compare_swap(&i, 4, 6, seen) && seen == 5 && rex_atomic_compare_swap(&i, 5, 6, seen) && seen == 5);
  CHECK(rex_atomic_compare_exchange_new(&i, 6, 7) == 7 && rex_atomic_compare_exchange_new(&i, 6, 8) == 7);
  i = -1;
  CHECK(rex_atomic_compare_swap(&i, 4294967295u, 2) && i == 2 && !rex_atomic_compare_swap(&i, 4294967298ll, 3));
  __shared__ double zero;
  zero = -0.0;
  CHECK(rex_atomic_compare_swap(&zero, 0, 4.0f) && zero == 4.0);
  zero = NAN;
  CHECK(!rex_atomic_compare_swap(&zero, NAN, 4.0));
  __shared__ volatile int moody;
  moody = 4;
  CHECK(rex_atomic_add(&moody, 2) == 4 && rex_atomic_read(&moody) == 6);
  __shared__ const int *pointer;
  __shared__ int array[4];
  pointer = array;
  CHECK(rex_atomic_add_new(&pointer, 3) == array + 3 && rex_atomic_sub_new(&pointer, 1u) == array + 2);
  CHECK(rex_atomic_compare_swap(&pointer, array + 2, 0) && !pointer && rex_atomic_compare_swap(&pointer, nullptr, array));
  CHECK(pointer == array && !rex_atomic_compare_swap(&pointer, 0, array) && rex_atomic_exchange(&pointer, nullptr) == array);
  enum class Scoped : short { A, B, C };
  __shared__ Scoped scoped;
  scoped = Scoped::A;
  CHECK(rex_atomic_compare_swap(&scoped, Scoped::A, Scoped::C) && rex_atomic_exchange(&scoped, Scoped::B) == Scoped::C);
}

// 16 bytes.
__device__ static inline void check_wide(AtomicFindings *findings) {
  __shared__ wide w;
  w = (wide)1 << 100;
  CHECK(rex_atomic_add_new(&w, 5) == ((wide)1 << 100) + 5 && rex_atomic_read(&w) == ((wide)1 << 100) + 5);
  CHECK(rex_atomic_exchange(&w, -1) == ((wide)1 << 100) + 5 && w == -1 && rex_atomic_write(&w, 77) == 77 && w == 77);
  CHECK(rex_atomic_compare_swap(&w, 77, (wide)3 << 90) && w == (wide)3 << 90);
  wide own = 5;
  CHECK(rex_atomic_add(&own, 1) == 5 && rex_atomic_read(&own) == 6 && rex_atomic_write(&own, 9) == 9 && own == 9);
}

__device__ static inline AtomicFindings atomic_checks() {
  AtomicFindings found = {0, 0, 0}, *findings = &found;
  check_integers(findings);
  check_reals(findings);
  check_swaps(findings);
  check_wide(findings);
  return found;
}

#undef CHECK

// What many threads change together, and what must come of it.
struct Crowd {
  unsigned char bytes[4];
  unsigned short shorts[2];
  int sum, least, order[64], next;
  unsigned bits, wrong;
  float f;
  double d, product;
  long long most;
  wide w, swapped;
};

__device__ static inline void crowd_step(Crowd *c, int i) {
  rex_atomic_add(&c->bytes[i % 4], 1);
  rex_atomic_sub(&c->shorts[i % 2], 1);
  rex_atomic_add(&c->sum, i);
  rex_atomic_min(&c->least, -i);
  rex_atomic_max(&c->most, (long long)i << 33);
  rex_atomic_xor(&c->bits, 1u << i % 32);
  rex_atomic_add(&c->f, 1);
  rex_atomic_add(&c->d, 0.5f);
  if (i % 100 == 0) rex_atomic_mul(&c->product, 2);
  rex_atomic_add(&c->w, (wide)1 << 64 | 1);
  int mine = rex_atomic_add(&c->next, 1);
  rex_atomic_add(&c->order[mine % 64], 1);
  wide seen = rex_atomic_read(&c->swapped);
  if ((unsigned long long)(seen >> 64) != (unsigned long long)seen) rex_atomic_add(&c->wrong, 1);
  rex_atomic_write(&c->swapped, (wide)(unsigned)i << 64 | (unsigned)i);
}

#endif
