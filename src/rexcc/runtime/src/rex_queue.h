// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are queued on the GPU and not waited for one by one: the driver's calls, the kernels of this link unit as
// the driver knows them, and each thread's queue. Part of register_cubin.cpp; what may be queued decides rex_batches.h.
//
// libomptarget keeps the functions that it loads to itself, so the images are loaded once more. Only images without
// variables of the user's in global memory qualify: nothing tells two copies of them apart.
#ifndef REX_QUEUE_H
#define REX_QUEUE_H

#include "rex_decide.h"
#include "rex_libomptarget.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <dlfcn.h>

namespace {

// The variables of a cubin (ELF64) that lie in global memory.
class CubinVariables {
public:
  CubinVariables(const char *begin, const char *end) : bytes(begin), size(static_cast<uint64_t>(end - begin)) {}

  // Whether there are none but literals and the one that tells OpenMP's routines about the devices. A file that cannot be
  // read has some.
  bool are_none_of_users() const {
    Header header;
    if (!read(0, header) || header.section_size != sizeof(Section)) return false;
    for (uint16_t i = 0; i < header.section_count; i++) {
      Section section;
      if (!read(header.sections + i * sizeof section, section)) return false;
      if (section.type == kSymbols && !are_none_in(header, section)) return false;
    }
    return true;
  }

private:
  enum { kSymbols = 2, kObject = 1 };
  struct Header {
    char before[40];
    uint64_t sections;
    uint32_t flags;
    uint16_t header_size, program_size, program_count, section_size, section_count, names;
  };
  struct Section {
    uint32_t name, type;
    uint64_t flags, address, offset, size;
    uint32_t link, info;
    uint64_t alignment, entry_size;
  };
  struct Symbol {
    uint32_t name;
    uint8_t info, other;
    uint16_t section;
    uint64_t value, size;
  };

  template <class What> bool read(uint64_t offset, What &what) const {
    if (offset > size || size - offset < sizeof what) return false;
    memcpy(&what, bytes + offset, sizeof what);
    return true;
  }

  bool are_none_in(const Header &header, const Section &symbols) const {
    Section names;
    if (!read(header.sections + symbols.link * sizeof names, names)) return false;
    for (uint64_t at = 0; at + sizeof(Symbol) <= symbols.size; at += sizeof(Symbol)) {
      Symbol symbol;
      if (!read(symbols.offset + at, symbol)) return false;
      if ((symbol.info & 15) != kObject || !is_global(header, symbol.section)) continue;
      if (is_local(symbol) && starts_with(names.offset + symbol.name, "$str")) continue; // a literal
      if (!is_named(names.offset + symbol.name, device_environment)) return false;
    }
    return true;
  }

  static bool is_local(const Symbol &symbol) { return symbol.info >> 4 == 0; }

  bool is_global(const Header &header, uint16_t index) const {
    Section section, names;
    if (index == 0 || index >= header.section_count) return false;
    if (!read(header.sections + index * sizeof section, section)) return true;
    if (!read(header.sections + header.names * sizeof names, names)) return true;
    static const char global[] = ".nv.global";
    char start[sizeof global - 1];
    return !read(names.offset + section.name, start) || memcmp(start, global, sizeof start) == 0;
  }

  bool is_named(uint64_t offset, const char *name) const { return has(offset, name, strlen(name) + 1); }
  bool starts_with(uint64_t offset, const char *name) const { return has(offset, name, strlen(name)); }
  bool has(uint64_t offset, const char *text, uint64_t length) const {
    return offset <= size && size - offset >= length && memcmp(bytes + offset, text, length) == 0;
  }

public:
  static constexpr const char *device_environment = "__omp_rtl_device_environment";

private:
  const char *bytes;
  uint64_t size;
};

// A stream of the driver's, with room on the device for what one launch brings along: the next one's bytes come behind it.
// So does what launches that reduce leave in the memory for partial results, which has a counter at its beginning
// (rex_partials.h).
struct Queue {
  static constexpr size_t kRoom = 4096;
  static constexpr int64_t kPartialsHead = 64;
  void *stream = nullptr;
  uint64_t room = 0, partials = 0;
  int64_t partials_size = 0;
};

// The kernels of this link unit on device 0, by the host addresses that stand for them.
class QueuedKernels {
public:
  // Loads what qualifies; no harm where nothing does. `reduces`: some kernels want memory for partial results.
  void load(const Modules &modules, bool reduces = false) {
    if (!find_calls() || retain(&context, 0) != 0 || push(context) != 0) return;
    for (const rex_offload_module *module : modules) load(*module);
    if (any()) { // now, not in the first batch, which the user may time
      Queue queue = take_queue();
      if (reduces && queue.stream != nullptr) reserve_partials(queue, 1);
      give_back(queue);
    }
    void *popped = nullptr;
    pop(&popped);
  }

  bool any() const { return !functions.empty(); }

  // The driver's function, null for a kernel that cannot be queued.
  void *function(const void *host_ptr) const {
    auto found = functions.find(host_ptr);
    return found == functions.end() ? nullptr : found->second;
  }

  // An empty queue for a thread, without a stream when there is none to be had.
  Queue take_queue() {
    constexpr unsigned non_blocking = 1;
    std::lock_guard<std::mutex> guard(lock);
    Queue queue;
    if (!idle.empty()) {
      queue = idle.back();
      idle.pop_back();
    } else if (create(&queue.stream, non_blocking) == 0) {
      if (allocate(&queue.room, Queue::kRoom) != 0) queue.room = 0;
    }
    return queue;
  }
  void give_back(const Queue &queue) {
    if (queue.stream == nullptr) return;
    std::lock_guard<std::mutex> guard(lock);
    idle.push_back(queue);
  }

