// SPDX-License-Identifier: Apache-2.0
/* A libcuda.so.1 for tests: two GPUs of sm_90 whose streams are threads. Device memory is memory of the host. It counts what
   each GPU is asked for (fake_gpus.h), and refuses what a real one would: a stream, a function or memory of another device
   than that of the thread's context. A kernel is a `struct fake_kernel` of the program's that has its name. */
#define _GNU_SOURCE
#include "fake_gpus.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2, DEPTH = 8, WRONG = 400, ABSENT = 500, PIECES = 4096, PARAMETERS = 8 };

int fake_failure;

struct device {
  int number;
  struct fake_counts counts;
};
static struct device devices[DEVICES] = {{0, {0}}, {1, {0}}};

static __thread struct device *stack[DEPTH];
static __thread int depth;
static struct device *current(void) { return depth > 0 ? stack[depth - 1] : NULL; }

#define COUNT(device, what) __atomic_add_fetch(&(device)->counts.what, 1, __ATOMIC_RELAXED)
#define UNCOUNT(device, what) __atomic_sub_fetch(&(device)->counts.what, 1, __ATOMIC_RELAXED)

struct fake_counts *fake_counts_of(int device) { return &devices[device].counts; }

/* Memory of a device, and pinned memory, which is of none. */
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static struct {
  char *begin;
  size_t size;
  struct device *device;
} pieces[PIECES];

static struct device *device_of(uint64_t address) {
  struct device *found = NULL;
  pthread_mutex_lock(&table);
  for (int i = 0; i < PIECES && found == NULL; i++)
    if (pieces[i].begin != NULL && address - (uintptr_t)pieces[i].begin < pieces[i].size) found = pieces[i].device;
  pthread_mutex_unlock(&table);
  return found;
}

static int is_pinned(const void *address) {
  int found = 0;
  pthread_mutex_lock(&table);
  for (int i = 0; i < PIECES && !found; i++)
    found = pieces[i].begin != NULL && pieces[i].device == NULL &&
            (uintptr_t)address - (uintptr_t)pieces[i].begin < pieces[i].size;
  pthread_mutex_unlock(&table);
  return found;
}

static int put(char *begin, size_t size, struct device *device) {
  int i = 0;
  pthread_mutex_lock(&table);
  while (i < PIECES && pieces[i].begin != NULL) i++;
  if (i < PIECES) pieces[i].begin = begin, pieces[i].size = size, pieces[i].device = device;
  pthread_mutex_unlock(&table);
  return i == PIECES;
}

static struct device *take(char *begin) {
  struct device *found = NULL;
  pthread_mutex_lock(&table);
  for (int i = 0; i < PIECES; i++)
    if (pieces[i].begin == begin) found = pieces[i].device, pieces[i].begin = NULL;
  pthread_mutex_unlock(&table);
  return found;
}

int cuMemAlloc_v2(uint64_t *address, size_t size) {
  struct device *device = current();
  char *memory = device != NULL ? malloc(size) : NULL;
  if (memory == NULL || put(memory, size, device)) return 2;
  *address = (uintptr_t)memory;
  return COUNT(device, pieces), 0;
}
int cuMemFree_v2(uint64_t address) {
  struct device *device = take((char *)(uintptr_t)address);
  if (device == NULL) return WRONG;
  free((void *)(uintptr_t)address);
  return UNCOUNT(device, pieces), 0;
}
int cuMemGetInfo_v2(size_t *available, size_t *total) { return *available = *total = (size_t)1 << 40, current() == NULL; }
int cuMemHostAlloc(void **memory, size_t size, unsigned flags) {
  *memory = malloc(size);
  return COUNT(current(), pinned), (void)flags, *memory == NULL || put(*memory, size, NULL);
}
int cuMemFreeHost(void *memory) { return take(memory), free(memory), 0; }
int cuPointerGetAttributes(unsigned count, int *attributes, void **values, uint64_t address) {
  struct device *device = device_of(address);
  if (attributes[0] == 1) memcpy(values[0], &device, sizeof device);
  else memset(values[0], 0, sizeof(unsigned));
  return count != 1;
}

