// SPDX-License-Identifier: Apache-2.0
//
// How long a kernel takes that the driver gets from us, by the driver's events around it, for a profile.
#ifndef REX_KERNEL_CLOCK_H
#define REX_KERNEL_CLOCK_H

#include "rex_internal.h"
#include "rex_profile.h"

namespace __rex REX_HIDDEN {

// In a stream of the thread's context, from now to finish(), which waits for the stream and tells the profile.
class KernelClock {
public:
  explicit KernelClock(void *stream);
  ~KernelClock();
  KernelClock(const KernelClock &) = delete;

  void finish();

private:
  void *const stream;
  void *first = nullptr, *last = nullptr; // events
  int64_t began;
};

// Launches, by the clock where there is a profile.
template <class Launch> bool launched_by_clock(void *stream, Launch launch) {
  if (Profile::opened() == nullptr) return launch();
  KernelClock clock(stream);
  bool launched = launch();
  if (launched) clock.finish();
  return launched;
}

} // namespace __rex

#endif
