// SPDX-License-Identifier: Apache-2.0
//
// Copies to memory that is not read soon: stores that go past the caches do not fetch what they are about to overwrite.
#ifndef REX_PAST_CACHES_H
#define REX_PAST_CACHES_H

#include "rex_internal.h"

#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace __rex REX_HIDDEN {

#ifdef __SSE2__
inline void copy_past_caches(char *to, const char *from, size_t size) {
  constexpr size_t line = 64;
  size_t head = (line - reinterpret_cast<uintptr_t>(to) % line) % line;
  if (head > size) head = size;
  memcpy(to, from, head);
  size_t at = head;
  for (; at + line <= size; at += line) {
    auto *source = reinterpret_cast<const __m128i *>(from + at);
    auto *target = reinterpret_cast<__m128i *>(to + at);
    __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
    __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a), _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c), _mm_stream_si128(target + 3, d);
  }
  _mm_sfence(); // before another thread is told
  memcpy(to + at, from + at, size - at);
}
#else
inline void copy_past_caches(char *to, const char *from, size_t size) { memcpy(to, from, size); }
#endif

} // namespace __rex

#endif
