// SPDX-License-Identifier: Apache-2.0
#include "rex_spread.h"

#include "rex_messages.h"
#include "rex_relocations.h"
#include "rex_settings.h"

#include <cstdlib>
#include <cstring>

namespace __rex REX_HIDDEN {
namespace {

int device_of_this_rank = -1; // once ranks are spread

constexpr const char *default_device = "OMP_DEFAULT_DEVICE";

Choices choices_of_process() {
  const char *wish = setting("REX_SPREAD_RANKS");
  Choices found;
  found.has_default_device = setting(default_device) != nullptr;
  found.wish = wish == nullptr ? -1 : strcmp(wish, "0") != 0;
  found.calls_routine = refer_to({"omp_set_default_device"}, Asked::all_objects);
  found.names_devices = rex_names_devices != nullptr;
  found.uses_cuda = refer_to({"cudaSetDevice", "cudaMalloc", "cuCtxSetCurrent", "cuDevicePrimaryCtxRetain"}, Asked::program);
  return found;
}

} // namespace

Chooser who_chooses(const Choices &choices) {
  if (choices.has_default_device) return Chooser::user;
  if (choices.wish >= 0) return choices.wish == 0 ? Chooser::switched_off : Chooser::nobody;
  if (choices.calls_routine) return Chooser::routine;
  if (choices.names_devices) return Chooser::file;
  return choices.uses_cuda ? Chooser::other_runtime : Chooser::nobody;
}

std::string told_of_rank(const Rank &rank, int devices, Chooser chooser, bool has_begun) {
  std::string line = "rank " + std::to_string(rank.number);
  if (rank.count > 0) line += " of " + std::to_string(rank.count);
  line += std::string(" on this node (") + rank.variable + "): ";
  if (chooser == Chooser::nobody && !has_begun)
    return line + "its default device is " + std::to_string(device_of_rank(rank, devices)) + " of " + std::to_string(devices) +
           "; REX_SPREAD_RANKS=0 leaves all ranks on device 0";
  static const char *const reasons[] = {"OpenMP has begun before them",
                                        "OMP_DEFAULT_DEVICE is set",
                                        "REX_SPREAD_RANKS=0",
                                        "the program calls omp_set_default_device()",
                                        "the program names devices (REX_SPREAD_RANKS=1 spreads them all the same)",
                                        "the program chooses for CUDA (REX_SPREAD_RANKS=1 spreads them all the same)"};
  return line + "ranks are not spread over the " + std::to_string(devices) + " devices: " +
         reasons[static_cast<int>(chooser)];
}

Spread::Spread(int count) : devices(count) {
  if (devices > 1) rank = rank_of_node();
  if (rank.variable == nullptr) return;
  chooser = who_chooses(choices_of_process());
  if (chooser == Chooser::nobody) set_variable(default_device, std::to_string(device_of_rank(rank, devices)));
}

void Spread::finish() {
  if (rank.variable == nullptr) return;
  int device = device_of_rank(rank, devices);
  bool is_taken = omp_get_default_device() == device;
  if (chooser == Chooser::nobody) {
    unsetenv(default_device);
    if (is_taken) device_of_this_rank = device;
  }
  if (switched_on("REX_INFO")) say(told_of_rank(rank, devices, chooser, !is_taken));
}

void check_named_device(const char *routine, int device) {
  if (device_of_this_rank < 0 || device == device_of_this_rank || device == omp_get_default_device() ||
      device == omp_get_initial_device())
    return;
  say(std::string(routine) + "() is asked for device " + std::to_string(device) + ", but this rank's default device is " +
      std::to_string(device_of_this_rank) + ", because no file with target regions names one; REX_SPREAD_RANKS=0 leaves all "
      "ranks on device 0");
  exit(EXIT_FAILURE);
}

} // namespace __rex
