// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are queued on the GPU and not waited for one by one: the driver's calls, the kernels of this link unit as
// the driver knows them, and each thread's queue. What may be queued decides rex_batches.h.
//
// libomptarget keeps the functions that it loads to itself, so the images are loaded once more. Only images without
// variables of the user's in global memory qualify, but for constants that are used by their values alone: nothing tells
// two copies of them apart.
#ifndef REX_QUEUE_H
#define REX_QUEUE_H

#include "rex_arrivals.h"
#include "rex_cuda.h"
#include "rex_gate.h"
#include "rex_internal.h"
#include "rex_modules.h"
#include "rex_profile.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace __rex REX_HIDDEN {

// A stream of the driver's, with room on the device for what one launch brings along: the next one's bytes come behind it.
// So does what launches that reduce leave in the memory for partial results, which has a counter at its beginning
// (rex_partials.h).
struct Queue {
  static constexpr size_t kRoom = 4096;
  static constexpr int64_t kPartialsHead = 64;
  // Rows on their way. What comes home is in memory of the host's that the GPU reaches itself, where the driver waits for no
  // copy. What goes to the device is in pageable memory, of which the driver has taken the bytes when it returns; the pages
  // are the queue's alone, so nobody pins them with memory of his own.
  static constexpr size_t kArrivals = size_t{64} << 10, kDepartures = size_t{64} << 10;
  struct Memory {
    uint64_t address = 0;
    int64_t size = 0;
  };
  // Behind a pointer, as a thread has little room for its own; with memory that is all zeros between two launches.
  struct OnTheWay {
    char *arrivals = nullptr, *departures = nullptr;
    Memory zeros;

    // What has been queued to arrive, and is brought to its place when the queue has been waited for.
    struct Arrival {
      char *to;
      size_t at, size; // in the arrivals
    };
    std::vector<Arrival> arriving;
    size_t arriving_end = 0;
  };
  OnTheWay *rows = nullptr;

  void *stream = nullptr;
  uint64_t room = 0;
  Memory partials; // for the results of teams
};

class Streams; // rex_streams.h

// The kernels of this link unit on a device, by the host addresses that stand for them. libomptarget's number of the device
// is the driver's too: see load_kernels().
class QueuedKernels {
public:
  static constexpr int kDevices = Gate::kDevices;

  // The link unit's on a device; null where there are none. Made once, never destroyed: the user's own destructors may
  // launch.
  static QueuedKernels *of_device(int64_t device) {
    return device >= 0 && device < kDevices ? of_link_unit[device].loaded.load(std::memory_order_acquire) : nullptr;
  }

  // Whether nothing is to be loaded on a device any more.
  static bool are_prepared(int64_t device) {
    return device < 0 || device >= kDevices || of_link_unit[device].prepared.load(std::memory_order_acquire);
  }

  // Loads what qualifies, once; no harm where nothing does. `reduces`: some kernels want memory for partial results.
  static void prepare(const Modules &modules, int device, bool reduces);

  explicit QueuedKernels(int number) : device(number) {}
  const int device;

  // The driver's function, null for a kernel that cannot be queued.
  void *function(const void *host_ptr) const {
    auto found = functions.find(host_ptr);
    return found == functions.end() ? nullptr : found->second;
  }

  // An empty queue for a thread, without a stream when there is none to be had.
  Queue take_queue();
  void give_back(const Queue &queue);

  // Streams beside a queue, null where the driver has no events for them.
  Streams *take_streams();
  void give_back(Streams *streams);

  // Events, which tell one stream what has been queued in another; false when the driver fails.
  bool make_event(void *&event) const {
    constexpr unsigned without_time = 2;
    return create_event(&event, without_time) == 0;
  }
  bool record(void *event, const Queue &queue) const { return record_event(event, queue.stream) == 0; }
  bool wait_for(void *event, const Queue &queue) const { return await_event(queue.stream, event, 0) == 0; }

  // Puts bytes into the queue's room, behind what is queued. The driver has taken them when this returns.
  bool fill_room(const Queue &queue, const char *bytes, size_t size) const {
    return queue.room != 0 && bring(queue, queue.room, bytes, size);
  }

  static Queue::Memory &partials_of(Queue &queue, bool is_zeroed) {
    return is_zeroed ? on_the_way(queue).zeros : queue.partials;
  }

  // Has memory for so many bytes of partial results; false where there is none. What is queued goes on with the memory
  // that was too small.
  bool reserve_partials(Queue &queue, int64_t size, bool is_zeroed) const {
    Queue::Memory &memory = partials_of(queue, is_zeroed);
    return size <= memory.size || enlarge_partials(queue, memory, size, is_zeroed);
  }

