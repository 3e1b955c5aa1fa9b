// SPDX-License-Identifier: Apache-2.0
//
// Arrays whose inner extents are known at run time only. The user's `double (*a)[m][k]` becomes
//
//   rex_vla<double, 3> a(pointer, m, k);
//
// and a[i][j][l], a[i], *a, a + i keep their meaning: fewer subscripts give the view with fewer dimensions, and a row
// (one dimension left) is a plain pointer. It can be passed as a pointer to rows of constant length, or as `void *`, and
// be cast to any pointer. `sizeof a[i]` becomes a.bytes_below(1).
//
// A parameter `double (*a)[m]` of a function becomes `rex_rows<double> __rex_a`, which any array of doubles converts to,
// and a view of that name.
#ifndef REX_DEVICE_VLA_H
#define REX_DEVICE_VLA_H

#include "rex_device_core.h"

template <class T, int N> class rex_vla;

namespace rex_detail {
// What one subscript leaves of N dimensions.
template <class T, int N> struct vla_row { using type = rex_vla<T, N - 1>; };
template <class T> struct vla_row<T, 2> { using type = T *; };
} // namespace rex_detail

// The elements of an array, whatever its rows are; nobody checks that, as nobody does in C.
template <class T> struct rex_rows {
  template <class Row> __device__ rex_rows(Row *first) : data((T *)first) {}
  template <class Other, int N> __device__ rex_rows(const rex_vla<Other, N> &array) : data((T *)array.data) {}
  __device__ rex_rows(decltype(nullptr)) : data(nullptr) {}

  T *data;
};

template <class T, int N> class rex_vla {
  static_assert(N >= 2, "an array of one dimension is a pointer: rex_vla<T, 1>");

public:
  using row = typename rex_detail::vla_row<T, N>::type;

  // The extents of all dimensions but the first.
  template <class... Extent> __device__ rex_vla(T *first, Extent... inner) : data(first), extent{(long long)inner...} {
    static_assert(sizeof...(inner) == N - 1, "one extent for each dimension but the first");
  }
  __device__ rex_vla(T *first, const long long *inner) : data(first) {
    for (int i = 0; i < N - 1; i++) extent[i] = inner[i];
  }
  template <class... Extent>
  __device__ rex_vla(rex_rows<T> first, Extent... inner) : rex_vla(first.data, (long long)inner...) {}
  // A view of const elements can be made from one of others.
  template <class Other> __device__ rex_vla(const rex_vla<Other, N> &other) : rex_vla(other.data, other.extent) {}

  __device__ row operator[](long long i) const { return row_at(data + i * elements_per_row()); }
  __device__ row operator*() const { return (*this)[0]; }
  __device__ rex_vla operator+(long long i) const { return rex_vla(data + i * elements_per_row(), extent); }
  __device__ rex_vla operator-(long long i) const { return *this + -i; }
  __device__ friend rex_vla operator+(long long i, const rex_vla &array) { return array + i; }

  // Its type is the same after an assignment, and with it its extents.
  rex_vla(const rex_vla &) = default;
  __device__ rex_vla &operator=(const rex_vla &other) { return *this = rex_rows<T>(other); }
  __device__ rex_vla &operator=(rex_rows<T> first) {
    data = first.data;
    return *this;
  }
  __device__ rex_vla &operator+=(long long i) { return *this = *this + i; }
  __device__ rex_vla &operator-=(long long i) { return *this = *this - i; }
  __device__ rex_vla &operator++() { return *this += 1; }
  __device__ rex_vla &operator--() { return *this -= 1; }
  __device__ rex_vla operator++(int) {
    rex_vla before = *this;
    ++*this;
    return before;
  }
  __device__ rex_vla operator--(int) {
    rex_vla before = *this;
    --*this;
    return before;
  }
  __device__ friend long long operator-(const rex_vla &a, rex_rows<T> b) {
    return (a.data - b.data) / a.elements_per_row();
  }
  // Each operand that C allows has a function of its own, since the conversion to void * would be as good for the first.
  __device__ friend bool operator==(const rex_vla &a, rex_rows<T> b) { return a.data == b.data; }
  __device__ friend bool operator!=(const rex_vla &a, rex_rows<T> b) { return a.data != b.data; }
  template <class Row> __device__ friend bool operator==(const rex_vla &a, Row *b) { return a == rex_rows<T>(b); }
  template <class Row> __device__ friend bool operator!=(const rex_vla &a, Row *b) { return a != rex_rows<T>(b); }
  __device__ friend bool operator==(const rex_vla &a, decltype(nullptr)) { return a.data == nullptr; }
  __device__ friend bool operator!=(const rex_vla &a, decltype(nullptr)) { return a.data != nullptr; }
  __device__ friend bool operator<(const rex_vla &a, rex_rows<T> b) { return a.data < b.data; }

  // The size of what so many subscripts leave, at least one.
  __device__ size_t bytes_below(int subscripts) const {
    size_t bytes = sizeof(T);
    for (int i = subscripts - 1; i < N - 1; i++) bytes *= (size_t)extent[i];
    return bytes;
  }

  // As in C, nobody checks that the rows of the parameter are as long as those of the array.
  template <class Row, class = typename std::enable_if<std::is_array<Row>::value>::type>
  __device__ operator Row *() const {
    return (Row *)data;
  }
  __device__ operator void *() const { return (void *)data; }
  template <class Other> __device__ explicit operator Other *() const { return (Other *)data; }

  T *data;
  long long extent[N - 1];

private:
  __device__ long long elements_per_row() const {
    long long elements = 1;
    for (int i = 0; i < N - 1; i++) elements *= extent[i];
    return elements;
  }
  __device__ row row_at(T *first) const {
    if constexpr (N == 2) return first;
    else return row(first, extent + 1);
  }
};

// One dimension: a pointer under another name.
template <class T> class rex_vla<T, 1> {
public:
  __device__ rex_vla(T *first) : data(first) {}
  __device__ operator T *() const { return data; }

  T *data;
};
template <class T> using rex_vla1 = rex_vla<T, 1>;

#endif
