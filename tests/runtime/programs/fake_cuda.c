// SPDX-License-Identifier: Apache-2.0
/* A libcuda.so.1 for tests: answers the questions that register_cubin.cpp asks, as the variable FAKE_CUDA says:
   "none" no device, "broken" a driver that does not start, "80" one GPU of sm_80. FAKE_CUDA_DELAY=n lets it take n
   milliseconds to start; FAKE_CUDA_LOG=1 has it tell what happens; FAKE_CUDA_PINNED=1 makes all memory pinned. Device memory is memory of the host.
   Managed memory is none of a child's, as with a real driver; FAKE_CUDA_LACKS=n,m are attributes that the GPU does not have. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *fake(void) { return getenv("FAKE_CUDA"); }

static void tell(const char *what, unsigned number) {
  if (getenv("FAKE_CUDA_LOG") != NULL) fprintf(stderr, "driver: %s %u\n", what, number);
}

static void start(void) {
  if (getenv("FAKE_CUDA_DELAY") != NULL) usleep(1000 * (unsigned)atoi(getenv("FAKE_CUDA_DELAY")));
  tell("ready", 0);
}

int cuInit(unsigned flags) {
  (void)flags;
  static pthread_once_t started = PTHREAD_ONCE_INIT;
  pthread_once(&started, start);
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
  const char *lacks = getenv("FAKE_CUDA_LACKS");
  *value = attribute == 75 ? arch / 10 : attribute == 76 ? arch % 10 : 108;
  for (; lacks != NULL; lacks = strchr(lacks, ',') != NULL ? strchr(lacks, ',') + 1 : NULL)
    if (atoi(lacks) == attribute) *value = 0;
  return 0;
}

static int context;

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  (void)device;
  tell("flags", flags);
  return 0;
}

int cuDevicePrimaryCtxRetain(void **made, int device) {
  (void)device;
  *made = &context;
  return 0;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  (void)device;
  return 0;
}

/* Copies. FAKE_CUDA_FAILS=n lets all fail after the first n, but for those in no stream. */
static long long copied[3];
static int may_copy(int which, size_t size, const void *stream) {
  static int copies;
  const char *limit = getenv("FAKE_CUDA_FAILS");
  if (stream != NULL && limit != NULL && __atomic_add_fetch(&copies, 1, __ATOMIC_RELAXED) > atoi(limit)) return 0;
  __atomic_add_fetch(&copied[which], (long long)size, __ATOMIC_RELAXED);
  return 1;
}

__attribute__((destructor)) static void tell_copies(void) {
  if (getenv("FAKE_CUDA_LOG") == NULL || copied[0] + copied[1] + copied[2] == 0) return;
  fprintf(stderr, "driver: up %lld, down %lld, across %lld MiB\n", copied[0] >> 20, copied[1] >> 20, copied[2] >> 20);
}

/* Managed and pinned memory: what there is of it, and what may still be given. */
enum { PIECES = 4096 };
static struct {
  char *begin;
  size_t size;
} pieces[PIECES];
static pthread_mutex_t pieces_mutex = PTHREAD_MUTEX_INITIALIZER;
static long pieces_made;
long long fake_memory_left = 1LL << 40;
long fake_pieces_made(void) { return pieces_made; }
int fake_has_memory(const void *address) {
  int found = 0;
  pthread_mutex_lock(&pieces_mutex);
  for (int i = 0; i < PIECES; i++)
    if (pieces[i].begin != NULL && (size_t)((const char *)address - pieces[i].begin) < pieces[i].size) found = 1;
  pthread_mutex_unlock(&pieces_mutex);
  return found;
}
static char *make_piece(size_t size) {
  char *made = NULL;
  pthread_mutex_lock(&pieces_mutex);
  int i = 0;
  while (i < PIECES && pieces[i].begin != NULL) i++;
  if (i < PIECES && (long long)size <= fake_memory_left) {
    made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) made = NULL;
  }
  if (made != NULL) {
    madvise(made, size, MADV_DONTFORK);
    pieces[i].begin = made, pieces[i].size = size, pieces_made++;
    fake_memory_left -= (long long)size;
  }
  pthread_mutex_unlock(&pieces_mutex);
  return made;
}
static int drop_piece(const void *begin) {
  int found = 1;
  pthread_mutex_lock(&pieces_mutex);
  for (int i = 0; i < PIECES; i++)
    if (begin != NULL && pieces[i].begin == begin) {
      fake_memory_left += (long long)pieces[i].size;
      munmap(pieces[i].begin, pieces[i].size);
      pieces[i].begin = NULL, found = 0;
    }
  pthread_mutex_unlock(&pieces_mutex);
  return found;
}
int cuMemAllocManaged(uint64_t *address, size_t size, unsigned flags) {
  if (flags != 1) return 1;
  return (*address = (uintptr_t)make_piece(size)) == 0 ? 2 : 0;
}