/* The driver, its devices and contexts. */
int cuInit(unsigned flags) { return (int)flags; }
/* As many as CUDA_VISIBLE_DEVICES names. Of instances of MIG a process gets one, which is a part of a GPU. */
static int is_instance(void) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  return visible != NULL && strncmp(visible, "MIG-", 4) == 0;
}
int cuDeviceGetCount(int *count) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  *count = visible == NULL ? DEVICES : 1;
  for (; visible != NULL && !is_instance() && (visible = strchr(visible, ',')) != NULL; visible++) ++*count;
  return *count > DEVICES;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  int units = is_instance() ? 16 : 108;
  return *value = attribute == 75 ? 9 : attribute == 76 ? 0 : units, device >= DEVICES;
}
int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  return *bytes = (size_t)(is_instance() ? 1 : 8) << 30, device >= DEVICES;
}
int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) { return (void)flags, device >= DEVICES; }
int cuDevicePrimaryCtxRetain(void **context, int device) {
  if (device >= DEVICES) return WRONG;
  return *context = &devices[device], 0;
}
int cuDevicePrimaryCtxRelease_v2(int device) { return device >= DEVICES; }
int cuCtxPushCurrent_v2(void *context) {
  if (depth == DEPTH) return WRONG;
  return stack[depth++] = (struct device *)context, 0;
}
int cuCtxPopCurrent_v2(void **context) { return depth == 0 ? WRONG : (*context = stack[--depth], 0); }
int cuCtxSetCurrent(void *context) {
  if (depth == 0) depth = 1;
  return stack[depth - 1] = (struct device *)context, 0;
}
int fake_depth(void) { return depth; }

/* Streams: what is asked of one is done in its order, by a thread. With FAKE_GPUS_AT_ONCE it is done at once. */
struct work {
  struct work *next;
  const struct fake_kernel *kernel;
  void *to;
  const void *from;
  size_t size;
  uint64_t values[PARAMETERS];
  char bytes[];
};
struct stream {
  struct device *device;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  struct work *first, **last;
  int busy;
};

static void perform(const struct work *work) {
  if (work->kernel != NULL) work->kernel->run(work->values);
  else memcpy(work->to, work->from, work->size);
}

static void *serve(void *given) {
  struct stream *stream = given;
  pthread_mutex_lock(&stream->mutex);
  for (;;) {
    struct work *work = stream->first;
    if (work == NULL) {
      pthread_cond_wait(&stream->changed, &stream->mutex);
      continue;
    }
    pthread_mutex_unlock(&stream->mutex);
    perform(work);
    pthread_mutex_lock(&stream->mutex);
    if ((stream->first = work->next) == NULL) stream->last = &stream->first;
    free(work);
    pthread_cond_broadcast(&stream->changed);
  }
  return NULL;
}

int cuStreamCreate(void **made, unsigned flags) {
  struct stream *stream = calloc(1, sizeof *stream);
  pthread_t thread;
  stream->device = current();
  if (stream->device == NULL || flags != 1) return WRONG;
  pthread_mutex_init(&stream->mutex, NULL), pthread_cond_init(&stream->changed, NULL);
  stream->last = &stream->first;
  if (getenv("FAKE_GPUS_AT_ONCE") == NULL) pthread_create(&thread, NULL, serve, stream), pthread_detach(thread);
  return COUNT(stream->device, streams), *made = stream, 0;
}
int cuStreamDestroy_v2(void *stream) { return UNCOUNT(((struct stream *)stream)->device, streams), 0; }
int cuStreamSynchronize(void *given) {
  struct stream *stream = given;
  if (stream == NULL) return 0;
  pthread_mutex_lock(&stream->mutex);
  while (stream->first != NULL) pthread_cond_wait(&stream->changed, &stream->mutex);
  return pthread_mutex_unlock(&stream->mutex), fake_failure;
}
int cuCtxSynchronize(void) { return current() == NULL ? 201 : fake_failure; }

