// SPDX-License-Identifier: Apache-2.0
//
// What kernels use most of CUDA's own headers, for device files that are compiled without these: nvcc reads
// cuda_runtime.h in front of every file, 36,000 lines with what they include, and a small kernel needs a hundred of
// them (rexcc.target.nvptx_headers says when). Names, types and defaults are those of the CUDA C++ Programming Guide,
// "C++ Language Extensions", and of CUDA's math API; each function is the compiler's builtin that CUDA's header gives
// the name to, so that it becomes the same instruction. What is not here does not compile, and then nvcc reads its
// own.
#ifndef REX_CUDA_WORDS_H
#define REX_CUDA_WORDS_H

#include <device_launch_parameters.h>
#include <vector_types.h>

// The C library's, which CUDA's headers bring along.
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define REX_OF_CUDA static __device__ __inline__ __attribute__((always_inline))
#define REX_BUILTIN_OF_CUDA extern "C" __device__ __attribute__((device_builtin))

// Barriers, fences, the end of a kernel.
REX_BUILTIN_OF_CUDA void __syncthreads(void);
REX_BUILTIN_OF_CUDA int __syncthreads_count(int);
REX_BUILTIN_OF_CUDA int __syncthreads_and(int);
REX_BUILTIN_OF_CUDA int __syncthreads_or(int);
REX_BUILTIN_OF_CUDA void __threadfence(void);
REX_BUILTIN_OF_CUDA void __threadfence_block(void);
REX_BUILTIN_OF_CUDA void __threadfence_system(void);
extern "C" __host__ __device__ __attribute__((device_builtin)) void __trap(void);
REX_OF_CUDA void __nanosleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds)); }

REX_BUILTIN_OF_CUDA void __nvvm_barrier_sync(unsigned);
REX_BUILTIN_OF_CUDA void __nvvm_barrier_sync_cnt(unsigned, unsigned);
REX_BUILTIN_OF_CUDA void __nvvm_bar_warp_sync(unsigned);
REX_OF_CUDA void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
REX_OF_CUDA void __barrier_sync_count(unsigned id, unsigned threads) { __nvvm_barrier_sync_cnt(id, threads); }
REX_OF_CUDA void __syncwarp(unsigned lanes = 0xffffffff) { __nvvm_bar_warp_sync(lanes); }

// Votes and exchanges within a warp. An argument of 64 bits goes in halves.
REX_BUILTIN_OF_CUDA int __nvvm_vote_all_sync(unsigned, int);
REX_BUILTIN_OF_CUDA int __nvvm_vote_any_sync(unsigned, int);
REX_BUILTIN_OF_CUDA unsigned __nvvm_vote_ballot_sync(unsigned, int);
REX_OF_CUDA int __all_sync(unsigned lanes, int holds) { return __nvvm_vote_all_sync(lanes, holds); }
REX_OF_CUDA int __any_sync(unsigned lanes, int holds) { return __nvvm_vote_any_sync(lanes, holds); }
REX_OF_CUDA unsigned __ballot_sync(unsigned lanes, int holds) { return __nvvm_vote_ballot_sync(lanes, holds); }
REX_OF_CUDA unsigned __activemask() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}

#define REX_IN_HALVES(name, number, type, registers)                                                                   \
  REX_OF_CUDA type name(unsigned lanes, type value, number lane, int width = 32) {                                     \
    unsigned low, high;                                                                                                \
    asm volatile("mov.b64 {%0,%1}, %2;" : "=r"(low), "=r"(high) : registers(value));                                   \
    high = name(lanes, high, lane, width);                                                                             \
    low = name(lanes, low, lane, width);                                                                               \
    asm volatile("mov.b64 %0, {%1,%2};" : "=" registers(value) : "r"(low), "r"(high));                                 \
    return value;                                                                                                      \
  }
// The last operand: lanes in groups of `width`, of which `stop` is the last (0x1f) or the first one (0) that gives.
#define REX_EXCHANGE(name, builtin, number, stop)                                                                      \
  REX_BUILTIN_OF_CUDA unsigned builtin(unsigned, unsigned, unsigned, unsigned);                                        \
  REX_OF_CUDA int name(unsigned lanes, int value, number lane, int width = 32) {                                       \
    return (int)builtin(lanes, (unsigned)value, (unsigned)lane, (unsigned)(32 - width) << 8 | stop);                   \
  }                                                                                                                    \
  REX_OF_CUDA unsigned name(unsigned lanes, unsigned value, number lane, int width = 32) {                             \
    return (unsigned)name(lanes, (int)value, lane, width);                                                             \
  }                                                                                                                    \
  REX_OF_CUDA float name(unsigned lanes, float value, number lane, int width = 32) {                                   \
    return __int_as_float(name(lanes, __float_as_int(value), lane, width));                                            \
  }                                                                                                                    \
  REX_IN_HALVES(name, number, long long, "l")                                                                          \
  REX_IN_HALVES(name, number, double, "d")                                                                             \
  REX_OF_CUDA unsigned long long name(unsigned lanes, unsigned long long value, number lane, int width = 32) {         \
    return (unsigned long long)name(lanes, (long long)value, lane, width);                                             \
  }                                                                                                                    \
  REX_OF_CUDA long name(unsigned lanes, long value, number lane, int width = 32) {                                     \
    return (long)name(lanes, (long long)value, lane, width);                                                           \
  }                                                                                                                    \
  REX_OF_CUDA unsigned long name(unsigned lanes, unsigned long value, number lane, int width = 32) {                   \
    return (unsigned long)name(lanes, (long long)value, lane, width);                                                  \
  }
