// SPDX-License-Identifier: Apache-2.0
//
// Streams beside a thread's queue: the kernels of tasks that do not depend on each other may be executed side by side. Each
// stream is in order, and waits where a task depends on one in another (OpenMP 5.2, 15.9.5). The queue itself is the first.
//
// A place in a stream is the number of what has been queued there. What a place stands for may be found complete later than
// it is, never earlier: a wait for a place is one for that place or one behind it.
#ifndef REX_STREAMS_H
#define REX_STREAMS_H

#include "rex_internal.h"
#include "rex_queue.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace __rex REX_HIDDEN {

class Streams {
public:
  explicit Streams(QueuedKernels &of) : kernels(of) {}

  // The queue in which a task's kernel comes behind all that it depends on; null where the driver fails. note_task() is for a
  // kernel that has been launched there.
  Queue *queue_for(Queue &first, const rex_task &task);
  void note_task(const rex_task &task);

  // Has what comes next in the first stream wait for all that is in the others, and those for that. False where the driver
  // fails.
  bool join(Queue &first);

  // Has all tasks to come wait for all that are queued, for a `taskwait`. False where the driver fails.
  bool wait_for_tasks(Queue &first);

  // Waits for what is in the other streams, and forgets it; the driver's words where it fails.
  std::string wait();

private:
  static constexpr int kMost = 8, kEvents = 32;

  struct Place {
    int stream = 0;
    uint64_t number = 0; // 0: none
  };
  struct Stream {
    Queue queue; // the first one's is the thread's
    uint64_t last = 0;
    int32_t used = 0; // locations by the last task
    uint64_t awaited[kMost] = {}; // the places in other streams which it has been told to wait for
    void *events[kEvents] = {};
    uint64_t recorded[kEvents] = {}; // the place of each event, or a later one's
    bool is_open = false;            // something has been queued for which no other waits
  };
  // The tasks that use a storage location: the last that has it to itself, and by streams those behind it that share it.
  struct Users {
    Place last;
    uint64_t sharing[kMost] = {};
  };

  Queue &queue_of(int stream, Queue &first) { return stream == 0 ? first : streams[stream].queue; }
  int stream_for(const uint64_t (&needed)[kMost]);
  void add_needed(const rex_depend &depend, uint64_t (&needed)[kMost]) const;
  bool is_awaited(int stream, const rex_task &next) const;
  bool record_end(int stream, Queue &first, const rex_task &next);
  bool record(int stream, Queue &first, uint64_t number);
  bool wait_for(int stream, Place place, Queue &first);
  bool gather(int into, Queue &first);
  bool begin_stream(int stream);

  QueuedKernels &kernels;
  Stream streams[kMost];
  int latest = kMost - 1;   // the stream that was begun last
  bool are_parallel = false; // more than one has been used, so places are recorded before they are asked for
  Place fence;              // all that comes is behind it
  int chosen = 0;           // by queue_for()
  std::unordered_map<intptr_t, Users> users;
};

} // namespace __rex

#endif
