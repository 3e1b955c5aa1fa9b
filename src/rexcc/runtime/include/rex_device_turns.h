// SPDX-License-Identifier: Apache-2.0
//
// Inner loops of one thread that load what several iterations need before they execute the first of these
// (lowering/loops/turns.py). Included by rex_nvidia.h, for nvcc and for the CPU device alike.
//
//   rex_in_turns<int, 8, 1>(first, bound, f)           for (int i = first; i < bound; i += 1): f(i, turn) for the
//                                                      iterations i, i + 1, … of a turn, of which there are turn.count
//   rex_in_turns_through<int, 8, -1>(first, last, f)   for (int i = first; i >= last; i += -1)
//   rex_in_turns<…>(is_apart, first, bound, f)         the same; where there is a whole turn, is_apart() is asked whether
//                                                      what the loop loads lies apart from what it stores; if not, each
//                                                      turn has one iteration
//   rex_ahead(turn, value, element)                    the value that has been loaded ahead, or in a turn of one iteration
//                                                      the element itself, which the iteration may have stored since
//
//   rex_is_walk(from, to)                              whether elements that lie as far apart as these two have no byte in
//                                                      common (lowering/loops/walks.py)
//
// A turn has as many iterations as the call says. Of those that are left in the end eight have a turn where the call says
// more, and the others have turns of their own, so that nothing is loaded that no iteration loads.
#ifndef REX_DEVICE_TURNS_H
#define REX_DEVICE_TURNS_H

#include "rex_device_fours.h"

namespace rex_detail {

template <int number> struct iterations_turn {
  static constexpr int count = number;
};

template <int step, bool through, class Index, class Bound> REX_DEVICE bool has_iteration(Index i, Bound bound) {
  if (step > 0) return through ? i <= bound : i < bound;
  return through ? i >= bound : i > bound;
}

// The distance is that of the values that the test compares; it fits into their unsigned type, for there is an iteration.
template <int number, int step, bool through, class Index, class Bound>
REX_DEVICE bool has_iterations(Index i, Bound bound) {
  typedef typename std::make_unsigned<decltype(i + bound)>::type distance;
  constexpr unsigned least = (unsigned)(number - 1) * (unsigned)(step > 0 ? step : -step);
  if (!has_iteration<step, through>(i, bound)) return false;
  distance left = step > 0 ? (distance)bound - (distance)i : (distance)i - (distance)bound;
  return through ? left >= least : left > least;
}

template <class Index, int number, int step, bool through, class Apart, class Bound, class F>
REX_DEVICE void each_in_turns(Apart is_apart, Index i, Bound bound, F f) {
  constexpr int least = number > 8 ? 8 : number;
  if (has_iterations<least, step, through>(i, bound) && is_apart()) {
    REX_ROLLED
    for (; has_iterations<number, step, through>(i, bound); i += number * step) f(i, iterations_turn<number>{});
    if (least < number) {
      REX_ROLLED
      for (; has_iterations<least, step, through>(i, bound); i += least * step) f(i, iterations_turn<least>{});
    }
  }
  REX_ROLLED
  for (; has_iteration<step, through>(i, bound); i += step) f(i, iterations_turn<1>{});
}

struct always {
  __device__ bool operator()() const { return true; }
};

} // namespace rex_detail

template <class Index, int number, int step, class Apart, class Bound, class F>
REX_DEVICE void rex_in_turns(Apart is_apart, Index first, Bound bound, F f) {
  rex_detail::each_in_turns<Index, number, step, false>(is_apart, first, bound, f);
}
template <class Index, int number, int step, class Bound, class F>
REX_DEVICE void rex_in_turns(Index first, Bound bound, F f) {
  rex_detail::each_in_turns<Index, number, step, false>(rex_detail::always{}, first, bound, f);
}
template <class Index, int number, int step, class Apart, class Bound, class F>
REX_DEVICE void rex_in_turns_through(Apart is_apart, Index first, Bound last, F f) {
  rex_detail::each_in_turns<Index, number, step, true>(is_apart, first, last, f);
}
template <class Index, int number, int step, class Bound, class F>
REX_DEVICE void rex_in_turns_through(Index first, Bound last, F f) {
  rex_detail::each_in_turns<Index, number, step, true>(rex_detail::always{}, first, last, f);
}

// Distances of a terabyte and more are left out, so that no sum of them can wrap around.
template <class T> REX_DEVICE bool rex_is_walk(const T *from, const T *to) {
  const long long distance = (const char *)to - (const char *)from, size = sizeof(T), most = 1ll << 40;
  return (size <= distance && distance < most) || (size <= -distance && -distance < most);
}

template <int number, class T>
REX_DEVICE T rex_ahead(rex_detail::iterations_turn<number>, const T &value, const T &element) {
  return number > 1 ? value : element;
}

#endif
