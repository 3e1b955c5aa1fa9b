// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include "sections.h"

#include <cerrno>
#include <cstring>
#include <map>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace rex_check REX_CHECK_HIDDEN {

REX_CHECK_OF_THREAD int inside;
REX_CHECK_OF_THREAD Owner allocates_for = Owner::host;

namespace {

pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

using Blocks = std::map<uintptr_t, Block, std::less<uintptr_t>, Allocator<std::pair<const uintptr_t, Block>>>;
Blocks &blocks() { return lasting<Blocks>(); }
unsigned changed;
const Block *latest; // that was found: accesses come in rows

// A device has few blocks, and what goes beyond one often goes far: by bytes that were taken for elements, say.
size_t room_for(size_t size) {
  constexpr size_t most = 1 << 20;
  if (allocates_for != Owner::device) return 64;
  return size >= most / 8 ? most : 4096 + size * 8;
}

void *allocate(size_t alignment, size_t size) {
  if (inside > 0) return alignment > 16 ? __libc_memalign(alignment, size) : __libc_malloc(size);
  size_t room = (room_for(size) + alignment - 1) / alignment * alignment;
  if (size > SIZE_MAX / 2) {
    errno = ENOMEM;
    return nullptr;
  }
  Locked locked;
  auto *raw = static_cast<char *>(__libc_memalign(alignment, room + size + room));
  if (raw == nullptr) return nullptr;
  auto begin = reinterpret_cast<uintptr_t>(raw) + room;
  changed++;
  blocks()[begin] = {begin, size, raw, room, allocates_for};
  return raw + room;
}

// Takes a block out of the list and returns where its memory begins; the address itself for what is in no list.
void *taken_out(void *place) {
  if (place == nullptr) return nullptr;
  Locked locked;
  auto found = blocks().find(reinterpret_cast<uintptr_t>(place));
  if (found == blocks().end()) return place;
  void *raw = found->second.raw;
  forget_host_memory(found->second.begin, found->second.size);
  if (latest == &found->second) latest = nullptr;
  changed++;
  blocks().erase(found);
  return raw;
}

size_t size_of(void *place) {
  Locked locked;
  auto found = blocks().find(reinterpret_cast<uintptr_t>(place));
  return found == blocks().end() ? SIZE_MAX : found->second.size;
}

} // namespace

Locked::Locked() {
  inside++;
  pthread_mutex_lock(&mutex);
}
Locked::~Locked() {
  pthread_mutex_unlock(&mutex);
  inside--;
}

unsigned changes_of_blocks() { return changed; }

const Block *block_at(uintptr_t address, bool beside) {
  if (latest != nullptr && address - latest->begin < latest->size) return latest;
  auto next = blocks().upper_bound(address);
  if (next != blocks().begin()) {
    const Block &block = std::prev(next)->second;
    if (address - block.begin < block.size) return latest = &block;
    if (beside && address - block.begin < block.size + block.room) return &block;
  }
  if (!beside || next == blocks().end()) return nullptr;
  return next->second.begin - address <= next->second.room ? &next->second : nullptr;
}

void *zeros(size_t bytes) {
  void *place = mmap(nullptr, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  constexpr size_t large = 1 << 23; // where pages of the usual size cost time
  if (bytes >= large) madvise(place, bytes + 1, MADV_HUGEPAGE);
  return place;
}
void give_zeros_back(void *place, size_t bytes) {
  if (place != nullptr) munmap(place, bytes + 1);
}

// The pages behind those that are needed.
static void give_rest_back(void *place, size_t had, size_t bytes) {
  auto page = static_cast<size_t>(getpagesize());
  size_t kept = (bytes + page) / page * page, all = (had + page) / page * page;
  if (kept < all) munmap(static_cast<char *>(place) + kept, all - kept);
}

// What is kept of them: few pieces, and not much of the machine.
struct Old {
  void *place;
  size_t bytes;
};
static Old old[32];
static size_t bytes_of_old;

void *old_or_zeros(size_t bytes) {
  for (Old &piece : old) {
    if (piece.place == nullptr || piece.bytes < bytes || piece.bytes / 2 > bytes) continue;
    void *place = piece.place;
    bytes_of_old -= piece.bytes;
    piece.place = nullptr;
    if (piece.bytes > bytes) give_rest_back(place, piece.bytes, bytes);
    return place;
  }
  return zeros(bytes);
}
void give_old_back(void *place, size_t bytes) {
  constexpr size_t most = size_t{1} << 30;
  for (Old &piece : old) {
    if (piece.place != nullptr || place == nullptr || bytes_of_old + bytes > most) continue;
    bytes_of_old += bytes;
    piece = {place, bytes};
    return;
  }
  give_zeros_back(place, bytes);
}

} // namespace rex_check

// ---------------------------------------------------------------------------------------------------------------------
// The C library's allocation, for the whole program. A program's own comes before this one.

#define REX_CHECK_ALLOCATION extern "C" __attribute__((visibility("default"), used, weak))
using namespace rex_check;

REX_CHECK_ALLOCATION void *malloc(size_t size) { return allocate(16, size); }
REX_CHECK_ALLOCATION void free(void *place) { __libc_free(taken_out(place)); }
REX_CHECK_ALLOCATION void *calloc(size_t count, size_t size) {
  if (inside > 0) return __libc_calloc(count, size);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  void *place = allocate(16, bytes);
  return place != nullptr ? memset(place, 0, bytes) : nullptr;
}
REX_CHECK_ALLOCATION void *realloc(void *place, size_t size) {
  if (place == nullptr) return malloc(size);
  size_t before = size_of(place);
  if (before == SIZE_MAX) return __libc_realloc(place, size);
  if (size == 0) {
    free(place);
    return nullptr;
  }
  void *moved = malloc(size);
  if (moved == nullptr) return nullptr;
  memcpy(moved, place, before < size ? before : size);
  free(place);
  return moved;
}
REX_CHECK_ALLOCATION void *memalign(size_t alignment, size_t size) {
  return allocate(alignment < 16 ? 16 : alignment, size);
}
REX_CHECK_ALLOCATION void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
REX_CHECK_ALLOCATION int posix_memalign(void **place, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *place = made;
  return 0;
}
REX_CHECK_ALLOCATION void *valloc(size_t size) { return memalign(static_cast<size_t>(getpagesize()), size); }
REX_CHECK_ALLOCATION size_t malloc_usable_size(void *place) {
  size_t size = place != nullptr ? size_of(place) : 0;
  return size == SIZE_MAX ? reinterpret_cast<size_t *>(place)[-1] / 16 * 16 - 8 : size;
}
