// SPDX-License-Identifier: Apache-2.0
//
// `thread_limit` of a region that the host executes (rex_runtime.h).
#include "rex_internal.h"

int rex_limit_threads(int limit) {
  static __rex_ident place = REX_PLACE(";host version;thread_limit;0;0;;");
  int before = omp_get_thread_limit();
  if (__kmpc_set_thread_limit != nullptr) __kmpc_set_thread_limit(&place, __kmpc_global_thread_num(&place), limit);
  return before;
}
