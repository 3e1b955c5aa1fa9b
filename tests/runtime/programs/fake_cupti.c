// SPDX-License-Identifier: Apache-2.0
/* A libcupti for tests: each construct that is pushed has a launch, the first of a microsecond, the next of two, and so on.
   Both records of a launch come at the end, those of kernels first. */
#include <stdint.h>
#include <string.h>

enum { MOST = 64, KERNEL_BYTES = 216, EXTERNAL_BYTES = 24 };

static void (*give)(uint8_t **, size_t *, size_t *);
static void (*take)(void *, uint32_t, uint8_t *, size_t, size_t);
static uint64_t pushed[MOST];
static int count, depth, kinds;

int cuptiActivityRegisterCallbacks(void (*given)(uint8_t **, size_t *, size_t *),
                                   void (*taken)(void *, uint32_t, uint8_t *, size_t, size_t)) {
  return give = given, take = taken, 0;
}
int cuptiActivityEnable(int kind) { return kinds += kind, 0; }
int cuptiActivityPushExternalCorrelationId(int kind, uint64_t id) {
  if (count < MOST && kind == 3) pushed[count++] = id;
  return depth++, 0;
}
int cuptiActivityPopExternalCorrelationId(int kind, uint64_t *id) { return *id = pushed[count - 1], depth--, kind != 3; }

static size_t size_of(const uint8_t *record) { return *record == 10 ? KERNEL_BYTES : EXTERNAL_BYTES; }
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, uint8_t **record) {
  *record = *record == NULL ? buffer : *record + size_of(*record);
  return *record >= buffer + valid ? 12 : 0;
}

int cuptiActivityFlushAll(uint32_t flags) {
  uint8_t *buffer;
  size_t size, records, used = 0;
  if (flags != 1 || depth != 0 || kinds != 49) return 1;
  give(&buffer, &size, &records);
  memset(buffer, 0, size);
  for (int i = 0; i < count; i++) {
    uint64_t times[] = {1000000, 1000000 + 1000 * (uint64_t)(i + 1)};
    uint32_t number = 100 + (uint32_t)i;
    buffer[used] = 10;
    memcpy(buffer + used + 16, times, sizeof times), memcpy(buffer + used + 92, &number, sizeof number);
    used += KERNEL_BYTES;
  }
  for (int i = 0; i < count; i++) {
    uint32_t head[] = {39, 3}, number = 100 + (uint32_t)i;
    memcpy(buffer + used, head, sizeof head), memcpy(buffer + used + 8, &pushed[i], sizeof pushed[i]);
    memcpy(buffer + used + 16, &number, sizeof number);
    used += EXTERNAL_BYTES;
  }
  take(NULL, 0, buffer, size, used);
  return 0;
}
