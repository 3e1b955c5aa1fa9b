// SPDX-License-Identifier: Apache-2.0
//
// What a launch that reduces brings along: device memory for the partial results of its blocks (rex_device_partials.h),
// and room for the results themselves. Part of register_cubin.cpp.
//
// The memory is kept from launch to launch. Launches may overlap, so each has some of its own while it runs.
//
// A variable that is not on the device needs no mapping: the kernel reads its original value and writes its result once,
// in the host's own memory, which the GPU reaches. That saves an allocation and two copies. One that is on the device
// already is used there, as every mapped variable.
#ifndef REX_PARTIALS_H
#define REX_PARTIALS_H

#include "rex_explain.h"
#include "rex_libomptarget.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace {

// The memory of one launch on a device, and its map arrays with that memory in them.
struct Partials {
  static constexpr int64_t kHead = 64;     // rex_partials: a counter that is 0 between two launches
  static constexpr size_t kResults = 1024; // bytes of results

  explicit Partials(int device) : device(device) {
    results = static_cast<char *>(llvm_omp_target_alloc_host(kResults, device));
  }
  Partials(const Partials &) = delete;
  ~Partials() {
    if (memory != nullptr) omp_target_free(memory, device);
    if (results != nullptr) llvm_omp_target_free_host(results, device);
  }

  // Makes room for that many bytes of partial results; false where the device has none.
  bool reserve(int64_t wanted) {
    static const char empty[kHead] = {};
    if (wanted <= size) return true;
    if (memory != nullptr) omp_target_free(memory, device);
    for (size = 1 << 14; size < wanted;) size *= 2;
    memory = static_cast<char *>(omp_target_alloc(static_cast<size_t>(kHead + size), device));
    if (memory != nullptr &&
        omp_target_memcpy(memory, empty, kHead, 0, 0, device, omp_get_initial_device()) == 0)
      return true;
    size = 0;
    return false;
  }

  const int device;
  char *memory = nullptr, *results = nullptr;
  int64_t size = 0;
  std::vector<void *> bases, begins;
  std::vector<int64_t> sizes, types;
};

// All that is not in use.
class PartialsStore {
public:
  std::unique_ptr<Partials> take(int device, int64_t size) {
    std::unique_ptr<Partials> found;
    {
      std::lock_guard<std::mutex> lock(mutex);
      auto fits = [=](auto &one) { return one->device == device; };
      auto place = std::find_if(free.rbegin(), free.rend(), fits);
      if (place != free.rend()) {
        found = std::move(*place);
        free.erase(std::next(place).base());
      }
    }
    if (!found) found = std::make_unique<Partials>(device);
    return found->reserve(size) ? std::move(found) : nullptr;
  }

  void give_back(std::unique_ptr<Partials> one) {
    std::lock_guard<std::mutex> lock(mutex);
    free.push_back(std::move(one));
  }

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<Partials>> free;
};

// A launch's use of them. Rows say what is wanted: REX_MAP_PARTIALS the bytes of partial results, whose memory is the
// argument then; REX_MAP_REDUCED a variable, mapped tofrom, that the kernel reads and writes once.
class Reduction {
public:
  Reduction(PartialsStore &store, const Call &call, bool shares_memory) : store(store), call(call) {
    for (int32_t row = 0; row < call.count; row++)
      if (call.types[row] & REX_MAP_PARTIALS && is_device()) begin(row, shares_memory);
  }
  Reduction(const Reduction &) = delete;
  ~Reduction() {
    if (partials) store.give_back(std::move(partials));
  }

  // Whether the launch can go on: there is memory, or none is wanted.
  bool is_ready() const { return ready; }

  // The launch's arrays.
  void **bases_or(void **given) { return partials ? partials->bases.data() : given; }
  void **begins_or(void **given) { return partials ? partials->begins.data() : given; }
  int64_t *sizes_or(int64_t *given) { return partials ? partials->sizes.data() : given; }
  int64_t *types_or(int64_t *given) { return partials ? partials->types.data() : given; }

  // Brings the results home.
  void finish() {
    for (const Result &result : results) memcpy(call.begins[result.row], result.place, size_of(result.row));
  }

private:
  struct Result {
    int32_t row;
    char *place;
  };

  bool is_device() const { return call.device_number() >= 0 && call.device_number() < omp_get_num_devices(); }

  void begin(int32_t row, bool shares_memory) {
    partials = store.take(call.device_number(), call.sizes[row]);
    ready = partials != nullptr;
    if (!ready) return;
    partials->bases.assign(call.bases, call.bases + call.count);
    partials->begins.assign(call.begins, call.begins + call.count);
    partials->sizes.assign(call.sizes, call.sizes + call.count);
    partials->types.assign(call.types, call.types + call.count);
    pass(row, partials->memory);
    size_t used = 0;
    for (int32_t i = 0; i < call.count; i++) {
      if ((call.types[i] & REX_MAP_REDUCED) == 0) continue;
      partials->types[i] &= ~REX_MAP_REDUCED;
      if (shares_memory || partials->results == nullptr || used + size_of(i) > Partials::kResults) continue;
      if (omp_target_is_present(call.begins[i], call.device_number())) continue;
      results.push_back({i, partials->results + used});
      memcpy(results.back().place, call.begins[i], size_of(i));
      pass(i, results.back().place);
      used += (size_of(i) + 15) / 16 * 16;
    }
  }

  // The row is an address that the kernel gets as it is.
  void pass(int32_t row, char *address) {
    partials->bases[row] = partials->begins[row] = address;
    partials->sizes[row] = sizeof address;
    partials->types[row] = REX_MAP_LITERAL_PARAM;
  }

  size_t size_of(int32_t row) const { return static_cast<size_t>(call.sizes[row]); }

  PartialsStore &store;
  const Call &call;
  std::unique_ptr<Partials> partials;
  std::vector<Result> results;
  bool ready = true;
};

} // namespace

#endif
