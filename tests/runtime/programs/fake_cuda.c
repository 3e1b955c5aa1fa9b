// SPDX-License-Identifier: Apache-2.0
/* A libcuda.so.1 for tests: answers the questions that register_cubin.cpp asks, as the variable FAKE_CUDA says:
   "none" no device, "broken" a driver that does not start, "80" one GPU of sm_80. FAKE_CUDA_DELAY=n lets it take n
   milliseconds to start; FAKE_CUDA_LOG=1 has it tell what happens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *fake(void) { return getenv("FAKE_CUDA"); }

static void tell(const char *what, unsigned number) {
  if (getenv("FAKE_CUDA_LOG") != NULL) fprintf(stderr, "driver: %s %u\n", what, number);
}

int cuInit(unsigned flags) {
  (void)flags;
  static int started;
  if (!started && getenv("FAKE_CUDA_DELAY") != NULL) usleep(1000 * (unsigned)atoi(getenv("FAKE_CUDA_DELAY")));
  if (!started) tell("ready", 0);
  started = 1;
  if (strcmp(fake(), "none") == 0) return 100;
  return strcmp(fake(), "broken") == 0 ? 803 : 0;
}

int cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  int arch = atoi(fake());
  *value = attribute == 75 ? arch / 10 : attribute == 76 ? arch % 10 : 108;
  return 0;
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  (void)device;
  tell("flags", flags);
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  (void)device;
  static int made;
  *context = &made;
  return 0;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  (void)device;
  return 0;
}