  // Puts bytes into the queue's room, behind what is queued. The driver has taken them when this returns.
  bool fill_room(const Queue &queue, const char *bytes, size_t size) const {
    return queue.room != 0 && bring(queue, queue.room, bytes, size);
  }

  // Has memory for so many bytes of partial results; false where there is none. What is queued goes on with the memory
  // that was too small.
  bool reserve_partials(Queue &queue, int64_t size) const {
    static const char empty[Queue::kPartialsHead] = {};
    if (size <= queue.partials_size) return true;
    int64_t larger = INT64_C(1) << 18;
    while (larger < size) larger *= 2;
    uint64_t memory = 0;
    if (allocate(&memory, static_cast<size_t>(Queue::kPartialsHead + larger)) != 0) return false;
    if (!bring(queue, memory, empty, sizeof empty)) return false;
    queue.partials = memory;
    queue.partials_size = larger;
    return true;
  }

  // Copies to the device, and back, behind what is queued.
  bool bring(const Queue &queue, uint64_t place, const char *host, size_t size) const {
    return copy_later(place, host, size, queue.stream) == 0;
  }
  bool fetch(const Queue &queue, char *host, uint64_t place, size_t size) const {
    return fetch_later(host, place, size, queue.stream) == 0;
  }

  // Makes the GPU's context the thread's own, and back.
  bool enter() const { return push(context) == 0; }
  void leave() const {
    void *popped = nullptr;
    pop(&popped);
  }

  // False when the driver refuses the launch; then nothing has been queued.
  bool launch(void *function, int teams, int threads, uint32_t shared_bytes, const Queue &queue,
              void **parameters) const {
    auto blocks = static_cast<unsigned>(teams), width = static_cast<unsigned>(threads);
    return start(function, blocks, 1, 1, width, 1, 1, shared_bytes, queue.stream, parameters, nullptr) == 0;
  }

  // Empty when all has gone well, else the driver's words.
  std::string wait(const Queue &queue) const {
    int error = synchronise(queue.stream);
    const char *words = nullptr;
    if (error == 0) return "";
    return describe(error, &words) == 0 && words != nullptr ? words : "CUDA error " + std::to_string(error);
  }

private:
  void load(const rex_offload_module &module) {
    for (int32_t i = 0; i < module.entry_count; i++)
      if (module.entries[i].size != 0) return; // a variable
    auto images = images_for(module, REX_ON_GPU);
    void *loaded = nullptr;
    for (const rex_offload_image &image : images) {
      if (!CubinVariables(image.begin, image.end).are_none_of_users()) return;
      if (load_data(&loaded, image.begin) == 0) break;
    }
    if (loaded == nullptr || !tell_devices(loaded)) return;
    for (int32_t i = 0; i < module.entry_count; i++) {
      void *function = nullptr;
      const __tgt_offload_entry &entry = module.entries[i];
      if (entry.address != nullptr && get_function(&function, loaded, entry.symbol) == 0)
        functions[entry.address] = function;
    }
  }

  // What libomptarget writes into its copy: see rex_device_omp.h.
  bool tell_devices(void *loaded) const {
    uint32_t words[3] = {0, static_cast<uint32_t>(omp_get_num_devices()), 0};
    uint64_t place = 0;
    size_t bytes = 0;
    if (get_global(&place, &bytes, loaded, CubinVariables::device_environment) != 0) return true; // nobody asks
    return bytes >= sizeof words && copy_now(place, words, sizeof words) == 0;
  }

  bool find_calls() {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (driver == nullptr) return false;
    bool all = find(driver, "cuDevicePrimaryCtxRetain", retain);
    all &= find(driver, "cuCtxPushCurrent_v2", push) && find(driver, "cuCtxPopCurrent_v2", pop);
    all &= find(driver, "cuModuleLoadData", load_data) && find(driver, "cuModuleGetFunction", get_function);
    all &= find(driver, "cuModuleGetGlobal_v2", get_global) && find(driver, "cuMemcpyHtoD_v2", copy_now);
    all &= find(driver, "cuMemAlloc_v2", allocate) && find(driver, "cuMemcpyHtoDAsync_v2", copy_later);
    all &= find(driver, "cuMemcpyDtoHAsync_v2", fetch_later);
    all &= find(driver, "cuStreamCreate", create) && find(driver, "cuStreamSynchronize", synchronise);
    return all && find(driver, "cuLaunchKernel", start) && find(driver, "cuGetErrorString", describe);
  }

  template <class Function> static bool find(void *driver, const char *name, Function *&function) {
    function = reinterpret_cast<Function *>(dlsym(driver, name));
    return function != nullptr;
  }

  int (*retain)(void **, int) = nullptr;
  int (*push)(void *) = nullptr;
  int (*pop)(void **) = nullptr;
  int (*load_data)(void **, const void *) = nullptr;
  int (*get_function)(void **, void *, const char *) = nullptr;
  int (*get_global)(uint64_t *, size_t *, void *, const char *) = nullptr;
  int (*copy_now)(uint64_t, const void *, size_t) = nullptr;
  int (*allocate)(uint64_t *, size_t) = nullptr;
  int (*copy_later)(uint64_t, const void *, size_t, void *) = nullptr;
  int (*fetch_later)(void *, uint64_t, size_t, void *) = nullptr;
  int (*create)(void **, unsigned) = nullptr;
  int (*synchronise)(void *) = nullptr;
  int (*start)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
               void **) = nullptr;
  int (*describe)(int, const char **) = nullptr;
  void *context = nullptr;
  std::unordered_map<const void *, void *> functions;
  std::mutex lock;
  std::vector<Queue> idle;
};

} // namespace

#endif
