// SPDX-License-Identifier: Apache-2.0
//
// The static scheduler that a kernel uses when its loop cannot become a grid-stride loop. Each thread walks over its
// own chunks:
//
//   XOMP_static_sched_init(lower, upper, step, 1, threads, thread, &chunk, &index, &stride);
//   while (XOMP_static_sched_next(&index, upper, step, stride, chunk, threads, thread, &lo, &hi))
//     for (i = lo; i <= hi; i += step) ...          // i >= hi when step < 0
//
// Bounds are inclusive, step is signed and not 0, all arithmetic is 64 bits wide. Included by generated code,
// behind its target's header.
#ifndef XOMP_CUDA_LIB_INLINED_CU
#define XOMP_CUDA_LIB_INLINED_CU

// Threads of the whole launch, and this one's number among them. Launches have one dimension; the interface names it.
__device__ static inline long long getCUDABlockThreadCount(int) { return (long long)gridDim.x * blockDim.x; }
__device__ static inline long long getLoopIndexFromCUDAVariables(int) {
  return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

namespace rex_detail {

// Index arithmetic that stops at the ends of the range instead of wrapping around: a sum there is past every bound.
__device__ static inline long long add_saturated(long long a, long long b) {
  if (b > 0) return a > INT64_MAX - b ? INT64_MAX : a + b;
  return a < INT64_MIN - b ? INT64_MIN : a + b;
}
// step * count, count >= 0
__device__ static inline long long span(long long step, long long count) {
  if (count == 0) return 0;
  if (step > 0) return step > INT64_MAX / count ? INT64_MAX : step * count;
  return step < -INT64_MAX / count ? -INT64_MAX : step * count;
}

} // namespace rex_detail

// From iterations to index values: a chunk of `chunk_size` iterations spans *loop_chunk_size, this thread starts at
// *sched_index and its next chunk lies *sched_stride further.
__device__ static inline void XOMP_static_sched_init(long long lower, long long, long long step, long long chunk_size,
                                                     long long thread_count, long long thread,
                                                     long long *loop_chunk_size, long long *sched_index,
                                                     long long *sched_stride) {
  *loop_chunk_size = rex_detail::span(step, chunk_size > 0 ? chunk_size : 1);
  *sched_index = rex_detail::add_saturated(lower, rex_detail::span(*loop_chunk_size, thread));
  *sched_stride = rex_detail::span(*loop_chunk_size, thread_count);
}

// The bounds of this thread's next chunk; false when there is none left.
__device__ static inline bool XOMP_static_sched_next(long long *sched_index, long long upper, long long step,
                                                     long long sched_stride, long long loop_chunk_size, long long,
                                                     long long, long long *chunk_lower, long long *chunk_upper) {
  long long first = *sched_index, last = rex_detail::add_saturated(first, loop_chunk_size - step);
  if (step > 0 ? first > upper : first < upper) return false;
  *chunk_lower = first;
  *chunk_upper = (step > 0 ? last > upper : last < upper) ? upper : last;
  *sched_index = rex_detail::add_saturated(first, sched_stride);
  return true;
}

#endif
