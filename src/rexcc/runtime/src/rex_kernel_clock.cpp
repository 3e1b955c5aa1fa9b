// SPDX-License-Identifier: Apache-2.0
#include "rex_kernel_clock.h"

#include <initializer_list>

#include "rex_cuda.h"

namespace __rex REX_HIDDEN {
namespace {

struct EventCalls {
  int (*create)(void **, unsigned) = nullptr;
  int (*record)(void *, void *) = nullptr;
  int (*between)(float *, void *, void *) = nullptr; // milliseconds
  int (*destroy)(void *) = nullptr;
  int (*synchronise)(void *) = nullptr; // a stream
  bool all = false;

  EventCalls() {
    void *driver = running_driver();
    all = driver != nullptr && find_call(driver, "cuEventCreate", create) && find_call(driver, "cuEventRecord", record) &&
          find_call(driver, "cuEventElapsedTime", between) && find_call(driver, "cuEventDestroy_v2", destroy) &&
          find_call(driver, "cuStreamSynchronize", synchronise);
  }
};

const EventCalls &calls() {
  static const EventCalls found;
  return found;
}

void *recorded_event(void *stream) {
  void *event = nullptr;
  if (!calls().all || calls().create(&event, 0) != 0) return nullptr;
  calls().record(event, stream);
  return event;
}

} // namespace

KernelClock::KernelClock(void *given) : stream(given), first(recorded_event(given)), began(Profile::now()) {}

// Without events, or where the kernel has failed, nothing is told; who waits for the stream next hears of a failure too.
void KernelClock::finish() {
  last = recorded_event(stream);
  float milliseconds = 0;
  if (first == nullptr || last == nullptr || calls().synchronise(stream) != 0) return;
  if (calls().between(&milliseconds, first, last) != 0) return;
  Profile::opened()->ran_kernel(began, static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6));
}

KernelClock::~KernelClock() {
  for (void *event : {first, last})
    if (event != nullptr) calls().destroy(event);
}

} // namespace __rex