static int ask(struct stream *stream, struct work asked, const void *bytes, size_t count) {
  if (current() == NULL || (stream != NULL && stream->device != current())) return WRONG;
  if (bytes != NULL) asked.from = bytes;
  if (stream == NULL || getenv("FAKE_GPUS_AT_ONCE") != NULL) return perform(&asked), 0;
  struct work *work = malloc(sizeof *work + count);
  *work = asked;
  if (bytes != NULL) work->from = memcpy(work->bytes, bytes, count);
  pthread_mutex_lock(&stream->mutex);
  *stream->last = work, stream->last = &work->next;
  pthread_cond_broadcast(&stream->changed);
  return pthread_mutex_unlock(&stream->mutex), 0;
}

/* An event is the stream that it was recorded in: waiting for one waits for a little more. */
int cuEventCreate(void **event, unsigned flags) { return (void)flags, (*event = calloc(1, sizeof(void *))) == NULL; }
int cuEventDestroy_v2(void *event) { return free(event), 0; }
int cuEventRecord(void *event, void *stream) { return *(void **)event = stream, 0; }
int cuEventSynchronize(void *event) { return cuStreamSynchronize(*(void **)event); }

/* Copies. The program may want to know of each before it is made. */
static void tell_of_copy(int device, size_t size) {
  void (*told)(int, size_t) = (void (*)(int, size_t))dlsym(RTLD_DEFAULT, "fake_before_copy");
  if (told != NULL) told(device, size);
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t size, void *stream) {
  if (device_of(to) != current()) return WRONG;
  tell_of_copy(current()->number, size);
  COUNT(current(), copies_up);
  int is_taken = size <= 64 << 10 && !is_pinned(from); /* the driver has taken so little of pageable memory */
  return ask(stream, (struct work){.to = (void *)(uintptr_t)to, .from = from, .size = size}, is_taken ? from : NULL,
             is_taken ? size : 0);
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t size, void *stream) {
  if (device_of(from) != current()) return WRONG;
  tell_of_copy(current()->number, size);
  COUNT(current(), copies_down);
  return ask(stream, (struct work){.to = to, .from = (void *)(uintptr_t)from, .size = size}, NULL, 0);
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size, void *stream) {
  if (device_of(from) != current() || device_of(to) != current()) return WRONG;
  return ask(stream, (struct work){.to = (void *)(uintptr_t)to, .from = (void *)(uintptr_t)from, .size = size}, NULL, 0);
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) { return memcpy((void *)(uintptr_t)to, from, size), 0; }

/* Images: a module is its device, a function too. */
struct function {
  struct device *device;
  const struct fake_kernel *kernel;
};
int cuModuleLoadData(void **module, const void *image) {
  if (current() == NULL) return WRONG;
  if (getenv("FAKE_GPUS_REFUSE") != NULL) return 200;
  return COUNT(current(), modules), (void)image, *module = current(), 0;
}
int cuModuleGetFunction(void **found, void *module, const char *name) {
  struct function *function = malloc(sizeof *function);
  *function = (struct function){module, dlsym(RTLD_DEFAULT, name)};
  return *found = function, function->kernel == NULL ? ABSENT : 0;
}
int cuModuleGetGlobal_v2(uint64_t *place, size_t *size, void *module, const char *name) {
  return *place = 0, *size = 0, (void)module, (void)name, ABSENT;
}
int cuGetErrorString(int error, const char **words) { return *words = "refused by the make-believe GPU", error == 0; }
int cuLaunchKernel(void *given, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned w, unsigned d,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  const struct function *function = given;
  if (function->device != current() || x * y * z * threads * w * d == 0 || extra != NULL) return WRONG;
  struct work work = {.kernel = function->kernel};
  for (int i = 0; i < function->kernel->parameters; i++) memcpy(&work.values[i], parameters[i + 1], sizeof(uint64_t));
  (void)shared;
  return COUNT(current(), launches), ask(stream, work, NULL, 0);
}
