// SPDX-License-Identifier: Apache-2.0
/* A libcupti for tests: it says of any program that it had two kernels of `add__kernel__`, of 1 and 2 us, and one that no
   construct has launched. */
#include <stdint.h>
#include <string.h>

enum { KERNEL = 10, KERNELS = 3, BYTES = 216, OTHER = 1, OTHER_BYTES = 24 };

static void (*give)(uint8_t **, size_t *, size_t *);
static void (*take)(void *, uint32_t, uint8_t *, size_t, size_t);
static int kind_of_records;

int cuptiActivityRegisterCallbacks(void (*given)(uint8_t **, size_t *, size_t *),
                                   void (*taken)(void *, uint32_t, uint8_t *, size_t, size_t)) {
  return give = given, take = taken, 0;
}
int cuptiActivityEnable(int kind) { return kind_of_records = kind, 0; }

int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, uint8_t **record) {
  *record = *record == NULL ? buffer : *record + (**record == KERNEL ? BYTES : OTHER_BYTES);
  return *record >= buffer + valid ? 12 : 0;
}

int cuptiActivityFlushAll(uint32_t flags) {
  static const char *const names[KERNELS] = {"add__kernel__", "another", "add__kernel__"};
  static const uint64_t lengths[KERNELS] = {1000, 5, 2000};
  uint8_t *buffer, *at;
  size_t size, records;
  if (flags != 1 || kind_of_records != KERNEL) return 1;
  give(&buffer, &size, &records);
  at = memset(buffer, 0, size);
  for (int i = 0; i < KERNELS; i++, at += BYTES) {
    uint64_t times[] = {1000000, 1000000 + lengths[i]};
    *at = KERNEL;
    memcpy(at + 16, times, sizeof times), memcpy(at + 104, &names[i], sizeof names[i]);
    if (i == 0) at[BYTES] = OTHER, at += OTHER_BYTES;
  }
  take(NULL, 0, buffer, size, (size_t)(at - buffer));
  return 0;
}
