// SPDX-License-Identifier: Apache-2.0
//
// What the kernel that brings rows home gets (rex_device_arrivals.h).
#ifndef REX_ARRIVALS_H
#define REX_ARRIVALS_H

#define REX_ARRIVAL_ROWS 4
#define REX_ARRIVAL_THREADS 256

struct rex_arrivals {
  char *to[REX_ARRIVAL_ROWS];         // host
  const char *from[REX_ARRIVAL_ROWS]; // GPU
  unsigned size[REX_ARRIVAL_ROWS], count;
};

#endif
