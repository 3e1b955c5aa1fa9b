// SPDX-License-Identifier: Apache-2.0
//
// What a process does on the GPU, summed up by name, from CUPTI's activity records. The CUDA driver loads this library
// itself:
//
//   CUDA_INJECTION64_PATH=/folder/libgpu_activity.so REX_GPU_ACTIVITY=file ./program
//
// The file gets one line for each kernel and for each kind of copy when the program ends, its fields separated by tabs:
// kind (kernel, copy, set), calls, nanoseconds in all, shortest, longest, bytes, blocks, threads, registers, shared
// bytes, name. Blocks, threads and what follows are those of the last launch. A program that ends by a signal or by
// _exit leaves no file. Only records of CUDA 12 and later are read; newer ones begin with the same fields.
#include <cupti.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace {

using Kernel = CUpti_ActivityKernel9;
using Copy = CUpti_ActivityMemcpy5;
using Set = CUpti_ActivityMemset4;

constexpr std::size_t kBufferSize = 8u << 20;

struct Sum {
  std::uint64_t calls = 0, total = 0, shortest = UINT64_MAX, longest = 0, bytes = 0;
  long long blocks = 0, threads = 0;
  int registers = 0, shared = 0;

  void add(std::uint64_t start, std::uint64_t end) {
    const std::uint64_t ns = end - start;
    ++calls;
    total += ns;
    if (ns < shortest) shortest = ns;
    if (ns > longest) longest = ns;
  }
};

using Sums = std::map<std::pair<std::string, std::string>, Sum>;

// Never destroyed: records may still arrive while the process ends.
Sums &sums() {
  static Sums *all = new Sums;
  return *all;
}
std::mutex &lock() {
  static std::mutex *mutex = new std::mutex;
  return *mutex;
}

const char *direction(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return "to the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return "from the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "on the device";
    default: return "other";
  }
}

void add_kernel(const Kernel *k) {
  Sum &sum = sums()[{"kernel", k->name ? k->name : "?"}];
  sum.add(k->start, k->end);
  sum.blocks = 1ll * k->gridX * k->gridY * k->gridZ;
  sum.threads = 1ll * k->blockX * k->blockY * k->blockZ;
  sum.registers = k->registersPerThread;
  sum.shared = k->staticSharedMemory + k->dynamicSharedMemory;
}

void add_copy(const Copy *c) {
  Sum &sum = sums()[{"copy", direction(c->copyKind)}];
  sum.add(c->start, c->end);
  sum.bytes += c->bytes;
}

void add_set(const Set *s) {
  Sum &sum = sums()[{"set", "memory"}];
  sum.add(s->start, s->end);
  sum.bytes += s->bytes;
}

void add(CUpti_Activity *record) {
  if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) add_kernel(reinterpret_cast<Kernel *>(record));
  if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) add_copy(reinterpret_cast<Copy *>(record));
  if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) add_set(reinterpret_cast<Set *>(record));
}

void CUPTIAPI buffer_requested(std::uint8_t **buffer, std::size_t *size, std::size_t *records) {
  *size = kBufferSize;
  *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(64, kBufferSize));
  *records = 0;
}

void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t *buffer, std::size_t, std::size_t valid) {
  std::lock_guard<std::mutex> hold(lock());
  CUpti_Activity *record = nullptr;
  while (valid && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) add(record);
  std::free(buffer);
}

void write(std::FILE *file) {
  for (const auto &[key, s] : sums())
    std::fprintf(file, "%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%lld\t%lld\t%d\t%d\t%s\n", key.first.c_str(),
                 (unsigned long long)s.calls, (unsigned long long)s.total, (unsigned long long)s.shortest,
                 (unsigned long long)s.longest, (unsigned long long)s.bytes, s.blocks, s.threads, s.registers, s.shared,
                 key.second.c_str());
}

void finish() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const char *path = std::getenv("REX_GPU_ACTIVITY");
  std::FILE *file = path ? std::fopen(path, "w") : nullptr;
  if (!file) return;
  std::lock_guard<std::mutex> hold(lock());
  write(file);
  std::fclose(file);
}

}  // namespace

// The CUDA driver calls this when a program initialises it.
extern "C" int InitializeInjection() {
  if (cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed) != CUPTI_SUCCESS) return 0;
  for (CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET})
    if (cuptiActivityEnable(kind) != CUPTI_SUCCESS)
      std::fprintf(stderr, "gpu_activity: CUPTI cannot record kind %d\n", kind);
  std::atexit(finish);
  return 1;
}
