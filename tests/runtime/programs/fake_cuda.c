// SPDX-License-Identifier: Apache-2.0
/* A libcuda.so.1 for tests: answers the questions that register_cubin.cpp asks, as the variable FAKE_CUDA says:
   "none" no device, "broken" a driver that does not start, "80" one GPU of sm_80. */
#include <stdlib.h>
#include <string.h>

static const char *fake(void) { return getenv("FAKE_CUDA"); }

int cuInit(unsigned flags) {
  (void)flags;
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
