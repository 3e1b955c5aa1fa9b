// SPDX-License-Identifier: Apache-2.0
//
// What a run did, construct by construct (REX_PROFILE). A construct's calls are spans of time on the thread that makes
// them; what is copied and which kernels run meanwhile is theirs. Launches and copies are waited for one by one, so that
// clocks around them are honest.
//
// The link units of a process have one profile: the first that registers makes it, and writes it when the process ends.
// Without REX_PROFILE there is none, and a call asks only that.
#ifndef REX_PROFILE_H
#define REX_PROFILE_H

#include "rex_call.h"
#include "rex_internal.h"

namespace __rex REX_HIDDEN {

class Profiled;

// The profile of the process, as all link units call it: functions of the one that has made it.
class Profile {
public:
  // The one of the process; null where nobody asks for one.
  static Profile *opened() { return of_process; }

  // Finds it, or makes it where the user asks for one.
  static void open(int32_t kind);

  virtual void begin(Profiled &span) = 0;
  virtual void end(Profiled &span) = 0;

  // A copy to the device or back, and a kernel, that this thread has waited for. Times are those of now(); a copy without a
  // beginning is known by its bytes alone.
  virtual void copied(bool up, uint64_t bytes, int64_t began) = 0;
  virtual void ran_kernel(int64_t began, int64_t nanoseconds) = 0;

  // The host executes the region of a construct itself.
  virtual void left_to_host(const __rex_ident *place) = 0;

  // Where regions of a link unit run, as far as it has any.
  virtual void runs_on(int32_t kind) = 0;

  static int64_t now(); // nanoseconds

protected:
  ~Profile() = default;

private:
  static Profile *of_process;
};

// A call is in the profile while this object lives.
class Profiled {
public:
  explicit Profiled(const Call &call) : place(call.place), kind(call.kind), profile(Profile::opened()) {
    if (profile != nullptr) profile->begin(*this);
  }
  ~Profiled() {
    if (profile != nullptr) profile->end(*this);
  }
  Profiled(const Profiled &) = delete;

  const __rex_ident *const place;
  const CallKind kind;
  const char *kernel = nullptr; // the symbol of the one that it launches
  bool on_host = false;
  int64_t began = 0, in_kernels = 0, bytes_to = 0, bytes_from = 0;
  Profiled *outer = nullptr;

private:
  Profile *const profile;
};

// For our own copies; libomptarget tells of its own (rex_profile_tool.h).
inline void note_copy(bool up, uint64_t bytes) {
  if (Profile *profile = Profile::opened()) profile->copied(up, bytes, 0);
}

} // namespace __rex

#endif
