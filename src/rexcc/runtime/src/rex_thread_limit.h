// SPDX-License-Identifier: Apache-2.0
//
// `thread_limit` of a region that the host executes. Part of register_cubin.cpp.
#ifndef REX_THREAD_LIMIT_H
#define REX_THREAD_LIMIT_H

#include "rex_kmp.h"

extern "C" {
int32_t __kmpc_global_thread_num(__rex_ident *);
int omp_get_thread_limit(void);
// LLVM's runtime has it from version 18 on; it ignores limits below 1. The limit is that of the task, and its threads
// inherit it (OpenMP 5.2, 2.2).
void __kmpc_set_thread_limit(__rex_ident *, int32_t thread, int32_t limit) __attribute__((__weak__));
}

int rex_limit_threads(int limit) {
  static __rex_ident place = REX_PLACE(";host version;thread_limit;0;0;;");
  int before = omp_get_thread_limit();
  if (__kmpc_set_thread_limit != nullptr) __kmpc_set_thread_limit(&place, __kmpc_global_thread_num(&place), limit);
  return before;
}

#endif
