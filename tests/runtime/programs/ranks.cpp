// SPDX-License-Identifier: Apache-2.0
// What the runtime makes of a launcher's variables, asked of the runtime's own units. Arguments: the list and the node of Slurm's
// counts, a number of devices, of cores, and whether the rank is bound to them.
#include "rex_ranks.cpp"
#include "rex_spread.cpp"

#include <cstdio>

int main(int argc, char **argv) {
  using namespace __rex;
  if (argc == 3) return printf("%d\n", count_on_node(argv[1], atoi(argv[2]))) < 0;
  if (argc == 4) {
    Rank rank = rank_of_node();
    printf("%s %d %d, device %d, cores %d\n", rank.variable != nullptr ? rank.variable : "none", rank.number, rank.count,
           device_of_rank(rank, atoi(argv[1])), cores_for_each(rank, atoi(argv[2]), atoi(argv[3]) != 0));
    return 0;
  }
  for (int bits = 0; bits < 48; bits++) {
    Choices choices = {(bits & 1) != 0, bits / 16 - 1, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    printf("%d %d %d %d %d: %d\n", choices.has_default_device, choices.wish, choices.calls_routine, choices.names_devices,
           choices.uses_cuda, static_cast<int>(who_chooses(choices)));
  }
}
