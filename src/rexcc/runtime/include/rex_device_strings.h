// SPDX-License-Identifier: Apache-2.0
//
// Functions of <string.h> and <stdlib.h> that CUDA does not have, as device code has them: byte by byte. nvcc's device
// code calls them where the host's are declared. Those of <ctype.h>, which look into tables of the host's locale, are
// not there: rexcc refuses regions that call them. Included by rex_nvidia.h, for nvcc alone; the functions are C++17 of
// any compiler.
#ifndef REX_DEVICE_STRINGS_H
#define REX_DEVICE_STRINGS_H

#include <cstdlib>

#ifdef __CUDACC__
#define REX_STRING __host__ __device__ inline
#else
#define REX_STRING inline
#endif

namespace rex_strings {

typedef __SIZE_TYPE__ size;

REX_STRING void *move(void *to, const void *from, size n) {
  char *into = (char *)to;
  const char *out = (const char *)from;
  if (into <= out) {
    for (size i = 0; i < n; i++) into[i] = out[i];
  } else {
    for (size i = n; i > 0; i--) into[i - 1] = out[i - 1];
  }
  return to;
}
REX_STRING int compare(const void *a, const void *b, size n) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (size i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}
REX_STRING size length(const char *text) {
  size n = 0;
  while (text[n]) n++;
  return n;
}
REX_STRING int order(const char *a, const char *b, size most) {
  for (size i = 0; i < most; i++) {
    const int difference = (unsigned char)a[i] - (unsigned char)b[i];
    if (difference != 0 || !a[i]) return difference;
  }
  return 0;
}
REX_STRING char *copy(char *to, const char *from) {
  size i = 0;
  do to[i] = from[i];
  while (from[i++]);
  return to;
}
REX_STRING char *copy(char *to, const char *from, size n) {
  size i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}
REX_STRING char *append(char *to, const char *from, size most) {
  char *end = to + length(to);
  size i = 0;
  for (; i < most && from[i]; i++) end[i] = from[i];
  end[i] = 0;
  return to;
}

} // namespace rex_strings

#ifdef __CUDACC__
#include <cstring>

// The host's functions are one with the device's; nvcc tells that it treats them so.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20040
#define REX_OF_C extern "C" __host__ __device__ inline
#define REX_SIZE __SIZE_TYPE__
REX_OF_C void *memmove(void *to, const void *from, REX_SIZE n) noexcept { return rex_strings::move(to, from, n); }
REX_OF_C int memcmp(const void *a, const void *b, REX_SIZE n) noexcept { return rex_strings::compare(a, b, n); }
REX_OF_C REX_SIZE strlen(const char *text) noexcept { return rex_strings::length(text); }
REX_OF_C int strcmp(const char *a, const char *b) noexcept { return rex_strings::order(a, b, (REX_SIZE)-1); }
REX_OF_C int strncmp(const char *a, const char *b, REX_SIZE n) noexcept { return rex_strings::order(a, b, n); }
REX_OF_C char *strcpy(char *to, const char *from) noexcept { return rex_strings::copy(to, from); }
REX_OF_C char *strncpy(char *to, const char *from, REX_SIZE n) noexcept { return rex_strings::copy(to, from, n); }
REX_OF_C char *strcat(char *to, const char *from) noexcept { return rex_strings::append(to, from, (REX_SIZE)-1); }
REX_OF_C char *strncat(char *to, const char *from, REX_SIZE n) noexcept { return rex_strings::append(to, from, n); }
REX_OF_C div_t div(int a, int b) noexcept { return div_t{a / b, a % b}; }
REX_OF_C ldiv_t ldiv(long a, long b) noexcept { return ldiv_t{a / b, a % b}; }
REX_OF_C lldiv_t lldiv(long long a, long long b) noexcept { return lldiv_t{a / b, a % b}; }
#pragma nv_diagnostic pop
#undef REX_OF_C
#undef REX_SIZE

#define __builtin_memmove(to, from, n) rex_strings::move(to, from, n)
#define __builtin_memcmp(a, b, n) rex_strings::compare(a, b, n)
#define __builtin_strlen(text) rex_strings::length(text)
#endif

#undef REX_STRING
#endif
