// SPDX-License-Identifier: Apache-2.0
#include "rex_ranks.h"

#include <algorithm>
#include <cstdlib>

#include <sched.h>
#include <unistd.h>

namespace __rex REX_HIDDEN {
namespace {

struct Launcher {
  const char *rank, *count;
};

// Open MPI and what it starts under PMIx, Hydra (MPICH, Intel MPI), MVAPICH2, Cray's PMI. Slurm comes last: the processes
// of another launcher within a job inherit its variables.
constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                                  {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
                                  {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
                                  {"PMI_LOCAL_RANK", "PMI_LOCAL_SIZE"}};
constexpr const char *slurm_rank = "SLURM_LOCALID";

// The number that a variable holds; negative for none.
int number_in(const char *variable) {
  const char *text = getenv(variable);
  char *end;
  long number = text != nullptr ? strtol(text, &end, 10) : -1;
  return text != nullptr && end != text && *end == '\0' && number >= 0 && number <= 1 << 20 ? static_cast<int>(number) : -1;
}

// A launcher that binds its ranks leaves each of them fewer cores than it has itself.
bool is_bound() {
  cpu_set_t mine, launchers;
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return true;
  return sched_getaffinity(getppid(), sizeof launchers, &launchers) != 0 || !CPU_EQUAL(&mine, &launchers);
}

} // namespace

int count_on_node(const char *list, int node) {
  for (const char *at = list; at != nullptr && *at >= '0' && *at <= '9';) {
    char *end;
    int count = static_cast<int>(strtol(at, &end, 10)), nodes = 1;
    if (end[0] == '(' && end[1] == 'x') {
      nodes = static_cast<int>(strtol(end + 2, &end, 10));
      if (*end == ')') end++;
    }
    if (node < nodes) return count;
    node -= nodes;
    at = *end == ',' ? end + 1 : nullptr;
  }
  return 0;
}

Rank rank_of_node() {
  for (const Launcher &launcher : launchers)
    if (number_in(launcher.rank) >= 0)
      return {number_in(launcher.rank), std::max(0, number_in(launcher.count)), launcher.rank};
  if (number_in(slurm_rank) < 0) return {};
  int node = std::max(0, number_in("SLURM_NODEID"));
  return {number_in(slurm_rank), count_on_node(getenv("SLURM_STEP_TASKS_PER_NODE"), node), slurm_rank};
}

int cores_of_this_rank() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  Rank rank = rank_of_node();
  return cores_for_each(rank, std::max(1, CPU_COUNT(&cores)), rank.count < 2 || is_bound());
}

} // namespace __rex
