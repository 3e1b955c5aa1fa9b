// SPDX-License-Identifier: Apache-2.0
/* What a program knows of the make-believe GPUs (fake_gpus.c) and of the libomptarget on them (fake_mapping.c). */
#ifndef FAKE_GPUS_H
#define FAKE_GPUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a device has been asked for; streams and pieces of memory: as many as there are. */
struct fake_counts {
  long modules, streams, pieces, pinned, launches, copies_up, copies_down;
};
struct fake_counts *fake_counts_of(int device);

/* What all GPUs answer from now on who waits for them, as after a kernel that has failed. */
extern int fake_failure;

/* Contexts that this thread has pushed. */
int fake_depth(void);

/* A kernel gets the values of its parameters; the launch environment is none of them. */
struct fake_kernel {
  int parameters;
  void (*run)(const uint64_t *values);
};

/* How often libomptarget was asked to launch, and the mappings there are on a device. */
long fake_launches_by_libomptarget(int device);
long fake_mappings(int device);

#ifdef __cplusplus
}
#endif

#endif
