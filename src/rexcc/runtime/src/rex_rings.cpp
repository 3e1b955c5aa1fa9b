// SPDX-License-Identifier: Apache-2.0
#include "rex_rings.h"

#include "rex_profile.h"

#include <algorithm>
#include <utility>

namespace __rex REX_HIDDEN {

Staging *Staging::in_use;

void Staging::begin(int threads, int threads_of_all_devices) { in_use = new Staging(threads, threads_of_all_devices); }

void Staging::end() {
  delete in_use;
  in_use = nullptr;
}

Staging::Staging(int threads, int threads_of_all_devices) : carriers(threads, threads_of_all_devices) {
  for (DeviceRings &rings : devices) rings.use(driver, carriers);
}

DeviceRings::~DeviceRings() {
  if (context == nullptr) return;
  InContext current(*driver, context);
  if (spare.address != 0 && current) driver->free(spare.address);
  if (stream != nullptr && current) driver->destroy_stream(stream);
}

bool DeviceRings::worth(int64_t size) {
  return moved.fetch_add(size, std::memory_order_relaxed) + size > kBeforeSome || size <= kMostAlone;
}

void DeviceRings::prepare(void *device) {
  if (!find_context(device)) return;
  if (Place *place = take(kOne)) give_back(*place);
}

bool DeviceRings::copy(bool up, void *device, char *host, int64_t size) {
  if (device == nullptr || device == host || !find_context(device)) return false;
  Team team = team_for(size);
  Place *place = take(team);
  if (place == nullptr) return false;
  auto carry = [&](int threads) {
    return place->ring->copy(up, reinterpret_cast<uintptr_t>(device), host, static_cast<size_t>(size), threads);
  };
  bool done = team == kOne ? carry(1) : carry(Carriers::Share(*carriers, up).threads());
  give_back(*place);
  if (done) note_copy(up, static_cast<uint64_t>(size));
  return done;
}

DeviceRings::Team DeviceRings::team_for(int64_t size) const {
  int64_t before = moved.load(std::memory_order_relaxed);
  if (size <= kAlone || before <= kBeforeSome) return kOne;
  return before <= kBeforeAll ? kSome : kAll;
}

std::unique_ptr<CopyRing> DeviceRings::ring_for(Team team) const {
  static constexpr size_t pieces[] = {size_t{256} << 10, size_t{512} << 10, size_t{2} << 20};
  int most = carriers->most_of_a_copy(), count = team == kOne ? 1 : team == kSome ? std::min(most, 4) : most;
  return std::make_unique<CopyRing>(*driver, context, carriers->copies_up(), count, pieces[team]);
}

bool DeviceRings::find_context(void *device) {
  std::lock_guard<std::mutex> lock(mutex);
  if (context == nullptr) context = driver->context_of(reinterpret_cast<uintptr_t>(device));
  return context != nullptr;
}

// A small copy does not wait for another: libomptarget takes it at once.
DeviceRings::Place *DeviceRings::take(Team team) {
  std::unique_lock<std::mutex> lock(mutex);
  Place *place = free_place(team);
  if (place == nullptr && team == kOne) return nullptr;
  for (; place == nullptr; place = free_place(team)) returned.wait(lock);
  place->busy = true;
  bool is_new = !std::exchange(place->made, true);
  lock.unlock();
  if (is_new) place->ring = ring_for(team);
  return place;
}

DeviceRings::Place *DeviceRings::free_place(Team team) {
  for (Place &place : places[team])
    if (!place.busy) return &place;
  return nullptr;
}

void DeviceRings::give_back(Place &place) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    place.busy = false;
  }
  returned.notify_all();
}

Rescue::Rescue(DeviceRings &given, const std::vector<Item> &items) : rings(given) {
  size_t wanted = 0;
  for (const Item &item : items) {
    starts.push_back(wanted);
    wanted += (static_cast<size_t>(item.size) + 255) / 256 * 256;
  }
  good = rings.find_context(items.front().device) && take(wanted) && put_beside(items);
}

Rescue::~Rescue() {
  if (block.address == 0) return;
  {
    std::lock_guard<std::mutex> lock(rings.mutex);
    if (block.size <= kKept && block.size > rings.spare.size) std::swap(block, rings.spare);
  }
  InContext current(*rings.driver, rings.context);
  if (block.address != 0 && current) rings.driver->free(block.address);
}

bool Rescue::give_back(void *copy, char *host, int64_t size) {
  const CopyDriver &driver = *rings.driver;
  InContext current(driver, rings.context);
  note_copy(false, static_cast<uint64_t>(size));
  return current && driver.down(host, reinterpret_cast<uintptr_t>(copy), static_cast<size_t>(size), nullptr) == 0 &&
         driver.wait(nullptr) == 0;
}

bool Rescue::take(size_t wanted) {
  constexpr unsigned beside_others = 1;
  const CopyDriver &driver = *rings.driver;
  InContext current(driver, rings.context);
  std::lock_guard<std::mutex> lock(rings.mutex);
  if (!current || (rings.stream == nullptr && driver.create_stream(&rings.stream, beside_others) != 0)) return false;
  if (rings.spare.size >= wanted) {
    std::swap(block, rings.spare);
    return true;
  }
  size_t free = 0, total = 0, size = std::max(wanted, kLeast);
  if (driver.memory_info(&free, &total) != 0 || free < size + total / 16) return false;
  if (driver.allocate(&block.address, size) != 0) return false;
  block.size = size;
  return true;
}

bool Rescue::put_beside(const std::vector<Item> &items) {
  const CopyDriver &driver = *rings.driver;
  InContext current(driver, rings.context);
  if (!current) return false;
  for (size_t i = 0; i < items.size(); i++)
    if (driver.across(block.address + starts[i], reinterpret_cast<uintptr_t>(items[i].device),
                      static_cast<size_t>(items[i].size), rings.stream) != 0)
      return false;
  return driver.wait(rings.stream) == 0;
}

} // namespace __rex
