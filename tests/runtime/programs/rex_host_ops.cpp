// SPDX-License-Identifier: Apache-2.0
/* CPU device entry points of rex_lib_ops.cu in the shape that rexcc generates. */
#include "rex_host_device.h"

#define KERNEL(stem) stem##__body__
#include "rex_lib_ops.cu"

#define REDUCTION_ENTRY(op, type)                                                                                      \
  extern "C" void reduce_##op##_##type##__kernel__(void *env, const type *x, type *first, type *second, rex_literal n, \
                                                   const rex_geometry *geometry) {                                     \
    rex_run_teams(geometry, [=] { reduce_##op##_##type##__body__(env, x, first, second, n); });                        \
  }
REDUCTIONS(REDUCTION_ENTRY)

extern "C" void reduce_triple__kernel__(void *env, const int *x, triple *all, rex_literal n,
                                        const rex_geometry *geometry) {
  rex_run_teams(geometry, [=] { reduce_triple__body__(env, x, all, n); });
}

#define ATOMICS_ENTRY(type)                                                                                            \
  extern "C" void atomics_##type##__kernel__(void *env, type *cells, unsigned char *seen, u64 *exchanged,              \
                                             rex_literal n, const rex_geometry *geometry) {                            \
    rex_run_teams(geometry, [=] { atomics_##type##__body__(env, cells, seen, exchanged, n); });                        \
  }
ATOMIC_TYPES(ATOMICS_ENTRY)

extern "C" void team_sums__kernel__(void *env, const int *x, int *sums, int *prefixes, rex_literal leave,
                                    const rex_geometry *geometry) {
  rex_run_teams_synchronised(geometry, [=] { team_sums__body__(env, x, sums, prefixes, leave); });
}

extern "C" void device_checks__kernel__(void *env, Findings *findings, const rex_geometry *geometry) {
  rex_run_teams(geometry, [=] { device_checks__body__(env, findings); });
}