/* Memory of the program's that is pinned, or no longer. */
long fake_pinned;
int cuMemHostRegister_v2(void *begin, size_t size, unsigned flags) {
  if ((flags != 3 && flags != 11) || (uintptr_t)begin % 4096 != 0 || size % 4096 != 0 || fake_has_memory(begin)) return 1;
  if (madvise(begin, size, MADV_NORMAL) != 0) return 1; /* not all of it is mapped */
  pthread_mutex_lock(&pieces_mutex);
  int i = 0;
  while (i < PIECES - 1 && pieces[i].begin != NULL) i++;
  pieces[i].begin = begin, pieces[i].size = size, fake_pinned++;
  pthread_mutex_unlock(&pieces_mutex);
  return 0;
}
int cuMemHostUnregister(void *begin) {
  pthread_mutex_lock(&pieces_mutex);
  int i = 0;
  while (i < PIECES && pieces[i].begin != begin) i++;
  if (i < PIECES) pieces[i].begin = NULL, fake_pinned--;
  pthread_mutex_unlock(&pieces_mutex);
  return i == PIECES;
}

long fake_moved;
int cuMemPrefetchAsync(uint64_t begin, size_t size, int device, void *stream) {
  if (device != 0 || stream == NULL || !fake_has_memory((void *)(uintptr_t)begin)) return 1;
  return fake_moved += (long)(size >> 20), 0;
}

int cuCtxPushCurrent_v2(void *pushed) { return pushed != &context; }
int cuCtxPopCurrent_v2(void **popped) { return *popped = &context, 0; }
int cuPointerGetAttributes(unsigned count, int *attributes, void **values, uint64_t address) {
  if (attributes[0] == 2) *(unsigned *)values[0] = getenv("FAKE_CUDA_PINNED") != NULL || fake_has_memory((void *)(uintptr_t)address); /* known memory */
  if (attributes[0] == 1) memcpy(values[0], &(void *){&context}, sizeof(void *));
  return count != 1;
}
int cuMemHostAlloc(void **memory, size_t size, unsigned flags) {
  return (*memory = flags == 3 ? make_piece(size) : malloc(size)) == NULL;
}
int cuMemFreeHost(void *memory) { return drop_piece(memory) == 0 ? 0 : (free(memory), 0); }
int cuMemAlloc_v2(uint64_t *address, size_t size) { return (*address = (uintptr_t)malloc(size)) == 0; }
int cuMemFree_v2(uint64_t address) {
  void *memory = (void *)(uintptr_t)address;
  return drop_piece(memory) == 0 ? 0 : (free(memory), 0);
}
int cuMemGetInfo_v2(size_t *free_bytes, size_t *total) { return *free_bytes = *total = (size_t)1 << 40, 0; }
int cuStreamCreate(void **stream, unsigned flags) { return (void)flags, *stream = &context, 0; }
int cuStreamDestroy_v2(void *stream) { return stream != &context; }
int cuStreamSynchronize(void *stream) { return stream != NULL && stream != &context; }
int cuEventCreate(void **event, unsigned flags) { return (void)flags, *event = &context, 0; }
int cuEventDestroy_v2(void *event) { return event != &context; }
int cuEventRecord(void *event, void *stream) { return event != &context || stream != &context; }
int cuEventSynchronize(void *event) { return event != &context; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t size, void *stream) {
  return may_copy(0, size, stream) ? (memcpy((void *)(uintptr_t)to, from, size), 0) : 700;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t size, void *stream) {
  return may_copy(1, size, stream) ? (memcpy(to, (void *)(uintptr_t)from, size), 0) : 700;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size, void *stream) {
  return may_copy(2, size, stream) ? (memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, size), 0) : 700;
}

/* Kernels. They do nothing. */
int cuModuleLoadData(void **module, const void *image) { return *module = (void *)image, 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) { return (void)name, *function = module, 0; }
int cuModuleGetGlobal_v2(uint64_t *place, size_t *size, void *module, const char *name) {
  (void)place, (void)size, (void)module, (void)name;
  return 500;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) { return memcpy((void *)(uintptr_t)to, from, size), 0; }
int cuGetErrorString(int error, const char **words) { return *words = "words of the driver", error == 0; }
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned w, unsigned d,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  (void)function, (void)x, (void)y, (void)z, (void)threads, (void)w, (void)d, (void)shared, (void)stream, (void)extra;
  return parameters == NULL;
}
