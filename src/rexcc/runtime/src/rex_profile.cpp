// SPDX-License-Identifier: Apache-2.0
#include "rex_profile.h"

#include "rex_cuda.h"
#include "rex_cupti.h"
#include "rex_messages.h"
#include "rex_profile_rows.h"
#include "rex_profile_tool.h"
#include "rex_profile_trace.h"
#include "rex_profile_wishes.h"
#include "rex_settings.h"
#include "rex_units.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace __rex REX_HIDDEN {

Profile *Profile::of_process;

namespace {

// The innermost construct of the thread, and the thread's number; of the link unit that has made the profile.
REX_OF_THREAD Profiled *innermost_profiled;
REX_OF_THREAD int64_t number_of_thread;

int64_t thread_number() {
  if (number_of_thread == 0) number_of_thread = syscall(SYS_gettid);
  return number_of_thread;
}

std::string name_of_gpu() {
  int (*name_of)(char *, int, int) = nullptr;
  char name[128] = "GPU";
  void *driver = running_driver();
  if (driver != nullptr && find_call(driver, "cuDeviceGetName", name_of)) name_of(name, sizeof name, 0);
  return name;
}

void write_file(const std::string &name, const std::string &text) {
  FILE *file = fopen(name.c_str(), "w");
  bool good = file != nullptr && fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) good = fclose(file) == 0 && good;
  if (!good) say("REX_PROFILE: cannot write " + name);
}

void take_kernel_records();

class OwnProfile final : public Profile {
public:
  explicit OwnProfile(const ProfileWishes &wishes) : asked(wishes), process(getpid()) {
    if (!asked.trace.empty() && !trace.open(asked.trace)) say("REX_PROFILE: cannot write " + asked.trace);
  }

  void begin(Profiled &span) override {
    span.outer = innermost_profiled;
    innermost_profiled = &span;
    span.began = now();
  }

  void end(Profiled &span) override {
    int64_t ended = now();
    innermost_profiled = span.outer;
    if (!is_own_process()) return;
    std::lock_guard<std::mutex> guard(lock);
    if (finished) return;
    rows.add(span, ended - span.began);
    if (span.kernel != nullptr) place_of_kernel[span.kernel] = span.place;
    if (!trace.is_open() || span.on_host) return;
    std::string arguments = "\"bytes_to\": " + std::to_string(span.bytes_to) +
                            ", \"bytes_from\": " + std::to_string(span.bytes_from);
    trace.add(readable_place(span.place), name_of(span.kind), thread_number(), span.began, ended, arguments);
  }

  void copied(bool up, uint64_t bytes, int64_t began) override {
    int64_t ended = now();
    Profiled *span = innermost_profiled;
    if (span != nullptr) (up ? span->bytes_to : span->bytes_from) += static_cast<int64_t>(bytes);
    if (!is_own_process()) return;
    std::lock_guard<std::mutex> guard(lock);
    if (finished) return;
    if (span == nullptr && began != 0) rows.add_outside(up, bytes); // ours prepare something
    if (trace.is_open() && began != 0)
      trace.add(up ? "to the device" : "from the device", "copy", thread_number(), began, ended,
                "\"bytes\": " + std::to_string(bytes));
  }

  void ran_kernel(int64_t began, int64_t nanoseconds) override {
    int64_t ended = now();
    Profiled *span = innermost_profiled;
    if (span != nullptr) span->in_kernels += nanoseconds;
    if (!is_own_process()) return;
    std::lock_guard<std::mutex> guard(lock);
    if (finished || !trace.is_open()) return;
    trace.add("kernel", "kernel", thread_number(), began, ended, "\"ns_on_device\": " + std::to_string(nanoseconds));
  }

  void left_to_host(const __rex_ident *place) override {
    Profiled *span = innermost_profiled;
    if (span != nullptr && span->place == place && span->kind == CallKind::kernel) {
      span->on_host = true;
      return;
    }
    if (!is_own_process()) return;
    std::lock_guard<std::mutex> guard(lock);
    rows.add_on_host(place);
  }

  void runs_on(int32_t kind) override {
    if (kind == REX_ON_HOST) return;
    device = kind == REX_ON_GPU ? name_of_gpu() : "CPU device"; // at the end the driver does not answer any more
    if (kind == REX_ON_GPU && KernelRecords::begin()) atexit(take_kernel_records);
  }

  // While the driver answers.
  void take_records() {
    if (!is_own_process()) return;
    auto found = KernelRecords::finish();
    std::lock_guard<std::mutex> guard(lock);
    if (found.empty()) return;
    std::map<const __rex_ident *, int64_t> sums;
    for (const auto &[kernel, place] : place_of_kernel) sums[place] += found[kernel];
    for (const auto &[place, nanoseconds] : sums) rows.set_kernels(place, nanoseconds);
  }

  void finish() {
    if (!is_own_process()) return;
    std::lock_guard<std::mutex> guard(lock);
    if (finished) return;
    finished = true;
    bool sees_copies = device == host || profile_tool_listens();
    if (trace.is_open()) trace.close();
    if (!asked.document.empty()) write_file(asked.document, rows.document(device, sees_copies));
    if (asked.table) fputs(rows.table(device, sees_copies).c_str(), stderr);
  }

private:
  static const char *name_of(CallKind kind) {
    switch (kind) {
    case CallKind::kernel: return "target";
    case CallKind::data_begin: return "data begin";
    case CallKind::data_end: return "data end";
    default: return "data update";
    }
  }

  // A child process has a copy of what its parent did, and of the lock, which another thread may have had.
  bool is_own_process() const { return getpid() == process; }

  const ProfileWishes asked;
  const pid_t process;
  std::mutex lock;
  ProfileRows rows;
  ProfileTrace trace;
  std::map<std::string, const __rex_ident *> place_of_kernel;
  const std::string host = "host";
  std::string device = host;
  bool finished = false;
};

// The one that this link unit has made. Never destroyed: the user's own destructors may still launch.
OwnProfile *own_profile;

void take_kernel_records() { own_profile->take_records(); }

// After the functions of atexit(), which wait for tasks, and after the destructors of the program's variables.
__attribute__((destructor)) void write_profile() {
  if (own_profile != nullptr) own_profile->finish();
}

const char *const profile_variable = "REX_PROCESS_PROFILE";

// Of the same version; the size says so as far as it can.
std::string profile_mark() { return mark_of_process() + std::to_string(sizeof(OwnProfile)) + ":"; }

Profile *profile_of_others() {
  const char *text = getenv(profile_variable);
  std::string mark = profile_mark();
  if (text == nullptr || mark.compare(0, mark.size(), text, mark.size()) != 0) return nullptr;
  return reinterpret_cast<Profile *>(strtoull(text + mark.size(), nullptr, 16));
}

} // namespace

int64_t Profile::now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

void Profile::open(int32_t kind) {
  ProfileWishes wishes = profile_wishes();
  if (!wishes.any()) return;
  if (of_process == nullptr) of_process = profile_of_others();
  if (of_process == nullptr) {
    char address[32];
    of_process = own_profile = new OwnProfile(wishes);
    snprintf(address, sizeof address, "%llx", reinterpret_cast<unsigned long long>(of_process));
    set_variable(profile_variable, profile_mark() + address);
  }
  of_process->runs_on(kind);
}

} // namespace __rex
