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
    Share(Carriers &given, bool goes_up) : carriers(given), up(goes_up), copies(given.copies.fetch_add(1) + 1) {
      carriers.going_up.fetch_add(up);
    }
    ~Share() {
      carriers.going_up.fetch_sub(up);
      carriers.copies.fetch_sub(1);
    }
    Share(const Share &) = delete;
    int threads() const { return std::max(2, std::min(carriers.most, carriers.all / copies)); }

  private:
    Carriers &carriers;
    const bool up;
    const int copies;
  };

  // How many copies to devices are under way.
  const std::atomic<int> &copies_up() const { return going_up; }

private:
  const int most, all;
  std::atomic<int> copies{0}, going_up{0};
};

} // namespace __rex

#endif
