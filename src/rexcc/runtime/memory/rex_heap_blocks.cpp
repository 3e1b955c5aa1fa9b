// SPDX-License-Identifier: Apache-2.0
#include "rex_heap_blocks.h"

#include "rex_heap_pieces.h"
#include "rex_heap_source.h"

#include <sys/mman.h>

namespace rex_memory REX_HEAP_HIDDEN {
namespace {

constexpr size_t kLargestSmall = size_t(1) << 20, kMostKept = size_t(256) << 20;
constexpr int kClasses = 8 + 4 * 13;

// Sizes are multiples of 16 up to 128, then four for each power of two.
constexpr size_t size_of_class(int number) {
  return number < 8 ? size_t(16) * (number + 1)
                    : (size_t(128) << (number - 8) / 4) + (size_t(32) << (number - 8) / 4) * ((number - 8) % 4 + 1);
}
static_assert(size_of_class(8) == 160 && size_of_class(11) == 256 && size_of_class(kClasses - 1) == kLargestSmall, "");

int class_of(size_t size) {
  if (size <= 128) return size == 0 ? 0 : static_cast<int>((size + 15) / 16) - 1;
  int power = 63 - __builtin_clzl(size - 1) - 7; // 0 up to 256, 1 up to 512
  size_t step = size_t(32) << power;
  return 8 + 4 * power + static_cast<int>((size - (size_t(128) << power) + step - 1) / step) - 1;
}

// Granules with free blocks of one size. Threads have some apart, so that they seldom wait for each other: of small sizes,
// whose granules have many blocks.
struct SizeClass {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  Piece *open = nullptr;
};
constexpr int kShards = 16, kApart = 8 + 4 * 7;
static_assert(size_of_class(kApart - 1) == 16384, "");
SizeClass classes[kShards][kClasses];

int shard_of_thread(int number) {
  static int threads;
  static __attribute__((tls_model("initial-exec"))) __thread int shard;
  if (number >= kApart) return 0;
  if (shard == 0) shard = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % kShards + 1;
  return shard - 1;
}

// What all sizes have in common: free granules, and large blocks that are kept, the latest first. A thread takes a size's
// lock before this one.
pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
struct Granule {
  char *begin;
};
Granule *granules;
size_t granule_count, granule_room, total;
Piece *kept;
size_t kept_bytes;
bool keeps_all;

void release(Piece *piece) {
  void *raw = piece->raw;
  forget_piece(piece);
  give_to_source(raw);
}

void release_kept(size_t most) {
  Piece **link = &kept;
  for (size_t bytes = 0; *link != nullptr;) {
    Piece *piece = *link;
    bytes += piece->size;
    if (bytes <= most) {
      link = &piece->next;
      continue;
    }
    bytes -= piece->size;
    kept_bytes -= piece->size;
    *link = piece->next;
    release(piece);
  }
}

Taken take_memory(size_t size, size_t alignment) {
  Taken taken = take_from_source(size, alignment);
  if (taken.begin != nullptr || kept == nullptr) return taken;
  release_kept(0);
  return take_from_source(size, alignment);
}

bool push_granules(char *begin, size_t size) {
  size_t count = granule_count + size / kGranule;
  if (count > granule_room) {
    size_t room = count * 2 + 4096;
    auto *larger = static_cast<Granule *>(new_pages(room * sizeof(Granule)));
    if (larger == nullptr) return false;
    for (size_t i = 0; i < granule_count; i++) larger[i] = granules[i];
    if (granules != nullptr) munmap(granules, granule_room * sizeof(Granule));
    granules = larger, granule_room = room;
  }
  for (size_t offset = size; offset > 0; offset -= kGranule) granules[granule_count++] = {begin + offset - kGranule};
  return true;
}

bool grow() {
  size_t wanted = in_granules(total / 4 + 8 * kGranule);
  for (size_t size = wanted < 128 * kGranule ? wanted : 128 * kGranule; size >= kGranule; size = size / 2 / kGranule * kGranule) {
    Taken taken = take_memory(size, kGranule);
    if (taken.begin == nullptr) continue;
    total += size;
    return push_granules(taken.begin, size);
  }
  return false;
}

Piece *open_granule(int number, int shard) {
  Locked locked(common);
  size_t block_size = size_of_class(number), capacity = kGranule / block_size;
  if (granule_count == 0 && !grow()) return nullptr;
  auto *numbers = static_cast<uint32_t *>(new_pages(capacity * sizeof(uint32_t)));
  Piece *piece = numbers != nullptr ? new_piece(granules[granule_count - 1].begin, kGranule, nullptr) : nullptr;
  if (piece == nullptr) {
    if (numbers != nullptr) munmap(numbers, capacity * sizeof(uint32_t));
    return nullptr;
  }
  granule_count--;
  piece->block_size = static_cast<uint32_t>(block_size), piece->capacity = static_cast<uint32_t>(capacity);
  piece->numbers = numbers, piece->size_class = number, piece->shard = shard;
  return piece;
}

void *take_small(int number) {
  int shard = shard_of_thread(number);
  SizeClass &mine = classes[shard][number];
  Locked locked(mine.mutex);
  Piece *piece = mine.open;
  if (piece == nullptr) {
    piece = mine.open = open_granule(number, shard);
    if (piece == nullptr) return nullptr;
    piece->is_listed = true;
  }
  uint32_t block = piece->free_count > 0 ? piece->numbers[--piece->free_count] : piece->fresh++;
  piece->used = size_t(piece->fresh) * piece->block_size;
  if (++piece->taken == piece->capacity) mine.open = piece->next, piece->next = nullptr, piece->is_listed = false;
  return piece->begin + size_t(block) * piece->block_size;
}

// A granule without blocks is for any size again, unless it is the one that is used now.
void close_granule(SizeClass &mine, Piece *piece) {
  Piece **link = &mine.open;
  while (*link != piece) link = &(*link)->next;
  *link = piece->next;
  Locked locked(common);
  char *begin = piece->begin;
  munmap(piece->numbers, piece->capacity * sizeof(uint32_t));
  forget_piece(piece);
  push_granules(begin, kGranule);
}

void give_small_back(Piece *piece, const void *block) {
  SizeClass &mine = classes[piece->shard][piece->size_class];
  Locked locked(mine.mutex);
  size_t offset = static_cast<size_t>(static_cast<const char *>(block) - piece->begin);
  piece->numbers[piece->free_count++] = static_cast<uint32_t>(offset / piece->block_size);
  piece->taken--;
  if (!piece->is_listed) piece->next = mine.open, mine.open = piece, piece->is_listed = true;
  else if (piece->taken == 0 && mine.open != piece) close_granule(mine, piece);
}

// One of the kept blocks that is hardly larger.
Piece *take_kept(size_t size, size_t alignment) {
  Piece **best = nullptr;
  for (Piece **link = &kept; *link != nullptr; link = &(*link)->next) {
    Piece *piece = *link;
    bool fits = piece->size >= size && piece->size - size <= size / 4 + kGranule;
    if (!fits || reinterpret_cast<uintptr_t>(piece->begin) % alignment != 0) continue;
    if (best == nullptr || piece->size < (*best)->size) best = link;
  }
  if (best == nullptr) return nullptr;
  Piece *piece = *best;
  *best = piece->next;
  kept_bytes -= piece->size;
  return piece;
}

void *take_large(size_t size, size_t alignment) {
  if (size > PTRDIFF_MAX - kGranule || alignment > PTRDIFF_MAX) return nullptr;
  size_t whole = in_granules(size), aligned = alignment < kGranule ? kGranule : alignment;
  Locked locked(common);
  Piece *piece = take_kept(whole, aligned);
  if (piece == nullptr) {
    Taken taken = take_memory(whole, aligned);
    piece = taken.begin != nullptr ? new_piece(taken.begin, whole, taken.raw) : nullptr;
    if (piece == nullptr) {
      if (taken.begin != nullptr) give_to_source(taken.raw);
      return nullptr;
    }
  }
  piece->used = size;
  return piece->begin;
}

void give_large_back(Piece *piece) {
  Locked locked(common);
  piece->used = 0;
  piece->next = kept;
  kept = piece;
  kept_bytes += piece->size;
  if (kept_bytes > kMostKept && !keeps_all) release_kept(kMostKept);
}

} // namespace

void *take_block(size_t size, size_t alignment) {
  if (alignment > 16) {
    size_t least = size > alignment ? size : alignment;
    if (least > kLargestSmall) return take_large(size, alignment);
    return take_small(class_of(size_t(1) << (64 - __builtin_clzl(least - 1))));
  }
  return size <= kLargestSmall ? take_small(class_of(size)) : take_large(size, alignment);
}

void give_back(void *block) {
  KeepErrno before;
  Piece *piece = piece_at(block);
  if (piece->is_large()) give_large_back(piece);
  else give_small_back(piece, block);
}

bool is_in_heap(const void *address) { return piece_at(address) != nullptr; }

size_t size_of(const void *block) {
  const Piece *piece = piece_at(block);
  return piece->is_large() ? piece->size : piece->block_size;
}

bool resized_in_place(void *block, size_t size) {
  Piece *piece = piece_at(block);
  size_t room = size_of(block);
  if (size > room || size < room / 2) return false;
  if (piece->is_large()) piece->used = size;
  return true;
}

void lock_heap() {
  for (auto &shard : classes)
    for (SizeClass &one : shard) pthread_mutex_lock(&one.mutex);
  pthread_mutex_lock(&common);
}

void unlock_heap() {
  pthread_mutex_unlock(&common);
  for (auto &shard : classes)
    for (SizeClass &one : shard) pthread_mutex_unlock(&one.mutex);
}

void keep_all_blocks() { keeps_all = true; }

} // namespace rex_memory
