// SPDX-License-Identifier: Apache-2.0
//
// Copies between pageable host memory and one GPU, faster than the driver's own. The driver has one thread carry the bytes
// to and from memory that the GPU can reach, which is a fraction of what the link does (docs/decisions/036-own-copies.md).
// Here several threads carry them, each between two pieces of such memory of its own: while the GPU works on one it fills
// the other. Copies home that are larger than the caches go past them, in pieces twice as large: storing in the usual way
// reads each line of the destination first, and two GPUs have more to give than the node's memory can take then. Smaller ones
// are sooner stored in the cache, where the program finds them. Half of the threads carry the first copies past the caches,
// since pieces for all take time to make, and those beside which others go to a device, for which memory shall be left.
#ifndef REX_COPY_RING_H
#define REX_COPY_RING_H

#include "rex_copy_driver.h"
#include "rex_internal.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace __rex REX_HIDDEN {

class CopyRing {
public:
  // `copies_up`: to all devices, at any time.
  CopyRing(const CopyDriver &given, void *gpu_context, const std::atomic<int> &copies_up, int count, size_t largest_piece,
           size_t largest_in_cache = last_cache(), size_t past_caches_by_half = kByHalf);
  CopyRing(const CopyRing &) = delete;
  ~CopyRing();

  // Copies to the GPU (or from it), with the calling thread and up to so many in all; false when the GPU did not do it.
  bool copy(bool up, uint64_t device, char *host, size_t size, int threads);

  // Bytes of the machine's last cache, 0 where it does not tell.
  static size_t last_cache();

private:
  // Pieces are as large as leaves each thread two of a copy: the larger, the more bytes a second.
  static constexpr size_t kSmallestPiece = size_t{128} << 10;

  // A copy home past the caches: from which size at least, in a ring with which pieces, by how many threads if there are, and
  // how many bytes by half of them.
  static constexpr size_t kPastCaches = size_t{64} << 20, kPieceOfLarge = size_t{2} << 20, kFewest = 4;
  static constexpr size_t kByHalf = size_t{2} << 30;

  // Memory that the GPU can reach, the event behind its last copy, and what is on its way through it from the GPU.
  struct Piece {
    char *memory = nullptr;
    void *departed = nullptr;
    char *host = nullptr;
    size_t size = 0;
  };
  struct Worker {
    void *stream = nullptr;
    Piece pieces[2];
    std::thread thread;
  };
  struct Job {
    bool up;
    uint64_t device;
    char *host;
    size_t size, piece, threads;
    size_t room; // for a piece
    bool past_caches;
  };

  bool prepare();
  size_t bytes() const;
  size_t half() const { return std::max(workers.size() / 2, std::min(workers.size(), kFewest)); }
  size_t threads_past_caches(size_t size, size_t wanted);
  char *memory_of(size_t number_of_worker) const;
  bool gives_way(size_t number_of_worker) const { return job.past_caches && number_of_worker >= half() && going_up > 0; }
  static size_t piece_for(size_t size, size_t threads, size_t largest);
  void serve(size_t number_of_worker);
  void carry(size_t number_of_worker);
  bool arrive(Piece &piece);
  bool depart(void *stream, Piece &piece, size_t at, size_t size);

  const CopyDriver &driver;
  void *const context;
  const std::atomic<int> &going_up;
  const size_t largest;  // piece
  const size_t in_cache; // copies home that stay there
  const size_t by_half;  // bytes
  std::vector<Worker> workers; // the first is the calling thread
  void *memory = nullptr, *memory_of_others = nullptr; // the latter: of threads that are not of the half, past the caches
  size_t carried_by_half = 0;
  bool usable = false;

  Job job{};
  std::atomic<size_t> next{0};
  std::atomic<bool> failed{false};

  std::mutex mutex; // of what follows
  std::condition_variable begins, ends;
  uint64_t number = 0; // of the job
  size_t working = 0;
  bool leaves = false;
};

} // namespace __rex

#endif
