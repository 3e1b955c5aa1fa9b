// SPDX-License-Identifier: Apache-2.0
/* A libcuda.so.1 for tests: tells what it is asked to load, to queue and to wait for, on two devices; what it tells of the
   second ends in its number. A kernel is its name; the fourth launch is refused. `on_host` but for its last byte is mapped,
   to address 1000 of the first device and 2000 of the second; `small` to 3000 where a test says so; `asked` hears of each
   question, and `brought` of what is brought in place of a line. A context, or a stream, is the number of its device.
   `pinned` is memory that it knows; of `questionable` it does not say. FAKE_QUEUE_FAILS=n: the n-th wait tells of
   FAKE_QUEUE_ERROR, or 700. With FAKE_STREAMS each stream has a number, and it is told what stands in which: a kernel with
   its second value, an event that is recorded, one that is waited for. */
#include "rex_arrivals.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char on_host[100], pinned[24] __attribute__((aligned(8))), questionable[8], small[32];
int waits, questions, small_is_mapped;
void (*asked)(const void *pointer), (*brought)(const void *bytes, size_t size);
static int launches, numbers[2] = {0, 1}, *current[4], depth;

/* What is told, with the number of the device. */
static void tell_of(const int *device, const char *what) { printf("%s%s\n", what, *device == 1 ? " 1" : ""); }
static int is_of_current(const void *stream) { return depth > 0 && *(const int *)stream == *current[depth - 1]; }

/* The device, and the number, of a stream; of an event the number. */
static int made[2];
static int *numbered(int kind) {
  int *one = (int *)calloc(2, sizeof *one);
  if (one != 0) one[1] = ++made[kind];
  return one;
}
static int tells_streams(void) { return getenv("FAKE_STREAMS") != 0; }

int omp_get_initial_device(void) { return 3; }
int omp_get_num_devices(void) { return 3; }
void *omp_get_mapped_ptr(const void *pointer, int device) {
  intptr_t offset = (const char *)pointer - on_host, in_small = (const char *)pointer - small;
  int is_small_mapped = small_is_mapped;
  questions++;
  if (asked != 0) asked(pointer); /* what it does comes behind the question */
  if (is_small_mapped && in_small >= 0 && in_small < 32) return (void *)(3000 + in_small);
  return device < 2 && offset >= 0 && offset < 99 ? (void *)(1000 * (device + 1) + offset) : 0;
}
int omp_target_is_present(const void *pointer, int device) {
  questions--;
  return omp_get_mapped_ptr(pointer, device) != 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &numbers[device & 1], device > 1; }
int cuCtxPushCurrent_v2(void *context) { return tell_of(current[depth++] = (int *)context, "enter"), depth > 3; }
int cuCtxPopCurrent_v2(void **context) { return tell_of(*context = current[--depth], "leave"), depth < 0; }
int cuModuleLoadData(void **module, const void *image) { return *module = (void *)image, 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  printf("find %s\n", name);
  return *function = (void *)name, module == 0;
}
int cuModuleGetGlobal_v2(uint64_t *place, size_t *size, void *module, const char *name) {
  printf("look for %s\n", name);
  return *place = 0, *size = 0, module = 0, 500;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) { return to == 0 || from == 0 || size == 0; }
int cuMemAlloc_v2(uint64_t *place, size_t size) { return *place = 5000, size == 0; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t size, void *stream) {
  if (brought != 0) brought(from, size);
  else printf("bring %d bytes to %d: '%.*s'\n", (int)size, (int)to, (int)size, (const char *)from);
  return !is_of_current(stream);
}
int cuPointerGetAttributes(unsigned count, int *attributes, void **values, uint64_t address) {
  if (address - (uintptr_t)questionable < sizeof questionable) return 201;
  *(int *)values[0] = address - (uintptr_t)pinned < sizeof pinned;
  return count != 1 || attributes[0] != 2;
}
int cuMemHostAlloc(void **memory, size_t size, unsigned flags) { return *memory = malloc(size), (int)flags; }
int cuStreamCreate(void **stream, unsigned flags) {
  if (tells_streams()) return *stream = numbered(0), flags != 1;
  return tell_of(*stream = current[depth - 1], "new queue"), flags != 1;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t size, void *stream) {
  printf("fetch %d bytes from %d\n", (int)size, (int)from);
  if (to != 0) memset(to, 'd', size);
  return to == 0 || !is_of_current(stream);
}
int cuStreamSynchronize(void *stream) {
  const char *failing = getenv("FAKE_QUEUE_FAILS"), *error = getenv("FAKE_QUEUE_ERROR");
  if (tells_streams()) printf("wait for %d\n", ((int *)stream)[1]);
  else tell_of((int *)stream, "wait");
  waits++;
  return !is_of_current(stream) || (failing != 0 && atoi(failing) == waits) ? (error != 0 ? atoi(error) : 700) : 0;
}
/* Between two events there are 2 ms. */
int cuDeviceGetName(char *name, int size, int device) { return strncpy(name, "make-believe GPU", size), device; }
int cuEventCreate(void **event, unsigned flags) { return (*event = numbered(1)) == 0 || (flags & ~2u) != 0; }
int cuEventRecord(void *event, void *stream) {
  if (tells_streams()) printf("%d records %d\n", ((int *)stream)[1], ((int *)event)[1]);
  return event == 0 || !is_of_current(stream);
}
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  if (tells_streams()) printf("%d waits for %d\n", ((int *)stream)[1], ((int *)event)[1]);
  return event == 0 || flags != 0 || !is_of_current(stream);
}
int cuEventElapsedTime(float *time, void *first, void *last) { return *time = 2, first == last; }
int cuEventDestroy_v2(void *event) { return free(event), 0; }
int cuGetErrorString(int error, const char **words) { return *words = "words of the driver", error == 0; }
/* The kernel that brings rows home: what it would write is k; it refuses 90 bytes. */
static int bring_home(unsigned blocks, unsigned threads, const struct rex_arrivals *rows) {
  if (rows->size[0] == 90) return puts("refused"), 701;
  printf("bring home by %u x %u:", blocks, threads);
  for (unsigned row = 0; row < rows->count; row++) {
    int is_beside = ((uintptr_t)rows->to[row] - (uintptr_t)rows->from[row]) % 16 == 0;
    printf(" %u from %d%s", rows->size[row], (int)(intptr_t)rows->from[row], is_beside ? "" : " misplaced");
    memset(rows->to[row], 'k', rows->size[row]);
  }
  return puts(""), 0;
}
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned w, unsigned d,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  if (strcmp((char *)function, "rex_bring_home") == 0) return bring_home(x, threads, (struct rex_arrivals *)parameters[0]);
  if (tells_streams()) {
    printf("%d executes %d\n", ((int *)stream)[1], (int)*(long long *)parameters[1]);
    return !is_of_current(stream);
  }
  if (++launches == 4 || !is_of_current(stream) || y * z * w * d != 1 || extra != 0) return puts("refused"), 701;
  printf("queue %s: %u x %u, %u bytes, environment %p,", (char *)function, x, threads, shared, *(void **)parameters[0]);
  printf(" %lld %lld%s\n", *(long long *)parameters[1], *(long long *)parameters[2], *(int *)stream == 1 ? " 1" : "");
  return 0;
}
