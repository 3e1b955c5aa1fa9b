// SPDX-License-Identifier: Apache-2.0
#include "rex_rings.h"

#include <algorithm>
#include <utility>

namespace __rex REX_HIDDEN {

Staging *Staging::in_use;

void Staging::begin(int threads) { in_use = new Staging(threads); }

void Staging::end() {
  delete in_use;
  in_use = nullptr;
}

Staging::~Staging() {
  for (auto &[context, of_context] : rings) {
    InContext current(driver, context);
    if (of_context.spare.address != 0 && current) driver.free(of_context.spare.address);
  }
}

bool Staging::worth(int64_t size) {
  return moved.fetch_add(size, std::memory_order_relaxed) + size > kBeforeSome || size <= kMostAlone;
}

void Staging::prepare(void *device) {
  std::lock_guard<std::mutex> lock(one_at_a_time);
  if (driver.complete) ring_of(reinterpret_cast<uintptr_t>(device), kSmallest);
}

bool Staging::copy(bool up, void *device, char *host, int64_t size) {
  std::unique_lock<std::mutex> lock(one_at_a_time, std::try_to_lock);
  if (!lock.owns_lock() || device == nullptr || device == host) return false;
  uint64_t address = reinterpret_cast<uintptr_t>(device);
  CopyRing *ring = ring_of(address, size);
  return ring != nullptr && ring->copy(up, address, host, static_cast<size_t>(size));
}

Staging::Team Staging::team_for(int64_t size) const {
  int64_t before = moved.load(std::memory_order_relaxed);
  if (size <= kAlone || before <= kBeforeSome) return kOne;
  return before <= kBeforeAll ? kSome : kAll;
}

std::unique_ptr<CopyRing> Staging::ring_for(Team team, void *context) const {
  static constexpr size_t pieces[] = {size_t{256} << 10, size_t{512} << 10, size_t{2} << 20};
  int count = team == kOne ? 1 : team == kSome ? std::min(threads, 4) : threads;
  return std::make_unique<CopyRing>(driver, context, count, pieces[team]);
}

CopyRing *Staging::ring_of(uint64_t address, int64_t size) {
  void *context = driver.context_of(address);
  if (context == nullptr) return nullptr;
  Team team = team_for(size);
  std::unique_ptr<CopyRing> &ring = rings[context].of_team[team];
  if (!ring) ring = ring_for(team, context);
  return ring.get();
}

Rescue::Rescue(Staging &given, const std::vector<Item> &items) : staging(given) {
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

Rescue::~Rescue() {
  if (block.address == 0) return;
  std::lock_guard<std::mutex> lock(staging.one_at_a_time);
  Staging::Block &spare = staging.rings[context].spare;
  if (block.size <= kKept && block.size > spare.size) std::swap(block, spare);
  InContext current(staging.driver, context);
  if (block.address != 0 && current) staging.driver.free(block.address);
}

bool Rescue::give_back(void *copy, char *host, int64_t size) {
  InContext current(staging.driver, context);
  return current && staging.driver.down(host, reinterpret_cast<uintptr_t>(copy), static_cast<size_t>(size), nullptr) == 0 &&
         staging.driver.wait(nullptr) == 0;
}

bool Rescue::take(size_t wanted) {
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

} // namespace __rex
