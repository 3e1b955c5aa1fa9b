// SPDX-License-Identifier: Apache-2.0
//
// Who carries the copies that are ours (rex_staging.h): the calling thread alone, some, or all. Part of register_cubin.cpp.
//
// Alone, through two pinned pieces, a thread is faster than the driver from 64 KiB to 4 MiB. Several are faster from 1 MiB
// on, but making them takes time: more of it for eight with pieces of 2 MiB, which only large copies gain from, than for
// four with 512 KiB. So they are made when the copies before have lost about as much without them
// (docs/decisions/036-own-copies.md).
#ifndef REX_RINGS_H
#define REX_RINGS_H

#include "rex_copy_ring.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace {

class Staging {
public:
  static constexpr int64_t kSmallest = INT64_C(64) << 10;
  static constexpr int64_t kAlone = INT64_C(1) << 20;     // up to here the calling thread is as fast as all
  static constexpr int64_t kMostAlone = INT64_C(4) << 20; // beyond, the driver is
  static constexpr int64_t kBeforeSome = INT64_C(32) << 20, kBeforeAll = INT64_C(256) << 20; // bytes

  explicit Staging(int count) : threads(count) {}
  Staging(const Staging &) = delete;
  ~Staging() {
    for (auto &[context, of_context] : rings) {
      InContext current(driver, context);
      if (of_context.spare.address != 0 && current) driver.free(of_context.spare.address);
    }
  }

  // Whether so many bytes more are worth it.
  bool worth(int64_t size) {
    return moved.fetch_add(size, std::memory_order_relaxed) + size > kBeforeSome || size <= kMostAlone;
  }

  bool is_pageable(const void *host) const { return driver.complete && !driver.knows(host); }

  // Makes the pieces of the calling thread, for the GPU that an address belongs to.
  void prepare(void *device) {
    std::lock_guard<std::mutex> lock(one_at_a_time);
    if (driver.complete) ring_of(reinterpret_cast<uintptr_t>(device), kSmallest);
  }

  // Copies one row to or from device memory; false when somebody else has to.
  bool copy(bool up, void *device, char *host, int64_t size) {
    std::unique_lock<std::mutex> lock(one_at_a_time, std::try_to_lock);
    if (!lock.owns_lock() || device == nullptr || device == host) return false;
    uint64_t address = reinterpret_cast<uintptr_t>(device);
    CopyRing *ring = ring_of(address, size);
    return ring != nullptr && ring->copy(up, address, host, static_cast<size_t>(size));
  }

private:
  friend class Rescue;
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

  Team team_for(int64_t size) const {
    int64_t before = moved.load(std::memory_order_relaxed);
    if (size <= kAlone || before <= kBeforeSome) return kOne;
    return before <= kBeforeAll ? kSome : kAll;
  }

  std::unique_ptr<CopyRing> ring_for(Team team, void *context) const {
    static constexpr size_t pieces[] = {size_t{256} << 10, size_t{512} << 10, size_t{2} << 20};
    int count = team == kOne ? 1 : team == kSome ? std::min(threads, 4) : threads;
    return std::make_unique<CopyRing>(driver, context, count, pieces[team]);
  }

  CopyRing *ring_of(uint64_t address, int64_t size) {
    void *context = driver.context_of(address);
    if (context == nullptr) return nullptr;
    Team team = team_for(size);
    std::unique_ptr<CopyRing> &ring = rings[context].of_team[team];
    if (!ring) ring = ring_for(team, context);
    return ring.get();
  }

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

  Rescue(Staging &given, const std::vector<Item> &items) : staging(given) {
    uint64_t first = reinterpret_cast<uintptr_t>(items.front().device);
    std::lock_guard<std::mutex> lock(staging.one_at_a_time);
    CopyRing *ring = staging.ring_of(first, Staging::kSmallest);
    if (ring == nullptr) return;
    context = staging.driver.context_of(first);
    size_t wanted = 0;
    for (const Item &item : items) {
      starts.push_back(wanted);
      wanted += (static_cast<size_t>(item.size) + 255) / 256 * 256;
    }
    good = take(wanted);
    for (size_t i = 0; good && i < items.size(); i++)
      good = ring->copy_across(block.address + starts[i], reinterpret_cast<uintptr_t>(items[i].device),
                               static_cast<size_t>(items[i].size));
  }
  ~Rescue() {
    if (block.address == 0) return;
    std::lock_guard<std::mutex> lock(staging.one_at_a_time);
    Staging::Block &spare = staging.rings[context].spare;
    if (block.size <= kKept && block.size > spare.size) std::swap(block, spare);
    InContext current(staging.driver, context);
    if (block.address != 0 && current) staging.driver.free(block.address);
  }
  Rescue(const Rescue &) = delete;

  bool is_good() const { return good; }
  void *copy_of(size_t item) const { return reinterpret_cast<void *>(static_cast<uintptr_t>(block.address + starts[item])); }

  // The slow way to the host.
  bool give_back(void *copy, char *host, int64_t size) {
    InContext current(staging.driver, context);
    return current && staging.driver.down(host, reinterpret_cast<uintptr_t>(copy), static_cast<size_t>(size), nullptr) == 0 &&
           staging.driver.wait(nullptr) == 0;
  }

private:
  // The driver's memory comes in pieces of 2 MiB. One that is shared with the program's would be returned less often, or more.
  static constexpr size_t kLeast = size_t{2} << 20, kKept = size_t{64} << 20;

  bool take(size_t wanted) {
    Staging::Block &spare = staging.rings[context].spare;
    if (spare.size >= wanted) {
      std::swap(block, spare);
      return true;
    }
    InContext current(staging.driver, context);
    size_t free = 0, total = 0, size = std::max(wanted, kLeast);
    if (!current || staging.driver.memory_info(&free, &total) != 0 || free < size + total / 16) return false;
    if (staging.driver.allocate(&block.address, size) != 0) return false;
    block.size = size;
    return true;
  }

  Staging &staging;
  void *context = nullptr;
  Staging::Block block;
  std::vector<size_t> starts;
  bool good = false;
};

} // namespace

#endif
