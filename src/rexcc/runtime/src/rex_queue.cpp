// SPDX-License-Identifier: Apache-2.0
#include "rex_queue.h"

#include "rex_cubin.h"
#include "rex_gpu_failure.h"
#include "rex_ranks.h"
#include "rex_streams.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace __rex REX_HIDDEN {

QueuedKernels::OfDevice QueuedKernels::of_link_unit[kDevices];

static constexpr char kBringHome[] = "rex_bring_home"; // rex_device_arrivals.h

void QueuedKernels::prepare(const Modules &modules, int device, bool reduces) {
  OfDevice &here = of_link_unit[device];
  std::lock_guard<std::mutex> guard(here.preparing);
  if (here.prepared.load(std::memory_order_relaxed)) return;
  auto kernels = std::make_unique<QueuedKernels>(device);
  if (!modules.empty() && kernels->load_all(modules, reduces)) here.loaded.store(kernels.release(), std::memory_order_release);
  here.prepared.store(true, std::memory_order_release);
}

bool QueuedKernels::load_all(const Modules &modules, bool reduces) {
  if (!find_calls() || retain(&context, device) != 0 || !enter()) return false;
  for (const rex_offload_module *module : modules) load(*module);
  if (!functions.empty()) { // now, not in the first batch, which the user may time
    Queue queue = take_queue();
    if (reduces && queue.stream != nullptr) reserve_partials(queue, 1, false);
    give_back(queue);
  }
  leave();
  return !functions.empty();
}

void QueuedKernels::load(const rex_offload_module &module) {
  for (int32_t i = 0; i < module.entry_count; i++)
    if (module.entries[i].size != 0) return; // a variable
  if (group_of(module, REX_ON_GPU) != nullptr) return; // other files may have some
  auto images = images_for(module, REX_ON_GPU);
  void *found = nullptr;
  bool brings_home = false, shared = shares_device(rank_of_node(), omp_get_num_devices());
  for (const rex_offload_image &image : images) {
    const Cubin cubin(image.begin, image.end);
    if (!cubin.has_no_variables_of_users(module.constants, module.constant_count)) return;
    brings_home = bring_home == nullptr && !shared && cubin.has_kernel(kBringHome);
    if (load_data(&found, image.begin) == 0) break;
  }
  if (found == nullptr || !tell_devices(found)) return;
  if (brings_home && get_function(&bring_home, found, kBringHome) != 0) bring_home = nullptr;
  for (int32_t i = 0; i < module.entry_count; i++) {
    void *function = nullptr;
    const __tgt_offload_entry &entry = module.entries[i];
    if (entry.address != nullptr && get_function(&function, found, entry.symbol) == 0)
      functions[entry.address] = function;
  }
}

// What libomptarget writes into its copy: see rex_device_omp.h.
bool QueuedKernels::tell_devices(void *image) const {
  __tgt_device_environment environment = {0, static_cast<uint32_t>(omp_get_num_devices()),
                                            static_cast<uint32_t>(device)};
  uint64_t place = 0;
  size_t bytes = 0;
  if (get_global(&place, &bytes, image, REX_DEVICE_ENVIRONMENT) != 0) return true; // nobody asks
  return bytes >= sizeof environment && copy_now(place, &environment, sizeof environment) == 0;
}

bool QueuedKernels::find_calls() {
  void *driver = running_driver();
  if (driver == nullptr) return false;
  bool all = find_call(driver, "cuDevicePrimaryCtxRetain", retain);
  all &= find_call(driver, "cuCtxPushCurrent_v2", push) && find_call(driver, "cuCtxPopCurrent_v2", pop);
  all &= find_call(driver, "cuModuleLoadData", load_data) && find_call(driver, "cuModuleGetFunction", get_function);
  all &= find_call(driver, "cuModuleGetGlobal_v2", get_global) && find_call(driver, "cuMemcpyHtoD_v2", copy_now);
  all &= find_call(driver, "cuMemAlloc_v2", allocate) && find_call(driver, "cuMemcpyHtoDAsync_v2", copy_later);
  all &= find_call(driver, "cuMemcpyDtoHAsync_v2", fetch_later);
  all &= find_call(driver, "cuPointerGetAttributes", attributes) && find_call(driver, "cuMemHostAlloc", pin);
  if (!find_events(driver)) create_event = nullptr;
  all &= find_call(driver, "cuStreamCreate", create) && find_call(driver, "cuStreamSynchronize", synchronise);
  return all && find_call(driver, "cuLaunchKernel", start) && find_call(driver, "cuGetErrorString", describe);
}

