// SPDX-License-Identifier: Apache-2.0
//
// A libomptarget for tests, on the make-believe GPUs of fake_gpus.c: maps rows with their references, copies and launches,
// without attached pointers, members and mappers. Its copies are none of the driver's. As the real one, it lets others find
// new data while its bytes are on their way, and has others that map the same wait for them.
#define REX_KMP_INTERNAL
#include "fake_gpus.h"
#include "rex_kmp.h"
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <dlfcn.h>

extern "C" {
int cuDeviceGetCount(int *count);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuMemAlloc_v2(uint64_t *address, size_t size);
int cuMemFree_v2(uint64_t address);
}

namespace {

enum { DEVICES = 2, MAPPINGS = 2048, PARAMETERS = 8 };

struct mapping {
  char *begin, *there;
  int64_t size, references;
  bool arrives;
};
struct device {
  std::mutex mutex;
  std::condition_variable arrived;
  mapping mappings[MAPPINGS];
  std::atomic<long> count, launches;
} devices[DEVICES];

const __tgt_offload_entry *entries_begin, *entries_end;

void use(int64_t device) {
  void *context;
  cuDevicePrimaryCtxRetain(&context, (int)device), cuCtxSetCurrent(context);
}

mapping *find(struct device *device, const char *begin) {
  for (int i = 0; i < MAPPINGS; i++) {
    mapping *one = &device->mappings[i];
    if (one->references > 0 && begin >= one->begin && begin < one->begin + (one->size > 0 ? one->size : 1)) return one;
  }
  return nullptr;
}

// The program may want to know of a copy before it is made.
void bring(struct device *device, mapping *one, std::unique_lock<std::mutex> &lock) {
  static auto *const told = reinterpret_cast<void (*)(int, size_t)>(dlsym(RTLD_DEFAULT, "fake_before_copy"));
  one->arrives = true;
  lock.unlock();
  if (told != nullptr) told(static_cast<int>(device - devices), static_cast<size_t>(one->size));
  memcpy(one->there, one->begin, static_cast<size_t>(one->size));
  lock.lock();
  one->arrives = false;
  device->arrived.notify_all();
}

void add(struct device *device, char *begin, int64_t size, int64_t type, std::unique_lock<std::mutex> &lock) {
  mapping *one = find(device, begin);
  if (one == nullptr && size > 0) {
    uint64_t memory;
    for (one = device->mappings; one->references > 0;) one++;
    if (cuMemAlloc_v2(&memory, (size_t)size) != 0) abort();
    *one = {begin, reinterpret_cast<char *>(static_cast<uintptr_t>(memory)), size, 1, false};
    device->count++;
    if (type & REX_MAP_TO) bring(device, one, lock);
    return;
  } else if (one != nullptr && (type & REX_MAP_TO) && (type & REX_MAP_ALWAYS)) {
    memcpy(one->there + (begin - one->begin), begin, (size_t)size);
  }
  if (one == nullptr) return;
  one->references++;
  device->arrived.wait(lock, [=] { return !one->arrives; });
}

void drop(struct device *device, char *begin, int64_t size, int64_t type, std::unique_lock<std::mutex> &) {
  mapping *one = find(device, begin);
  if (one == nullptr) return;
  one->references = type & REX_MAP_DELETE ? 0 : one->references - 1;
  if ((type & REX_MAP_FROM) && (one->references == 0 || (type & REX_MAP_ALWAYS)))
    memcpy(begin, one->there + (begin - one->begin), (size_t)size);
  if (one->references > 0) return;
  cuMemFree_v2(reinterpret_cast<uintptr_t>(one->there));
  device->count--;
}

[[noreturn]] void give_up() {
  fputs("libomptarget has failed\n", stderr);
  abort();
}

int is_data(int64_t type) { return (type & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) == 0; }

void update(struct device *device, char *begin, int64_t size, int64_t type, std::unique_lock<std::mutex> &) {
  mapping *one = find(device, begin);
  if (one == nullptr) return;
  if (type & REX_MAP_TO) memcpy(one->there + (begin - one->begin), begin, size);
  if (type & REX_MAP_FROM) memcpy(begin, one->there + (begin - one->begin), size);
}

using OneRow = void(struct device *, char *, int64_t, int64_t, std::unique_lock<std::mutex> &);
void all_rows(OneRow *one, int64_t device, int32_t count, void **begins, const int64_t *sizes, const int64_t *types) {
  if (device < 0 || device >= DEVICES) abort();
  use(device);
  std::unique_lock<std::mutex> lock(devices[device].mutex);
  for (int32_t i = 0; i < count; i++)
    if (is_data(types[i])) one(&devices[device], static_cast<char *>(begins[i]), sizes[i], types[i], lock);
}

} // namespace

