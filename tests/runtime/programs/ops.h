// SPDX-License-Identifier: Apache-2.0
// What rose_ops.cpp, rex_lib_ops.cu and rex_host_ops.cpp agree on.
#ifndef OPS_H
#define OPS_H

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
typedef bool truth;

#define SOME_TYPES(X, op) X(op, i8) X(op, u32) X(op, i64) X(op, f32) X(op, f64)
#define REDUCTIONS(X)                                                                                                  \
  SOME_TYPES(X, add) X(add, u8) X(add, i16) X(add, u64) X(mul, f32) X(mul, i32) X(mul, u64)                            \
  X(and, u8) X(and, i32) X(or, u8) X(or, u64) X(xor, i32) X(xor, u64)                                                  \
  X(land, truth) X(land, i32) X(land, f64) X(lor, truth) X(lor, i32) SOME_TYPES(X, min) SOME_TYPES(X, max)

#define ATOMIC_TYPES(X) X(i8) X(u8) X(i16) X(u16) X(i32) X(u32) X(i64) X(u64) X(f32) X(f64)

// Cells that the atomic kernel works on, one for each operator.
enum { ADD, SUB, MIN, MAX, MIXED, EXCHANGED, TICKET, CELLS };

struct triple {
  double sum;
  int least, count;
};

#endif
