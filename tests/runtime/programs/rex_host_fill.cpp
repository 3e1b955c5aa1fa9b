// SPDX-License-Identifier: Apache-2.0
/* CPU device entry points of rex_lib_fill.cu in the shape that rexcc generates. */
#include "rex_host_device.h"
#define OUT__1__fill__3__kernel__ OUT__1__fill__3__body__
#include "rex_lib_fill.cu"
#undef OUT__1__fill__3__kernel__

extern "C" void OUT__1__fill__3__kernel__(void *__rex_kernel_launch_env, int *p, rex_literal __rex_n,
                                          const rex_geometry *__rex_geometry) {
  rex_run_teams(__rex_geometry, [=] { OUT__1__fill__3__body__(__rex_kernel_launch_env, p, __rex_n); });
}
