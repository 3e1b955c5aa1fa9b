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
// Iterations come one by one until the row's element has an address that is a multiple of 16 bytes; then turns have as many
// as the call says while there are so many, then four; those that are left come one by one. So nothing is loaded that no
// iteration loads.
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

template <class Index, int number, bool through, class Bound, class Own, class Beside, class F>
REX_DEVICE void along_row(Index i, Bound bound, Own own, Beside beside, F f) {
  if (has_iterations<8, 1, through>(i, bound)) {
    const auto *first = own(i);
    const Index from = i + (int)((0ull - (unsigned long long)first) % 16 / sizeof *first); // fewer than four further
    REX_ROLLED
    for (; i < from; i++) f(i, row_turn<1, false>{});
    if (beside(i)) {
      if (number > 4) along_aligned_row<Index, number, through, true>(i, bound, f);
      along_aligned_row<Index, 4, through, true>(i, bound, f);
    }
    along_aligned_row<Index, 4, through, false>(i, bound, f);
  }
  along_aligned_row<Index, 1, through, false>(i, bound, f);
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