extern "C" {
void *omp_get_mapped_ptr(const void *pointer, int device);
long fake_launches_by_libomptarget(int device) { return devices[device].launches; }
long fake_mappings(int device) { return devices[device].count; }

void __tgt_target_data_begin_mapper(__rex_ident *, int64_t device, int32_t count, void **bases, void **begins,
                                    int64_t *sizes, int64_t *types, void **, void **) {
  all_rows(add, device, count, begins, sizes, types);
  for (int32_t i = 0; i < count; i++)
    if (types[i] & REX_MAP_RETURN_PARAM) bases[i] = omp_get_mapped_ptr(begins[i], static_cast<int>(device));
}
void __tgt_target_data_end_mapper(__rex_ident *, int64_t device, int32_t count, void **, void **begins, int64_t *sizes,
                                  int64_t *types, void **, void **) {
  all_rows(drop, device, count, begins, sizes, types);
}

// An empty one loads the images.
void __tgt_target_data_update_mapper(__rex_ident *, int64_t device, int32_t count, void **, void **begins, int64_t *sizes,
                                     int64_t *types, void **, void **) {
  all_rows(update, device, count, begins, sizes, types);
  if (getenv("FAKE_GPUS_REFUSE") != nullptr) give_up();
}

void __tgt_register_lib(__tgt_bin_desc *descriptor) {
  entries_begin = descriptor->entries_begin, entries_end = descriptor->entries_end;
}
void __tgt_unregister_lib(__tgt_bin_desc *) {}

void *omp_get_mapped_ptr(const void *pointer, int device) {
  if (device < 0 || device >= DEVICES) return nullptr;
  std::lock_guard<std::mutex> lock(devices[device].mutex);
  const char *begin = static_cast<const char *>(pointer);
  mapping *one = find(&devices[device], begin);
  return one != nullptr ? one->there + (begin - one->begin) : nullptr;
}

int __tgt_target_kernel(__rex_ident *, int64_t device, int32_t teams, int32_t threads, void *key,
                        __tgt_kernel_arguments *given) {
  const __tgt_offload_entry *entry = entries_begin;
  uint64_t values[PARAMETERS];
  int count = 0;
  while (entry != entries_end && entry->address != key) entry++;
  auto *kernel = entry != entries_end ? static_cast<fake_kernel *>(dlsym(RTLD_DEFAULT, entry->symbol)) : nullptr;
  if (kernel == nullptr || teams * threads == 0) return -1;
  all_rows(add, device, given->arg_num, given->args, given->arg_sizes, given->arg_types);
  for (int32_t i = 0; i < given->arg_num && count < PARAMETERS; i++)
    if (given->arg_types[i] & REX_MAP_PARAM)
      values[count++] = reinterpret_cast<uintptr_t>(
          is_data(given->arg_types[i]) ? omp_get_mapped_ptr(given->args[i], static_cast<int>(device)) : given->args_base[i]);
  if (getenv("FAKE_GPUS_FULL") != nullptr) give_up();
  kernel->run(values);
  if (fake_failure != 0) give_up();
  devices[device].launches++;
  all_rows(drop, device, given->arg_num, given->args, given->arg_sizes, given->arg_types);
  return 0;
}

int64_t __tgt_mapper_num_components(void *) { return 0; }
void __tgt_push_mapper_component(void *, void *, void *, int64_t, int64_t, void *) {}

int omp_get_num_devices(void) {
  int count = 0;
  return cuDeviceGetCount(&count), count;
}
int omp_get_initial_device(void) { return omp_get_num_devices(); }
int omp_get_default_device(void) {
  static const char *const chosen = getenv("OMP_DEFAULT_DEVICE"); // as it is when OpenMP begins
  static const int device = chosen != nullptr ? atoi(chosen) : 0;
  return device;
}
int omp_target_is_present(const void *pointer, int device) { return omp_get_mapped_ptr(pointer, device) != nullptr; }
void *omp_target_alloc(size_t size, int device) {
  uint64_t memory;
  use(device);
  return cuMemAlloc_v2(&memory, size) == 0 ? (void *)(uintptr_t)memory : nullptr;
}
void omp_target_free(void *storage, int device) { use(device), cuMemFree_v2((uintptr_t)storage); }
int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
                      int from_device) {
  (void)to_device, (void)from_device;
  return memcpy((char *)to + to_offset, (const char *)from + from_offset, size), 0;
}
void *llvm_omp_target_alloc_host(size_t size, int device) { return (void)device, malloc(size); }
void llvm_omp_target_free_host(void *storage, int device) { (void)device, free(storage); }
}
