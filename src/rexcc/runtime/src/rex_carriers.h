// SPDX-License-Identifier: Apache-2.0
//
// How many threads carry each of the copies that are under way at once, to and from all devices: they share the cores, and
// with them the memory of the node.
#ifndef REX_CARRIERS_H
#define REX_CARRIERS_H

#include "rex_internal.h"

#include <algorithm>
#include <atomic>

namespace __rex REX_HIDDEN {

class Carriers {
public:
  Carriers(int of_a_copy, int of_all) : most(of_a_copy), all(std::max(of_a_copy, of_all)) {}

  int most_of_a_copy() const { return most; }

  // A copy's share, while the object lives.
  class Share {
  public:
    explicit Share(Carriers &given) : carriers(given), copies(given.copies.fetch_add(1) + 1) {}
    ~Share() { carriers.copies.fetch_sub(1); }
    Share(const Share &) = delete;
    int threads() const { return std::max(2, std::min(carriers.most, carriers.all / copies)); }

  private:
    Carriers &carriers;
    const int copies;
  };

private:
  const int most, all;
  std::atomic<int> copies{0};
};

} // namespace __rex

#endif
