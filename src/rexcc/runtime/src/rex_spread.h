// SPDX-License-Identifier: Apache-2.0
//
// Ranks of one node on its devices: each has another one as its default device, where neither the program nor the user
// chooses one. The default device is OpenMP's own (omp_get_default_device() tells it), for all threads or not at all:
// libomp takes it from OMP_DEFAULT_DEVICE when it begins.
#ifndef REX_SPREAD_H
#define REX_SPREAD_H

#include "rex_internal.h"
#include "rex_ranks.h"

#include <string>

namespace __rex REX_HIDDEN {

// Who has chosen; the first that applies counts.
enum class Chooser { nobody, user, switched_off, routine, file, other_runtime };

// What is known when the devices are.
struct Choices {
  bool has_default_device; // OMP_DEFAULT_DEVICE
  int wish;                // REX_SPREAD_RANKS: 0, 1, or negative where it is not set
  bool calls_routine;      // the program calls omp_set_default_device()
  bool names_devices;      // a file of the program has `device` clauses, or gives routines numbers of devices
  bool uses_cuda;          // the program chooses for CUDA
};
Chooser who_chooses(const Choices &choices);

// What REX_INFO tells of a rank.
std::string told_of_rank(const Rank &rank, int devices, Chooser chooser, bool has_begun);

// Gives this rank its device: made before images are registered, with which libomp may begin, and finished after. Once in
// a process, by the link unit that registers first.
class Spread {
public:
  explicit Spread(int count);
  void finish();

private:
  int devices;
  Rank rank;
  Chooser chooser = Chooser::nobody;
};

// A routine is given the number of a device. Where this rank has a default device of its own, a program that names another
// one counts on one that all ranks have: it is told, and ends.
void check_named_device(const char *routine, int device);

} // namespace __rex

#endif
