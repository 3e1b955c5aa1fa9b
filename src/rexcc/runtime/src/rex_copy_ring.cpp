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

#ifdef __SSE2__
// Several pages side by side keep more of the memory busy than one after the other.
constexpr size_t kLine = 64, kPage = 4096, kSideBySide = 4;

void copy_line(char *to, const char *from) {
  constexpr size_t part = sizeof(__m128i);
  for (size_t i = 0; i < kLine; i += part)
    _mm_stream_si128(reinterpret_cast<__m128i *>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i)));
}
#endif

// Copies what nobody reads soon, without fetching lines of the destination.
void copy_past_caches(char *to, const char *from, size_t size) {
#ifdef __SSE2__
  size_t at = std::min(size, (kLine - reinterpret_cast<uintptr_t>(to) % kLine) % kLine);
  memcpy(to, from, at);
  for (; at + kSideBySide * kPage <= size; at += kSideBySide * kPage)
    for (size_t line = at; line < at + kPage; line += kLine)
      for (size_t page = 0; page < kSideBySide; page++) copy_line(to + line + page * kPage, from + line + page * kPage);
  for (; at + kLine <= size; at += kLine) copy_line(to + at, from + at);
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

CopyRing::CopyRing(const CopyDriver &given, void *gpu_context, const std::atomic<int> &copies_up, int count,
                   size_t largest_piece, size_t largest_in_cache, size_t past_caches_by_half)
    : driver(given), context(gpu_context), going_up(copies_up), largest(largest_piece), in_cache(largest_in_cache),
      by_half(past_caches_by_half), workers(count) {
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
  for (void *pinned : {memory, memory_of_others})
    if (pinned != nullptr) driver.unpin(pinned);
}

bool CopyRing::copy(bool up, uint64_t device, char *host, size_t size, int threads) {
  if (!usable) return false;
  size_t carriers = std::min(workers.size(), static_cast<size_t>(threads)), room = largest;
  bool past_caches = !up && size >= std::max(kPastCaches, in_cache) && largest >= kPieceOfLarge;
  if (past_caches) carriers = threads_past_caches(size, carriers), room = 2 * largest;
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
  return largest < kPieceOfLarge ? usual : std::max(usual, half() * 4 * largest);
}

// So many of those wanted as have memory for pieces of such a copy. What cannot be had now may be later.
size_t CopyRing::threads_past_caches(size_t size, size_t wanted) {
  constexpr unsigned for_all_contexts = 1;
  if (memory_of_others != nullptr || wanted <= half()) return wanted;
  carried_by_half += size;
  if (carried_by_half <= by_half) return half();
  carried_by_half = 0;
  InContext current(driver, context);
  bool made = current && driver.pin(&memory_of_others, (workers.size() - half()) * 4 * largest, for_all_contexts) == 0;
  if (!made) memory_of_others = nullptr;
  return made ? wanted : half();
}

// For two pieces of the job.
char *CopyRing::memory_of(size_t number_of_worker) const {
  bool is_other = job.past_caches && number_of_worker >= half();
  auto *begin = static_cast<char *>(is_other ? memory_of_others : memory);
  return begin + (is_other ? number_of_worker - half() : number_of_worker) * 2 * job.room;
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
  for (size_t i = 0; i < 2; i++) worker.pieces[i].memory = memory_of(number_of_worker) + i * job.room;
  InContext current(driver, context);
  if (!current) failed = true;
  size_t at = 0;
  int turn = 0;
  for (; !failed && !gives_way(number_of_worker) && (at = next.fetch_add(job.piece)) < job.size; turn = 1 - turn) {
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
