// SPDX-License-Identifier: Apache-2.0
#include "rex_copy_ring.h"

#include "rex_threads.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <unistd.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace __rex REX_HIDDEN {
namespace {

// Copies what nobody reads soon, without fetching lines of the destination.
void copy_past_caches(char *to, const char *from, size_t size) {
#ifdef __SSE2__
  constexpr size_t line = 64, part = sizeof(__m128i);
  size_t first = std::min(size, (line - reinterpret_cast<uintptr_t>(to) % line) % line);
  memcpy(to, from, first);
  size_t at = first;
  for (; at + line <= size; at += line)
    for (size_t i = 0; i < line; i += part)
      _mm_stream_si128(reinterpret_cast<__m128i *>(to + at + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + at + i)));
  memcpy(to + at, from + at, size - at);
  _mm_sfence();
#else
  memcpy(to, from, size);
#endif
}

} // namespace

size_t CopyRing::last_cache() {
#ifdef _SC_LEVEL3_CACHE_SIZE
  static const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? static_cast<size_t>(bytes) : 0;
#else
  return 0;
#endif
}

CopyRing::CopyRing(const CopyDriver &given, void *gpu_context, int count, size_t largest_piece, size_t largest_in_cache)
    : driver(given), context(gpu_context), largest(largest_piece), in_cache(largest_in_cache), workers(count) {
  usable = prepare();
  for (size_t i = 1; usable && i < workers.size(); i++)
    usable = run_beside(workers[i].thread, [this, i] { serve(i); });
}

CopyRing::~CopyRing() {
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

bool CopyRing::copy(bool up, uint64_t device, char *host, size_t size, int threads) {
  if (!usable) return false;
  size_t carriers = std::min(workers.size(), static_cast<size_t>(threads)), room = largest;
  bool past_caches = !up && size >= std::max(kPastCaches, in_cache) && largest >= kPieceOfLarge;
  if (past_caches) carriers = std::min(carriers, threads_past_caches()), room = 2 * largest;
  {
    std::lock_guard<std::mutex> lock(mutex);
    job = {up, device, host, size, piece_for(size, carriers, room), carriers, room, past_caches};
    next = 0;
    failed = false;
    number++;
    working = carriers - 1;
  }
  begins.notify_all();
  carry(0);
  std::unique_lock<std::mutex> lock(mutex);
  ends.wait(lock, [this] { return working == 0; });
  return !failed;
}

bool CopyRing::prepare() {
  constexpr unsigned for_all_contexts = 1, beside_others = 1, without_time = 2;
  InContext current(driver, context);
  if (!current || driver.pin(&memory, bytes(), for_all_contexts) != 0) return false;
  for (Worker &worker : workers) {
    if (driver.create_stream(&worker.stream, beside_others) != 0) return false;
    for (Piece &piece : worker.pieces)
      if (driver.create_event(&piece.departed, without_time) != 0) return false;
  }
  return true;
}

size_t CopyRing::bytes() const {
  size_t usual = workers.size() * 2 * largest;
  return largest < kPieceOfLarge ? usual : std::max(usual, threads_past_caches() * 4 * largest);
}

// Small jobs go in small pieces, so that all threads have some.
size_t CopyRing::piece_for(size_t size, size_t threads, size_t largest) {
  size_t share = (size / (threads * 2) + 4095) / 4096 * 4096;
  return std::min(std::max(share, kSmallestPiece), largest);
}

// A job begins when the one before has ended for all that carry it; the others may find it late, or not at all.
void CopyRing::serve(size_t number_of_worker) {
  for (uint64_t done = 0;;) {
    std::unique_lock<std::mutex> lock(mutex);
    begins.wait(lock, [&] { return leaves || number != done; });
    if (leaves) return;
    done = number;
    if (number_of_worker >= job.threads) continue;
    lock.unlock();
    carry(number_of_worker);
    lock.lock();
    if (--working == 0) ends.notify_one();
  }
}

void CopyRing::carry(size_t number_of_worker) {
  Worker &worker = workers[number_of_worker];
  for (size_t i = 0; i < 2; i++)
    worker.pieces[i].memory = static_cast<char *>(memory) + (number_of_worker * 2 + i) * job.room;
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

// Waits for what is on its way through a piece. What has failed is nothing of the next copy's.
bool CopyRing::arrive(Piece &piece) {
  size_t size = std::exchange(piece.size, size_t{0});
  if (driver.wait_for(piece.departed) != 0) return false;
  if (size > 0 && job.past_caches) copy_past_caches(piece.host, piece.memory, size);
  else if (size > 0) memcpy(piece.host, piece.memory, size);
  return true;
}

bool CopyRing::depart(void *stream, Piece &piece, size_t at, size_t size) {
  if (job.up) {
    memcpy(piece.memory, job.host + at, size);
    return driver.up(job.device + at, piece.memory, size, stream) == 0 && driver.record(piece.departed, stream) == 0;
  }
  piece.host = job.host + at;
  piece.size = size;
  return driver.down(piece.memory, job.device + at, size, stream) == 0 && driver.record(piece.departed, stream) == 0;
}

} // namespace __rex
