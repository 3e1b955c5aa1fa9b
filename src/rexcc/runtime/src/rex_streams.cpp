// SPDX-License-Identifier: Apache-2.0
#include "rex_streams.h"

#include <algorithm>

namespace __rex REX_HIDDEN {

static bool shares(const rex_depend &depend) { return depend.how == REX_DEPEND_IN; }

// A location is known by its address. Others than `in` are taken for `inout`: their tasks exclude each other.
void Streams::add_needed(const rex_depend &depend, uint64_t (&needed)[kMost]) const {
  auto found = users.find(reinterpret_cast<intptr_t>(depend.address));
  if (found == users.end()) return;
  const Users &these = found->second;
  uint64_t &of_last = needed[these.last.stream];
  of_last = std::max(of_last, these.last.number);
  for (int stream = 0; stream < kMost && !shares(depend); stream++)
    needed[stream] = std::max(needed[stream], these.sharing[stream]);
}

// One at the end of which something stands that a task depends on, so that it need not wait there; else the next.
int Streams::stream_for(const uint64_t (&needed)[kMost]) {
  for (int stream = 0; stream < kMost; stream++)
    if (needed[stream] != 0 && needed[stream] == streams[stream].last) return stream;
  return latest = (latest + 1) % kMost;
}

bool Streams::begin_stream(int stream) {
  Queue &queue = streams[stream].queue;
  if (stream != 0 && queue.stream == nullptr) queue = kernels.take_queue();
  return stream == 0 || queue.stream != nullptr;
}

bool Streams::record(int stream, Queue &first, uint64_t number) {
  void *&event = streams[stream].events[number % kEvents];
  if (event == nullptr && !kernels.make_event(event)) return false;
  if (!kernels.record(event, queue_of(stream, first))) return false;
  streams[stream].recorded[number % kEvents] = streams[stream].last;
  return true;
}

bool Streams::wait_for(int stream, Place place, Queue &first) {
  if (stream == place.stream || streams[stream].awaited[place.stream] >= place.number) return true;
  Stream &other = streams[place.stream];
  if (other.recorded[place.number % kEvents] < place.number && !record(place.stream, first, place.number)) return false;
  if (!kernels.wait_for(other.events[place.number % kEvents], queue_of(stream, first))) return false;
  streams[stream].awaited[place.stream] = place.number;
  return are_parallel = true;
}

// Where a stream ends now, others may have to wait, for the fence or for its last task, unless the one that comes next there
// uses all that this one does, and nobody else does then.
bool Streams::is_awaited(int stream, const rex_task &next) const {
  const Stream &in = streams[stream];
  if (fence.stream == stream && fence.number == in.last) return in.last != 0;
  int32_t left = in.used;
  for (int32_t i = 0; i < next.depend_num; i++) {
    auto found = users.find(reinterpret_cast<intptr_t>(next.depends[i].address));
    if (found == users.end() || shares(next.depends[i])) continue;
    const Users &these = found->second;
    left -= (these.last.stream == stream && these.last.number == in.last) || these.sharing[stream] == in.last;
  }
  return left > 0;
}

// An event for the place where a stream ends, before something else comes there.
bool Streams::record_end(int stream, Queue &first, const rex_task &next) {
  const Stream &in = streams[stream];
  if (!are_parallel || in.recorded[in.last % kEvents] == in.last || !is_awaited(stream, next)) return true;
  return record(stream, first, in.last);
}

Queue *Streams::queue_for(Queue &first, const rex_task &task) {
  uint64_t needed[kMost] = {};
  needed[fence.stream] = fence.number;
  for (int32_t i = 0; i < task.depend_num; i++) {
    if (task.depends[i].how >= REX_DEPEND_ALL_MEMORY) { // a list of its own, or all there is
      chosen = 0;
      return join(first) ? &first : nullptr;
    }
    add_needed(task.depends[i], needed);
  }
  chosen = stream_for(needed);
  if (!begin_stream(chosen)) chosen = 0;
  if (!record_end(chosen, first, task)) return nullptr;
  for (int stream = 0; stream < kMost; stream++)
    if (!wait_for(chosen, {stream, needed[stream]}, first)) return nullptr;
  return &queue_of(chosen, first);
}

void Streams::note_task(const rex_task &task) {
  Stream &stream = streams[chosen];
  stream.last++;
  stream.used = task.depend_num;
  stream.is_open = true;
  are_parallel |= chosen != fence.stream;
  for (int32_t i = 0; i < task.depend_num; i++) {
    if (task.depends[i].how >= REX_DEPEND_ALL_MEMORY) {
      fence = {0, stream.last};
      return users.clear();
    }
    Users &these = users[reinterpret_cast<intptr_t>(task.depends[i].address)];
    if (!shares(task.depends[i])) these = Users();
    if (shares(task.depends[i])) these.sharing[chosen] = stream.last;
    else these.last = {chosen, stream.last};
  }
}

// All that is queued is in front of what comes next in one stream, and that in front of all that comes in others.
bool Streams::gather(int into, Queue &first) {
  for (int stream = 0; stream < kMost; stream++) {
    if (streams[stream].is_open && !wait_for(into, {stream, streams[stream].last}, first)) return false;
    streams[stream].is_open = stream == into;
  }
  fence = {into, ++streams[into].last};
  users.clear();
  return true;
}

bool Streams::join(Queue &first) { return gather(0, first); }

// Where only one stream is open, that goes on.
bool Streams::wait_for_tasks(Queue &first) {
  int into = 0, open = 0;
  for (int stream = 0; stream < kMost; stream++) {
    if (!streams[stream].is_open) continue;
    into = stream;
    open++;
  }
  return open == 0 || gather(open == 1 ? into : 0, first);
}

std::string Streams::wait() {
  std::string failure;
  for (int stream = 0; stream < kMost; stream++) {
    if (stream != 0 && streams[stream].is_open && failure.empty()) failure = kernels.wait(streams[stream].queue);
    streams[stream].is_open = false;
  }
  users.clear();
  fence = Place();
  latest = kMost - 1;
  return failure;
}

} // namespace __rex
