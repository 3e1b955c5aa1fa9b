// SPDX-License-Identifier: Apache-2.0
//
// Inner loops in which each thread goes along a row of its own, and that load neighbouring elements of it together
// (lowering/loops/rows.py). Included by rex_nvidia.h, for nvcc and for the CPU device alike.
//
//   rex_along_row<int, 16>(first, bound, own, f)        for (int j = first; j < bound; j++): f(j, turn) for the iterations
//                                                       j, j + 1, … of a turn, of which there are turn.count; own(j) is the
//                                                       address of the row's element of an iteration
//   rex_along_row_through<int, 16>(first, last, own, f) for (int j = first; j <= last; j++)
//   rex_along_row<…>(first, bound, own, beside, f)      the same; beside(j) is whether the elements of other rows are aligned
//                                                       where that of the own row is
//   rex_load_row(turn, local, &a[j])                    the elements of a turn, of the own row
//   rex_load_beside(turn, local, &b[j])                 those of another row, together where they are aligned
//   rex_are_aligned_rows(&b[j], …)                      whether these are multiples of 16 bytes
//
//   rex_loaded_row(turn, local[k], …)                   these are there from here on (rex_loaded), but in turns of one
//
// Iterations come one by one until the row's element has an address that is a multiple of 16 bytes; then turns have as many
// as the call says while there are so many, then eight, then four; those that are left come one by one. So nothing is loaded
// that no iteration loads.
#ifndef REX_DEVICE_ROWS_H
#define REX_DEVICE_ROWS_H

#include "rex_device_turns.h"

namespace rex_detail {

template <int number, bool together> struct row_turn {
  static constexpr int count = number;
};

typedef piece_of<16>::type row_piece; // four elements are one, or two

template <class Index, int number, bool through, bool together, class Bound, class F>
REX_DEVICE void along_aligned_row(Index &i, Bound bound, F f) {
  REX_ROLLED
  for (; has_iterations<number, 1, through>(i, bound); i += number) f(i, row_turn<number, together>{});
}

// Whether turns are worth their tests: of few iterations only where they begin with the row's first element, in all of its
// threads, and none is left in the end.
template <bool through, class Index, class Bound, class Own> REX_DEVICE bool is_long_row(Index i, Bound bound, Own own) {
  typedef typename std::make_unsigned<decltype(i + bound)>::type distance;
  if (!has_iterations<8, 1, through>(i, bound)) return false;
  if (has_iterations<32, 1, through>(i, bound)) return true;
  const distance count = (distance)bound - (distance)i + through;
  const auto *first = own(i);
  return (unsigned long long)first % 16 == 0 && count % (16 / sizeof *first) == 0;
}

// The user's loop, which the compiler may unroll as it does that.
template <class Index, bool through, class Bound, class F>
REX_DEVICE void along_short_row(Index i, Bound bound, F f) {
  for (; has_iteration<1, through>(i, bound); i++) f(i, row_turn<1, false>{});
}

template <class Index, int number, bool through, class Bound, class Own, class Beside, class F>
REX_DEVICE void along_long_row(Index i, Bound bound, Own own, Beside beside, F f) {
  const auto *first = own(i);
  const Index from = i + (int)((0ull - (unsigned long long)first) % 16 / sizeof *first); // fewer than four further
  REX_ROLLED
  for (; i < from; i++) f(i, row_turn<1, false>{});
  if (beside(i)) {
    if (number > 8) along_aligned_row<Index, number, through, true>(i, bound, f);
    if (number > 4) along_aligned_row<Index, 8, through, true>(i, bound, f);
    along_aligned_row<Index, 4, through, true>(i, bound, f);
  } else {
    along_aligned_row<Index, 4, through, false>(i, bound, f);
  }
  along_aligned_row<Index, 1, through, false>(i, bound, f);
}

template <class Index, int number, bool through, class Bound, class Own, class Beside, class F>
REX_DEVICE void along_row(Index i, Bound bound, Own own, Beside beside, F f) {
  if (is_long_row<through>(i, bound, own))
    along_long_row<Index, number, through>(i, bound, own, beside, f);
  else
    along_short_row<Index, through>(i, bound, f);
}

struct none_beside {
  template <class Index> __device__ constexpr bool operator()(Index) const { return true; }
};

} // namespace rex_detail

template <class Index, int number, class Bound, class Own, class Beside, class F>
REX_DEVICE void rex_along_row(Index first, Bound bound, Own own, Beside beside, F f) {
  rex_detail::along_row<Index, number, false>(first, bound, own, beside, f);
}
template <class Index, int number, class Bound, class Own, class F>
REX_DEVICE void rex_along_row(Index first, Bound bound, Own own, F f) {
  rex_detail::along_row<Index, number, false>(first, bound, own, rex_detail::none_beside{}, f);
}
template <class Index, int number, class Bound, class Own, class Beside, class F>
REX_DEVICE void rex_along_row_through(Index first, Bound last, Own own, Beside beside, F f) {
  rex_detail::along_row<Index, number, true>(first, last, own, beside, f);
}
template <class Index, int number, class Bound, class Own, class F>
REX_DEVICE void rex_along_row_through(Index first, Bound last, Own own, F f) {
  rex_detail::along_row<Index, number, true>(first, last, own, rex_detail::none_beside{}, f);
}

template <bool together, int count, class T>
REX_DEVICE void rex_load_row(rex_detail::row_turn<count, together>, T (&to)[count], const T *from) {
  REX_UNROLLED
  for (unsigned at = 0; at < sizeof to; at += sizeof(rex_detail::row_piece)) {
    const auto loaded = *(const rex_detail::row_piece *)((const char *)from + at);
    __builtin_memcpy((char *)to + at, &loaded, sizeof loaded);
  }
}
template <bool together, class T>
REX_DEVICE void rex_load_row(rex_detail::row_turn<1, together>, T (&to)[1], const T *from) {
  to[0] = *from;
}

// One iteration waits for nothing but what it needs.
template <int count, bool together, class... T>
REX_DEVICE void rex_loaded_row(rex_detail::row_turn<count, together>, T... values) {
  if (count > 1) rex_loaded(values...);
}

template <int count, class T>
REX_DEVICE void rex_load_beside(rex_detail::row_turn<count, true> turn, T (&to)[count], const T *from) {
  rex_load_row(turn, to, from);
}
template <int count, class T>
REX_DEVICE void rex_load_beside(rex_detail::row_turn<count, false>, T (&to)[count], const T *from) {
  REX_UNROLLED
  for (int k = 0; k < count; k++) to[k] = from[k];
}

template <class... T> REX_DEVICE bool rex_are_aligned_rows(const T *...elements) {
  return (((unsigned long long)elements % 16 == 0) && ...);
}

#endif
