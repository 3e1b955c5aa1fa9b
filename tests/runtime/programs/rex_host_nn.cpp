// SPDX-License-Identifier: Apache-2.0
/* CPU device entry points of rex_lib_nn.cu in the shape that rexcc generates. */
#include "rex_host_device.h"
#define OUT__1__find_distances__12__kernel__ OUT__1__find_distances__12__body__
#define OUT__2__sum_and_nearest__22__kernel__ OUT__2__sum_and_nearest__22__body__
#include "rex_lib_nn.cu"
#undef OUT__1__find_distances__12__kernel__
#undef OUT__2__sum_and_nearest__22__kernel__

extern "C" void OUT__1__find_distances__12__kernel__(void *env, const LatLong *where, float *z, rex_literal n,
                                                     rex_literal lat, rex_literal lng, const rex_geometry *geometry) {
  rex_run_teams(geometry, [=] { OUT__1__find_distances__12__body__(env, where, z, n, lat, lng); });
}

extern "C" void OUT__2__sum_and_nearest__22__kernel__(void *env, const float *z, double *sum, float *best, rex_literal n,
                                                      const rex_geometry *geometry) {
  rex_run_teams(geometry, [=] { OUT__2__sum_and_nearest__22__body__(env, z, sum, best, n); });
}
