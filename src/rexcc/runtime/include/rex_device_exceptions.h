// SPDX-License-Identifier: Apache-2.0
//
// Exceptions of libstdc++'s constexpr functions, as std::array::at throws them: a GPU has none, so the kernel ends, and
// the program with it. nvcc would leave out the calls of what throws, which are functions of the host, without a word.
// Included by rex_nvidia.h, for nvcc alone.
#ifndef REX_DEVICE_EXCEPTIONS_H
#define REX_DEVICE_EXCEPTIONS_H

#include <stdarg.h>

// The driver prints what has failed, with the block and the thread.
__host__ __device__ __attribute__((__noreturn__)) inline void rex_thrown(const char *what) {
#ifdef __CUDA_ARCH__
  __assert_fail(what, "a library throws an exception", 0, "which ends a program on a GPU");
#endif
  __trap();
}

// The same for an operand of a conditional expression: it has the type of the other one.
template <class T> __host__ __device__ __attribute__((__noreturn__)) inline T rex_thrown_as(const char *what) {
  rex_thrown(what);
}

// The same with the values that libstdc++'s words name, by "%s" and "%zu" alone; "%%" is a percent sign.
__host__ __device__ __attribute__((__noreturn__)) inline void rex_thrown_with(const char *what, va_list values) {
  char words[256];
  char *to = words, *const last = words + sizeof words - 1;
  for (; *what != 0 && to < last; ++what) {
    if (*what != '%') {
      *to++ = *what;
    } else if (*++what == 's') {
      for (const char *from = va_arg(values, const char *); *from != 0 && to < last; ++from) *to++ = *from;
    } else if (*what == 'z' && what[1] == 'u') {
      char digits[20];
      int count = 0;
      for (__SIZE_TYPE__ rest = va_arg(values, __SIZE_TYPE__); rest != 0 || count == 0; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
      while (count > 0 && to < last) *to++ = digits[--count];
      ++what;
    } else if ((*to++ = '%') != *what) {
      --what;
    }
  }
  *to = 0;
  rex_thrown(words);
}

#ifdef __GLIBCXX__
#undef _GLIBCXX_THROW_OR_ABORT
#define _GLIBCXX_THROW_OR_ABORT(...) (rex_thrown(#__VA_ARGS__))
#include <bits/functexcept.h>

// The host's functions are one with the device's; nvcc tells that it treats them so.
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20040
#define REX_THROWS __host__ __device__ __attribute__((__noreturn__)) inline
namespace std {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
REX_THROWS void __throw_bad_alloc() { rex_thrown("bad_alloc"); }
REX_THROWS void __throw_bad_array_new_length() { rex_thrown("bad_array_new_length"); }
REX_THROWS void __throw_bad_cast() { rex_thrown("bad_cast"); }
REX_THROWS void __throw_bad_function_call() { rex_thrown("bad_function_call"); }
REX_THROWS void __throw_bad_optional_access();
REX_THROWS void __throw_bad_variant_access(const char *what);
REX_THROWS void __throw_bad_variant_access(bool valueless);
REX_THROWS void __throw_domain_error(const char *what) { rex_thrown(what); }
REX_THROWS void __throw_invalid_argument(const char *what) { rex_thrown(what); }
REX_THROWS void __throw_length_error(const char *what) { rex_thrown(what); }
REX_THROWS void __throw_logic_error(const char *what) { rex_thrown(what); }
REX_THROWS void __throw_out_of_range(const char *what) { rex_thrown(what); }
REX_THROWS void __throw_out_of_range_fmt(const char *what, ...) {
  va_list values;
  va_start(values, what);
  rex_thrown_with(what, values);
}
REX_THROWS void __throw_overflow_error(const char *what) { rex_thrown(what); }
REX_THROWS void __throw_range_error(const char *what) { rex_thrown(what); }
REX_THROWS void __throw_runtime_error(const char *what) { rex_thrown(what); }
REX_THROWS void __throw_underflow_error(const char *what) { rex_thrown(what); }
_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std
#undef REX_THROWS
#pragma nv_diagnostic pop
#endif

#endif