REX_BUILTIN_OF_CUDA int __float_as_int(float);
REX_BUILTIN_OF_CUDA float __int_as_float(int);
REX_BUILTIN_OF_CUDA unsigned __float_as_uint(float);
REX_BUILTIN_OF_CUDA float __uint_as_float(unsigned);
REX_BUILTIN_OF_CUDA long long __double_as_longlong(double);
REX_BUILTIN_OF_CUDA double __longlong_as_double(long long);
REX_EXCHANGE(__shfl_sync, __nvvm_shfl_idx_sync, int, 0x1f)
REX_EXCHANGE(__shfl_up_sync, __nvvm_shfl_up_sync, unsigned, 0)
REX_EXCHANGE(__shfl_down_sync, __nvvm_shfl_down_sync, unsigned, 0x1f)
REX_EXCHANGE(__shfl_xor_sync, __nvvm_shfl_bfly_sync, int, 0x1f)
#undef REX_EXCHANGE
#undef REX_IN_HALVES

// Atomic operations.
#define REX_ATOMIC(name, builtin, type)                                                                                \
  REX_BUILTIN_OF_CUDA type builtin(type *, type);                                                                      \
  REX_OF_CUDA type name(type *at, type value) { return builtin(at, value); }
#define REX_ATOMICS(name, plain, wide_signed)                                                                          \
  REX_ATOMIC(atomic##name, __iAtomic##name, int)                                                                       \
  REX_ATOMIC(atomic##name, __uAtomic##name, unsigned)                                                                  \
  REX_ATOMIC(atomic##name, __ullAtomic##name, unsigned long long)                                                      \
  REX_ATOMIC(atomic##name, wide_signed##Atomic##name, long long)
REX_ATOMICS(Min, , __ill)
REX_ATOMICS(Max, , __ill)
REX_ATOMICS(And, , __ll)
REX_ATOMICS(Or, , __ll)
REX_ATOMICS(Xor, , __ll)
REX_ATOMIC(atomicAdd, __iAtomicAdd, int)
REX_ATOMIC(atomicAdd, __uAtomicAdd, unsigned)
REX_ATOMIC(atomicAdd, __ullAtomicAdd, unsigned long long)
REX_ATOMIC(atomicAdd, __fAtomicAdd, float)
REX_ATOMIC(atomicAdd, __dAtomicAdd, double)
REX_ATOMIC(atomicExch, __iAtomicExch, int)
REX_ATOMIC(atomicExch, __uAtomicExch, unsigned)
REX_ATOMIC(atomicExch, __ullAtomicExch, unsigned long long)
REX_ATOMIC(atomicExch, __fAtomicExch, float)
REX_ATOMIC(atomicInc, __uAtomicInc, unsigned)
REX_ATOMIC(atomicDec, __uAtomicDec, unsigned)
#undef REX_ATOMICS
#undef REX_ATOMIC
#define REX_COMPARED(builtin, type)                                                                                    \
  REX_BUILTIN_OF_CUDA type builtin(type *, type, type);                                                                \
  REX_OF_CUDA type atomicCAS(type *at, type expected, type value) { return builtin(at, expected, value); }
REX_COMPARED(__usAtomicCAS, unsigned short)
REX_COMPARED(__iAtomicCAS, int)
REX_COMPARED(__uAtomicCAS, unsigned)
REX_COMPARED(__ullAtomicCAS, unsigned long long)
#undef REX_COMPARED

// Arithmetic, bits, addresses.
REX_BUILTIN_OF_CUDA int __ffs(int);
REX_BUILTIN_OF_CUDA int __ffsll(long long);
REX_BUILTIN_OF_CUDA int __clz(int);
REX_BUILTIN_OF_CUDA int __clzll(long long);
REX_BUILTIN_OF_CUDA int __popc(unsigned);
REX_BUILTIN_OF_CUDA int __popcll(unsigned long long);
REX_BUILTIN_OF_CUDA unsigned __brev(unsigned);
REX_BUILTIN_OF_CUDA unsigned long long __brevll(unsigned long long);
REX_BUILTIN_OF_CUDA int __mulhi(int, int);
REX_BUILTIN_OF_CUDA unsigned __umulhi(unsigned, unsigned);
REX_BUILTIN_OF_CUDA unsigned long long __umul64hi(unsigned long long, unsigned long long);
REX_BUILTIN_OF_CUDA float __fmaf_rn(float, float, float);
REX_BUILTIN_OF_CUDA float __fmul_rn(float, float);
REX_BUILTIN_OF_CUDA float __fadd_rn(float, float);
REX_BUILTIN_OF_CUDA float __fdiv_rn(float, float);
REX_BUILTIN_OF_CUDA float __frcp_rn(float);
REX_BUILTIN_OF_CUDA double __dmul_rn(double, double);
REX_BUILTIN_OF_CUDA double __dadd_rn(double, double);
REX_BUILTIN_OF_CUDA double __fma_rn(double, double, double);
REX_BUILTIN_OF_CUDA float __sinf(float);
REX_BUILTIN_OF_CUDA float __cosf(float);
extern "C" __device__ unsigned __nv_isShared_impl(const void *);
extern "C" __device__ unsigned __nv_isLocal_impl(const void *);
extern "C" __device__ __SIZE_TYPE__ __nv_cvta_generic_to_shared_impl(const void *);
REX_OF_CUDA unsigned __isShared(const void *at) { return __nv_isShared_impl(at); }
REX_OF_CUDA unsigned __isLocal(const void *at) { return __nv_isLocal_impl(at); }
REX_OF_CUDA __SIZE_TYPE__ __cvta_generic_to_shared(const void *at) { return __nv_cvta_generic_to_shared_impl(at); }

REX_OF_CUDA uint2 make_uint2(unsigned x, unsigned y) { return uint2{x, y}; }
REX_OF_CUDA uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return uint4{x, y, z, w}; }

#endif
