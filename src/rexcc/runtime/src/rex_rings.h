// SPDX-License-Identifier: Apache-2.0
//
// Who carries the copies that are ours (rex_staging.h): the calling thread alone, some, or all.
//
// Alone, through two pinned pieces, a thread is faster than the driver from 64 KiB to 4 MiB. Several are faster from 1 MiB
// on, but making them takes time: more of it for eight with pieces of 2 MiB, which only large copies gain from, than for
// four with 512 KiB. So they are made when the copies before have lost about as much without them
// (docs/decisions/036-own-copies.md).
#ifndef REX_RINGS_H
#define REX_RINGS_H

#include "rex_copy_driver.h"
#include "rex_copy_ring.h"
#include "rex_internal.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace __rex REX_HIDDEN {

class Staging {
public:
  static constexpr int64_t kSmallest = INT64_C(64) << 10;

  // The link unit's; null where libomptarget copies everything. Registration begins and ends it.
  static Staging *of_link_unit() { return in_use; }
  static void begin(int threads);
  static void end();

  explicit Staging(int count) : threads(count) {}
  Staging(const Staging &) = delete;
  ~Staging();

  // Whether so many bytes more are worth it.
  bool worth(int64_t size);

  bool is_pageable(const void *host) const { return driver.complete && !driver.knows(host); }

  // Makes the pieces of the calling thread, for the GPU that an address belongs to.
  void prepare(void *device);

  // Copies one row to or from device memory; false when somebody else has to.
  bool copy(bool up, void *device, char *host, int64_t size);

private:
  friend class Rescue;
  static constexpr int64_t kAlone = INT64_C(1) << 20;     // up to here the calling thread is as fast as all
  static constexpr int64_t kMostAlone = INT64_C(4) << 20; // beyond, the driver is
  static constexpr int64_t kBeforeSome = INT64_C(32) << 20, kBeforeAll = INT64_C(256) << 20; // bytes

  // Memory of the GPU that is kept for the next rescue.
  struct Block {
    uint64_t address = 0;
    size_t size = 0;
  };
  enum Team { kOne, kSome, kAll };
  struct Rings {
    std::unique_ptr<CopyRing> of_team[3];
    Block spare;
  };

  Team team_for(int64_t size) const;
  std::unique_ptr<CopyRing> ring_for(Team team, void *context) const;
  CopyRing *ring_of(uint64_t address, int64_t size);

  static Staging *in_use;
  const int threads;
  const CopyDriver driver;
  std::atomic<int64_t> moved{0};
  std::mutex one_at_a_time;
  std::map<void *, Rings> rings;
};

// Copies of pieces of device memory beside them, for as long as the object lives.
class Rescue {
public:
  struct Item {
    void *device;
    int64_t size;
  };

  Rescue(Staging &given, const std::vector<Item> &items);
  Rescue(const Rescue &) = delete;
  ~Rescue();

  bool is_good() const { return good; }
  void *copy_of(size_t item) const { return reinterpret_cast<void *>(static_cast<uintptr_t>(block.address + starts[item])); }

  // The slow way to the host.
  bool give_back(void *copy, char *host, int64_t size);

private:
  // The driver's memory comes in pieces of 2 MiB. One that is shared with the program's would be returned less often, or more.
  static constexpr size_t kLeast = size_t{2} << 20, kKept = size_t{64} << 20;

  bool take(size_t wanted);

  Staging &staging;
  void *context = nullptr;
  Staging::Block block;
  std::vector<size_t> starts;
  bool good = false;
};

} // namespace __rex

#endif
