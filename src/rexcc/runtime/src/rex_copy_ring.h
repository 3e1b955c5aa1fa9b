// SPDX-License-Identifier: Apache-2.0
//
// Copies between pageable host memory and one GPU, faster than the driver's own. The driver has one thread carry the bytes
// to and from memory that the GPU can reach, which is a fraction of what the link does (docs/decisions/036-own-copies.md).
// Here several threads carry them, each between two pieces of such memory of its own: while the GPU works on one it fills
// the other. Part of register_cubin.cpp.
#ifndef REX_COPY_RING_H
#define REX_COPY_RING_H

#include "rex_copy_driver.h"
#include "rex_overlap.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class CopyRing {
public:
  // Pieces are as large as leaves each thread two of a copy: the larger, the more bytes a second.
  static constexpr size_t kSmallestPiece = size_t{128} << 10;

  CopyRing(const CopyDriver &given, void *gpu_context, int count, size_t largest_piece)
      : driver(given), context(gpu_context), largest(largest_piece), workers(count) {
    usable = prepare();
    for (size_t i = 1; usable && i < workers.size(); i++)
      usable = run_beside(workers[i].thread, [this, i] { serve(workers[i]); });
  }
  CopyRing(const CopyRing &) = delete;
  ~CopyRing() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      leaves = true;
    }
    begins.notify_all();
    for (Worker &worker : workers)
      if (worker.thread.joinable()) worker.thread.join();
    InContext current(driver, context);
    for (Worker &worker : workers) {
      for (Piece &piece : worker.pieces)
        if (piece.departed != nullptr) driver.destroy_event(piece.departed);
      if (worker.stream != nullptr) driver.destroy_stream(worker.stream);
    }
    if (memory != nullptr) driver.unpin(memory);
  }

  // Copies to the GPU (or from it), with the calling thread and all others; false when the GPU did not do it.
  bool copy(bool up, uint64_t device, char *host, size_t size) {
    if (!usable) return false;
    job = {up, device, host, size, piece_for(size)};
    next = 0;
    failed = false;
    {
      std::lock_guard<std::mutex> lock(mutex);
      number++;
      working = workers.size() - 1;
    }
    begins.notify_all();
    carry(workers[0]);
    std::unique_lock<std::mutex> lock(mutex);
    ends.wait(lock, [this] { return working == 0; });
    return !failed;
  }

  // Copies within the GPU.
  bool copy_across(uint64_t to, uint64_t from, size_t size) {
    InContext current(driver, context);
    void *stream = workers[0].stream;
    return usable && current && driver.across(to, from, size, stream) == 0 && driver.wait(stream) == 0;
  }

private:
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
    size_t size, piece;
  };

  bool prepare() {
    constexpr unsigned for_all_contexts = 1, beside_others = 1, without_time = 2;
    InContext current(driver, context);
    if (!current || driver.pin(&memory, workers.size() * 2 * largest, for_all_contexts) != 0) return false;
    char *rest = static_cast<char *>(memory);
    for (Worker &worker : workers) {
      if (driver.create_stream(&worker.stream, beside_others) != 0) return false;
      for (Piece &piece : worker.pieces) {
        if (driver.create_event(&piece.departed, without_time) != 0) return false;
        piece.memory = rest;
        rest += largest;
      }
    }
    return true;
  }

  // Small jobs go in small pieces, so that all threads have some.
  size_t piece_for(size_t size) const {
    size_t share = (size / (workers.size() * 2) + 4095) / 4096 * 4096;
    return std::min(std::max(share, kSmallestPiece), largest);
  }

  void serve(Worker &worker) {
    for (uint64_t done = 0;;) {
      std::unique_lock<std::mutex> lock(mutex);
      begins.wait(lock, [&] { return leaves || number != done; });
      if (leaves) return;
      done = number;
      lock.unlock();
      carry(worker);
      lock.lock();
      if (--working == 0) ends.notify_one();
    }
  }

  void carry(Worker &worker) {
    InContext current(driver, context);
    if (!current) failed = true;
    size_t at = 0;
    int turn = 0;
    for (; !failed && (at = next.fetch_add(job.piece)) < job.size; turn = 1 - turn) {
      Piece &piece = worker.pieces[turn];
      size_t size = std::min(job.piece, job.size - at);
      if (!arrive(piece) || !depart(worker.stream, piece, at, size)) failed = true;
    }
    for (int i = 0; i < 2; i++)
      if (!arrive(worker.pieces[(turn + i) % 2])) failed = true;
  }

  // Waits for what is on its way through a piece.
  bool arrive(Piece &piece) {
    if (driver.wait_for(piece.departed) != 0) return false;
    if (piece.size > 0) memcpy(piece.host, piece.memory, piece.size);
    piece.size = 0;
    return true;
  }

  bool depart(void *stream, Piece &piece, size_t at, size_t size) {
    if (job.up) {
      memcpy(piece.memory, job.host + at, size);
      return driver.up(job.device + at, piece.memory, size, stream) == 0 && driver.record(piece.departed, stream) == 0;
    }
    piece.host = job.host + at;
    piece.size = size;
    return driver.down(piece.memory, job.device + at, size, stream) == 0 && driver.record(piece.departed, stream) == 0;
  }

  const CopyDriver &driver;
  void *const context;
  const size_t largest; // piece
  std::vector<Worker> workers; // the first is the calling thread
  void *memory = nullptr;
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

} // namespace

#endif