  // Memory for what comes home, and for what goes to the device; null where there is none.
  char *arrivals(Queue &queue) const {
    Queue::OnTheWay &rows = on_the_way(queue);
    void *memory = nullptr;
    if (rows.arrivals == nullptr && pin(&memory, Queue::kArrivals, 0) == 0) rows.arrivals = static_cast<char *>(memory);
    return rows.arrivals;
  }
  static char *departures(Queue &queue) {
    constexpr size_t page = 4096;
    Queue::OnTheWay &rows = on_the_way(queue);
    if (rows.departures == nullptr) rows.departures = static_cast<char *>(aligned_alloc(page, Queue::kDepartures));
    return rows.departures;
  }

  // Where the arrivals end that have been queued, where as many bytes as the room has may arrive behind them, and whether one
  // goes to some of the host's memory.
  static size_t arriving_end(const Queue &queue) { return queue.rows != nullptr ? queue.rows->arriving_end : 0; }
  static size_t place_for_room(const Queue &queue) {
    return (arriving_end(queue) + Queue::kRoom - 1) / Queue::kRoom * Queue::kRoom;
  }
  static bool arrives_at(const Queue &queue, const char *begin, size_t size) {
    if (arriving_end(queue) == 0) return false;
    for (const Queue::OnTheWay::Arrival &one : queue.rows->arriving)
      if (one.to < begin + size && begin < one.to + one.size) return true;
    return false;
  }
  static void add_arrival(Queue &queue, const Queue::OnTheWay::Arrival &arrival) {
    queue.rows->arriving.push_back(arrival);
    queue.rows->arriving_end = arrival.at + arrival.size;
  }

  // Copies to the device, and back, behind what is queued.
  bool bring(const Queue &queue, uint64_t place, const char *host, size_t size) const {
    note_copy(true, size);
    return copy_later(place, host, size, queue.stream) == 0;
  }
  bool fetch(const Queue &queue, char *host, uint64_t place, size_t size) const {
    note_copy(false, size);
    return fetch_later(host, place, size, queue.stream) == 0;
  }

  // The same for rows that come to where arrivals are, by a kernel of ours. Behind other kernels that takes less time than
  // the GPU's engine for copies, which has to wait for the one for kernels first. There is none where ranks take turns on the
  // device: the engine copies while another rank has its turn.
  bool has_bringing_kernel() const { return bring_home != nullptr; }
  bool fetch_by_kernel(const Queue &queue, rex_arrivals &rows) const;

  // Whether the driver knows some of a member in the host's memory, so that kernels may have access to it.
  bool knows(const char *memory, size_t size) const;

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

  // Empty when all has gone well, and has arrived; else the driver's words.
  std::string wait(const Queue &queue) const;

private:
  // Behind a pointer, because each thread has queues (rex_batches.h).
  static Queue::OnTheWay &on_the_way(Queue &queue) {
    if (queue.rows == nullptr) queue.rows = new Queue::OnTheWay;
    return *queue.rows;
  }
  bool load_all(const Modules &modules, bool reduces);
  void load(const rex_offload_module &module);
  bool tell_devices(void *image) const;
  bool find_calls();
  bool find_events(void *driver);
  bool knows(const char *byte) const;
  bool enlarge_partials(Queue &queue, Queue::Memory &memory, int64_t size, bool is_zeroed) const;

  struct OfDevice {
    std::atomic<QueuedKernels *> loaded{nullptr};
    std::atomic<bool> prepared{false};
    std::mutex preparing;
  };
  static OfDevice of_link_unit[kDevices];

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
  int (*pin)(void **, size_t, unsigned) = nullptr;
  GetPointerAttributes *attributes = nullptr;
  int (*create)(void **, unsigned) = nullptr;
  int (*synchronise)(void *) = nullptr;
  int (*start)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
               void **) = nullptr;
  int (*describe)(int, const char **) = nullptr;
  int (*create_event)(void **, unsigned) = nullptr;
  int (*record_event)(void *, void *) = nullptr;
  int (*await_event)(void *, void *, unsigned) = nullptr;
  void *context = nullptr;
  void *bring_home = nullptr; // the driver's function; null where no device file has it
  std::unordered_map<const void *, void *> functions;
  std::mutex lock;
  std::vector<Queue> idle;
  std::vector<Streams *> idle_streams;
};

} // namespace __rex

#endif
