// SPDX-License-Identifier: Apache-2.0
//
// An object in memory that a loop changes, in a thread's registers meanwhile (lowering/loops/kept_objects.py):
//
//   auto own = rex_keep<double>(y[i]);   an object of numbers of one type, and of nothing else
//   for (int s = 0; s < n; s++) step(own.object);
//   own.put_back(y[i]);
//
// Only numbers that have changed are stored, which their bits say: other threads may change the others meanwhile.
#ifndef REX_DEVICE_KEPT_H
#define REX_DEVICE_KEPT_H

#include "rex_device_core.h"
#include "rex_device_fours.h"

namespace rex_detail {

template <int bytes> struct bits_of;
template <> struct bits_of<1> { typedef unsigned char type; };
template <> struct bits_of<2> { typedef unsigned short type; };
template <> struct bits_of<4> { typedef unsigned type; };
template <> struct bits_of<8> { typedef unsigned long long type; };

} // namespace rex_detail

template <class Number, class Object> struct rex_kept {
  static constexpr int count = sizeof(Object) / sizeof(Number);
  static_assert(sizeof(Object) % sizeof(Number) == 0 && count > 0, "an object of numbers");
  typedef typename rex_detail::bits_of<sizeof(Number)>::type Bits;
  Object object;
  Number before[count];

  static __device__ Bits bits(Number number) {
    Bits found;
    __builtin_memcpy(&found, &number, sizeof found);
    return found;
  }
  __device__ explicit rex_kept(const Object &memory) {
    const Number *from = reinterpret_cast<const Number *>(__builtin_addressof(memory));
    Number *to = reinterpret_cast<Number *>(__builtin_addressof(object));
    REX_UNROLLED
    for (int k = 0; k < count; k++) to[k] = before[k] = from[k];
  }
  __device__ void put_back(Object &memory) const {
    Number *to = reinterpret_cast<Number *>(__builtin_addressof(memory));
    const Number *from = reinterpret_cast<const Number *>(__builtin_addressof(object));
    REX_UNROLLED
    for (int k = 0; k < count; k++) {
      if (bits(from[k]) != bits(before[k])) to[k] = from[k];
    }
  }
};

template <class Number, class Object> REX_DEVICE rex_kept<Number, Object> rex_keep(const Object &memory) {
  return rex_kept<Number, Object>(memory);
}

#endif
