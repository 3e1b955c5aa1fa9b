// SPDX-License-Identifier: Apache-2.0
//
// Who carries the copies that are ours (rex_staging.h): the calling thread alone, some, or all. Each device has rings of its
// own, two for copies of a size, so that one may go up while another comes down; what carries them is shared by all devices
// (rex_carriers.h).
//
// Alone, through two pinned pieces, a thread is faster than the driver from 64 KiB to 4 MiB. Several are faster from 1 MiB
// on, but making them takes time: more of it for eight with pieces of 2 MiB, which only large copies gain from, than for
// four with 512 KiB. So they are made when the copies before have lost about as much without them
// (docs/decisions/036-own-copies.md).
#ifndef REX_RINGS_H
#define REX_RINGS_H

#include "rex_carriers.h"
#include "rex_copy_driver.h"
#include "rex_copy_ring.h"
#include "rex_gate.h"
#include "rex_internal.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace __rex REX_HIDDEN {

// Those of a device.
class DeviceRings {
public:
  DeviceRings() = default;
  DeviceRings(const DeviceRings &) = delete;
  ~DeviceRings();

  void use(const CopyDriver &its_driver, Carriers &its_carriers) { driver = &its_driver, carriers = &its_carriers; }

  // Whether so many bytes more are worth it.
  bool worth(int64_t size);

  // Makes the pieces of the calling thread; the address is one of the device's.
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
  struct Place {
    std::unique_ptr<CopyRing> ring;
    bool made = false, busy = false;
  };
  static constexpr int kRings = 2;

  Team team_for(int64_t size) const;
  std::unique_ptr<CopyRing> ring_for(Team team) const;
  bool find_context(void *device);
  Place *take(Team team);
  Place *free_place(Team team);
  void give_back(Place &place);

  const CopyDriver *driver = nullptr;
  Carriers *carriers = nullptr;
  std::atomic<int64_t> moved{0};

  std::mutex mutex; // of what follows
  std::condition_variable returned;
  void *context = nullptr, *stream = nullptr; // of copies within the GPU
  Place places[3][kRings];
  Block spare;
};

class Staging {
public:
  static constexpr int64_t kSmallest = INT64_C(64) << 10;

  // The link unit's; null where libomptarget copies everything. Registration begins and ends it.
  static Staging *of_link_unit() { return in_use; }
  static void begin(int threads, int threads_of_all_devices);
  static void end();

  Staging(int threads, int threads_of_all_devices);
  Staging(const Staging &) = delete;

  bool is_pageable(const void *host) const { return driver.complete && !driver.knows(host); }

  // Those of a device; null where libomptarget does everything.
  DeviceRings *rings_of(int device) {
    return driver.complete && device >= 0 && device < Gate::kDevices ? &devices[static_cast<size_t>(device)] : nullptr;
  }

private:
  static Staging *in_use;
  const CopyDriver driver;
  Carriers carriers;
  std::array<DeviceRings, Gate::kDevices> devices;
};

// Copies of pieces of device memory beside them, for as long as the object lives.
class Rescue {
public:
  struct Item {
    void *device;
    int64_t size;
  };

  Rescue(DeviceRings &given, const std::vector<Item> &items);
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
  bool put_beside(const std::vector<Item> &items);

  DeviceRings &rings;
  DeviceRings::Block block;
  std::vector<size_t> starts;
  bool good = false;
};

} // namespace __rex

#endif
