// SPDX-License-Identifier: Apache-2.0
//
// The ranks of one node: which of them this process is, as the launchers of MPI say in the environment, and what follows of
// it. Nothing here asks MPI, which starts after the GPU has.
#ifndef REX_RANKS_H
#define REX_RANKS_H

#include "rex_internal.h"

namespace __rex REX_HIDDEN {

// A rank among those of its node. Without a launcher there is no variable; a count of 0 is one that it does not tell.
struct Rank {
  int number = 0;
  int count = 0;
  const char *variable = nullptr;
};
Rank rank_of_node();

// The entry of Slurm's list of counts ("4(x2),1") for a node; 0 where it has none.
int count_on_node(const char *list, int node);

// The device of a rank: neighbours have different ones.
inline int device_of_rank(const Rank &rank, int devices) { return devices > 0 ? rank.number % devices : 0; }

// Whether ranks take turns on a device. Where each of them is shown another one it seems so, too.
inline bool shares_device(const Rank &rank, int devices) { return rank.count > devices; }

// Cores for each of the ranks: all that the process may use where its launcher has bound it to them, else its share of
// those that it has in common with the others, less than one as 0.
inline int cores_for_each(const Rank &rank, int cores, bool is_bound) {
  return is_bound || rank.count < 2 ? cores : cores / rank.count;
}
int cores_of_this_rank();

} // namespace __rex

#endif
