// SPDX-License-Identifier: Apache-2.0
//
// Elements of a reduced array that the threads of a block add to together (lowering/atomics/team_elements.py).
//
//   __shared__ T room[copies * (count | 1)];
//   T *own = rex_open_elements(copies, room, count, identity);   all threads of the block
//   rex_element_<op>(&own[e], v)                                 own[e] = own[e] op v; <op>: add sub and or xor
//   rex_reduce_block(rex_into_team_<op>(result, room, count, copies))   all threads of the block
//
// Where the number of elements is the run's, rex_element_copies says how many copies have room; without room for one the
// block's elements are in memory that the launch brings along (rex_block_elements in rex_kmp.h).
//
// Threads whose numbers are alike modulo `copies` have a copy together, so that few lanes of a warp meet in an element.
// Copies are an odd number of elements apart, so that they lie in different banks. Where lanes do not exchange values, on
// the CPU device, threads of a block execute such a kernel one after another: each opens the first copy and joins it.
#ifndef REX_DEVICE_ELEMENTS_H
#define REX_DEVICE_ELEMENTS_H

#include "rex_device_into.h"

namespace rex_detail {

// The type that an enumerator counts as: C's are integers, in C++ they have their enumeration's type.
template <class V, bool = std::is_enum<V>::value> struct number_of { using type = V; };
template <class V> struct number_of<V, true> { using type = typename std::underlying_type<V>::type; };

#ifdef REX_HAS_WARPS
REX_DEVICE int copies_used(int copies) { return copies < threads_in_block() ? copies : threads_in_block(); }
#endif

} // namespace rex_detail

// Copies of so many elements that have room in some bytes of shared memory, 0 where one has none.
template <class T> REX_DEVICE int rex_element_copies(unsigned long long bytes, unsigned long long count) {
  if (count > bytes / sizeof(T)) return 0;
  int copies = 1;
#ifdef REX_HAS_WARPS
  while (copies < 32 && 2 * copies * (count | 1) * sizeof(T) <= bytes) copies *= 2;
#endif
  return copies;
}

template <class T> REX_DEVICE T *rex_open_elements(int copies, T *room, long long count, rex_detail::same<T> identity) {
#ifdef REX_HAS_WARPS
  const int used = rex_detail::copies_used(copies);
  const long long apart = count | 1, all = used > 1 ? used * apart : count;
  for (long long e = rex_detail::thread_in_block(); e < all; e += rex_detail::threads_in_block()) room[e] = identity;
  __syncthreads();
  return copies > 1 ? room + rex_detail::thread_in_block() % copies * apart : room;
#else
  (void)copies;
  for (long long e = 0; e < count; e++) room[e] = identity;
  return room;
#endif
}

#ifdef REX_HAS_WARPS
#define REX_ELEMENT_CHANGE(name, next) rex_detail::hardware_##name(x, (Number)v)
#else
#define REX_ELEMENT_CHANGE(name, next) *x = (T)(next)
#endif

#define REX_ELEMENT(name, next)                                                                                        \
  template <class T, class V> REX_DEVICE void rex_element_##name(T *x, V v) {                                          \
    using Number = typename rex_detail::number_of<V>::type;                                                            \
    static_assert(rex_detail::adds_natively<T, Number>, "what the hardware adds as C does");                           \
    REX_ELEMENT_CHANGE(name, next);                                                                                    \
  }
REX_ELEMENT(add, *x + v)
REX_ELEMENT(sub, *x - v)
REX_ELEMENT(and, *x &v)
REX_ELEMENT(or, *x | v)
REX_ELEMENT(xor, *x ^ v)
#undef REX_ELEMENT
#undef REX_ELEMENT_CHANGE

namespace rex_detail {

// The row of a team, in `copies` copies.
template <class T, class Combine> struct into_team_row {
  using type = T;
  static constexpr bool is_row = true;
  T *result, *values;
  long long count;
  Combine combine;
  int copies;
};

#ifdef REX_HAS_WARPS

// Calls store(e, value) in some thread for each element, with all copies combined.
template <class T, class Combine, class Team, class Store>
REX_DEVICE void reduce_row(into_team_row<T, Combine> &row, Team team, Store store) {
  const long long apart = row.count | 1;
  const int copies = copies_used(row.copies);
  team.meet(); // all have added what they add
  for (long long e = thread_in_block(); e < row.count; e += team.threads()) {
    T value = REX_COPIED(T, row.values[e]);
#pragma unroll 8
    for (int copy = 1; copy < copies; copy++) row.combine(value, row.values[copy * apart + e]);
    store(e, value);
  }
}

// What changes nothing needs no atomic operation: of integers 0 is added, and all bits are kept, without a trace.
template <class T, class Combine> struct join_element<into_team_row<T, Combine>> {
  into_team_row<T, Combine> &row;
  __device__ void operator()(long long e, T &value) const {
    if (std::is_integral<T>::value && value == row.combine.template none<T>()) return;
    join_result(row.result + e, value, row.combine);
  }
};

#endif

template <class T, class Combine> REX_DEVICE into_team_row<T, Combine> own_copy(into_team_row<T, Combine> &of) {
  return of;
}

} // namespace rex_detail

#define REX_INTO_TEAM(name)                                                                                            \
  template <class T>                                                                                                   \
  REX_DEVICE rex_detail::into_team_row<T, rex_detail::name##_operator> rex_into_team_##name(                           \
      T *result, rex_detail::same<T> *values, long long count, int copies) {                                           \
    return {result, values, count, {}, copies};                                                                        \
  }
REX_INTO_TEAM(add)
REX_INTO_TEAM(and)
REX_INTO_TEAM(or)
REX_INTO_TEAM(xor)
#undef REX_INTO_TEAM

#endif