bool QueuedKernels::find_events(void *driver) {
  bool all = find_call(driver, "cuEventCreate", create_event) && find_call(driver, "cuEventRecord", record_event);
  return all && find_call(driver, "cuStreamWaitEvent", await_event);
}

Queue QueuedKernels::take_queue() {
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

void QueuedKernels::give_back(const Queue &queue) {
  if (queue.stream == nullptr) return;
  std::lock_guard<std::mutex> guard(lock);
  idle.push_back(queue);
}

Streams *QueuedKernels::take_streams() {
  if (create_event == nullptr) return nullptr;
  std::lock_guard<std::mutex> guard(lock);
  if (idle_streams.empty()) return new Streams(*this);
  Streams *streams = idle_streams.back();
  idle_streams.pop_back();
  return streams;
}

void QueuedKernels::give_back(Streams *streams) {
  if (streams == nullptr) return;
  std::lock_guard<std::mutex> guard(lock);
  idle_streams.push_back(streams);
}

bool QueuedKernels::fetch_by_kernel(const Queue &queue, rex_arrivals &rows) const {
  constexpr unsigned of_a_block = 4096, most = 16;
  unsigned bytes = 0;
  for (unsigned row = 0; row < rows.count; row++) bytes += rows.size[row];
  void *parameters[] = {&rows};
  int blocks = static_cast<int>(std::min(most, bytes / of_a_block + 1));
  if (!launch(bring_home, blocks, REX_ARRIVAL_THREADS, 0, queue, parameters)) return false;
  note_copy(false, bytes);
  return true;
}

bool QueuedKernels::enlarge_partials(Queue &queue, Queue::Memory &memory, int64_t size, bool is_zeroed) const {
  int64_t larger = INT64_C(1) << 18;
  while (larger < size) larger *= 2;
  uint64_t address = 0;
  if (allocate(&address, static_cast<size_t>(Queue::kPartialsHead + larger)) != 0) return false;
  const std::vector<char> empty(static_cast<size_t>(Queue::kPartialsHead + (is_zeroed ? larger : 0)));
  if (!bring(queue, address, empty.data(), empty.size())) return false;
  memory = {address, larger};
  return true;
}

// The program may have any bytes pinned, but not a part of a number.
bool QueuedKernels::knows(const char *memory, size_t size) const {
  constexpr size_t number = 8;
  for (size_t at = 0; at < size; at += number)
    if (knows(memory + at)) return true;
  return size > number && knows(memory + size - 1);
}

// Any other answer than that an address is none of the driver's may mean that it is.
bool QueuedKernels::knows(const char *byte) const {
  unsigned type = 0;
  return !get_pointer_attribute(attributes, kPointerMemoryType, reinterpret_cast<uintptr_t>(byte), type) || type != 0;
}

static void bring_arrivals_home(Queue::OnTheWay &rows) {
  for (const Queue::OnTheWay::Arrival &one : rows.arriving) memcpy(one.to, rows.arrivals + one.at, one.size);
  rows.arriving.clear();
  rows.arriving_end = 0;
}

std::string QueuedKernels::wait(const Queue &queue) const {
  int error = synchronise(queue.stream);
  const char *words = nullptr;
  if (error == 0 && arriving_end(queue) != 0) bring_arrivals_home(*queue.rows);
  if (error == 0) return "";
  return words_for(error, describe(error, &words) == 0 ? words : nullptr);
}

} // namespace __rex
