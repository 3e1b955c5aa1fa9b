// SPDX-License-Identifier: Apache-2.0
//
// Allocators with the trait `pinned` (OpenMP 5.2, 6.2). libomp takes their blocks from its heap and has libomptarget lock
// the pages, which its plugin for CUDA does not do. Here such blocks are libomptarget's memory of the host, which a GPU
// copies to and from by itself. What directives allocate stays libomp's.
//
// A block may be freed by another link unit than the one that has made it, so a process has one set of these routines.
#include "rex_internal.h"
#include "rex_messages.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <dlfcn.h>

namespace __rex REX_HIDDEN {
namespace {

using Handle = uintptr_t;
enum Known : Handle { kNoAllocator = 0, kDefaultAllocator = 1 };
enum Space : uintptr_t { kDefaultSpace = 0, kLargeSpace = 1, kConstantSpace = 2 };
enum Key { kAlignment = 2, kPoolSize = 4, kFallback = 5, kFallbackAllocator = 6, kPinned = 7 };
enum Fallback : uintptr_t { kDefaultMemory = 11, kNothing = 12, kEndOfProgram = 13, kOtherAllocator = 14 };

struct Trait {
  int key;
  uintptr_t value;
};

template <class Function> Function *routine_of_libomp(const char *name) {
  if (void *found = dlsym(RTLD_NEXT, name)) return reinterpret_cast<Function *>(found);
  say(std::string("this program calls ") + name + "(), which its libomp does not have");
  abort();
}

struct Pinned {
  size_t alignment = alignof(std::max_align_t), room = SIZE_MAX;
  uintptr_t fallback = kDefaultMemory;
  Handle other = kDefaultAllocator;
};

// One without memory of its own is the other allocator's.
struct Block {
  void *memory = nullptr;
  size_t size = 0;
  int device = 0;
  Handle allocator = kNoAllocator;
};

// All such allocators, and the blocks that the program has of them.
class PinnedBlocks {
public:
  // Null before there is an allocator.
  static PinnedBlocks *of_process() { return made.load(std::memory_order_acquire); }
  static PinnedBlocks &for_process();

  void add(Handle handle, const Pinned &pinned);
  void forget(Handle handle);
  std::optional<Pinned> find(Handle handle);

  // Null where the pool or the memory is used up.
  void *take(Handle handle, size_t alignment, size_t size);
  void note(void *place, const Block &block);
  Block block_at(void *place);
  bool give_back(void *place);

private:
  static std::atomic<PinnedBlocks *> made; // never deleted: blocks are freed until the process ends
  bool reserve(Handle handle, size_t size);
  void give_room(Handle handle, size_t size);

  std::mutex mutex;
  std::unordered_map<Handle, Pinned> allocators;
  std::unordered_map<void *, Block> blocks;
};

std::atomic<PinnedBlocks *> PinnedBlocks::made;

PinnedBlocks &PinnedBlocks::for_process() {
  if (PinnedBlocks *found = of_process()) return *found;
  auto *fresh = new PinnedBlocks;
  PinnedBlocks *before = nullptr;
  if (made.compare_exchange_strong(before, fresh)) return *fresh;
  delete fresh;
  return *before;
}

void PinnedBlocks::add(Handle handle, const Pinned &pinned) {
  std::lock_guard<std::mutex> lock(mutex);
  allocators[handle] = pinned;
}

void PinnedBlocks::forget(Handle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  allocators.erase(handle);
}

std::optional<Pinned> PinnedBlocks::find(Handle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = allocators.find(handle);
  return found != allocators.end() ? std::optional<Pinned>(found->second) : std::nullopt;
}

bool PinnedBlocks::reserve(Handle handle, size_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = allocators.find(handle);
  if (found == allocators.end() || found->second.room < size) return false;
  found->second.room -= size;
  return true;
}

void PinnedBlocks::give_room(Handle handle, size_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = allocators.find(handle);
  if (found != allocators.end()) found->second.room += size;
}

// The default device, the first one where that is the host under its negative number, which libomptarget does not know.
int device_of_memory() { return std::max(omp_get_default_device(), 0); }

void *PinnedBlocks::take(Handle handle, size_t alignment, size_t size) {
  if (size > SIZE_MAX - alignment || !reserve(handle, size)) return nullptr;
  int device = device_of_memory();
  void *memory = llvm_omp_target_alloc_host(size + alignment, device);
  if (memory == nullptr) {
    give_room(handle, size);
    return nullptr;
  }
  uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + alignment - 1) / alignment * alignment;
  note(reinterpret_cast<void *>(begin), {memory, size, device, handle});
  return reinterpret_cast<void *>(begin);
}

void PinnedBlocks::note(void *place, const Block &block) {
  std::lock_guard<std::mutex> lock(mutex);
  blocks[place] = block;
}

Block PinnedBlocks::block_at(void *place) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = blocks.find(place);
  return found != blocks.end() ? found->second : Block{};
}

void free_by_libomp(void *place, Handle handle) {
  static auto *const theirs = routine_of_libomp<void(void *, Handle)>("omp_free");
  theirs(place, handle);
}

bool PinnedBlocks::give_back(void *place) {
  const Block block = block_at(place);
  if (block.allocator == kNoAllocator) return false;
  {
    std::lock_guard<std::mutex> lock(mutex);
    blocks.erase(place);
  }
  if (block.memory == nullptr) {
    free_by_libomp(place, block.allocator);
    return true;
  }
  llvm_omp_target_free_host(block.memory, block.device);
  give_room(block.allocator, block.size);
  return true;
}

void *allocate_by_libomp(size_t alignment, size_t size, Handle handle) {
  static auto *const theirs = routine_of_libomp<void *(size_t, size_t, Handle)>("omp_aligned_alloc");
  return theirs(alignment, size, handle);
}

Handle meant(Handle handle) {
  static auto *const theirs = routine_of_libomp<Handle()>("omp_get_default_allocator");
  return handle != kNoAllocator ? handle : theirs();
}

// The allocator, if it is one of these and there is a device that gains from it.
std::optional<Pinned> pinned_allocator(Handle handle) {
  PinnedBlocks *blocks = PinnedBlocks::of_process();
  std::optional<Pinned> found = blocks != nullptr ? blocks->find(handle) : std::nullopt;
  return found && device_of_memory() < omp_get_num_devices() ? found : std::nullopt;
}

void *allocate(size_t alignment, size_t size, Handle handle) {
  std::optional<Pinned> pinned = pinned_allocator(handle = meant(handle));
  if (!pinned) return allocate_by_libomp(alignment, size, handle);
  if (size == 0) return nullptr;
  alignment = std::max(alignment, pinned->alignment);
  PinnedBlocks &blocks = PinnedBlocks::for_process();
  if (void *place = blocks.take(handle, alignment, size)) return place;
  if (pinned->fallback == kNothing) return nullptr;
  if (pinned->fallback == kEndOfProgram) {
    say("an allocator with the traits pinned and abort_fb has no memory for " + std::to_string(size) + " bytes");
    abort();
  }
  if (pinned_allocator(pinned->other)) return allocate(alignment, size, pinned->other);
  void *place = allocate_by_libomp(alignment, size, pinned->other);
  if (place != nullptr) blocks.note(place, {nullptr, size, 0, pinned->other});
  return place;
}

void *allocate_zeroed(size_t alignment, size_t count, size_t size, Handle handle) {
  if (size != 0 && count > SIZE_MAX / size) return nullptr;
  void *place = allocate(alignment, count * size, handle);
  return place != nullptr ? memset(place, 0, count * size) : nullptr;
}

void give_back(void *place, Handle handle) {
  PinnedBlocks *blocks = PinnedBlocks::of_process();
  if (place == nullptr || (blocks != nullptr && blocks->give_back(place))) return;
  free_by_libomp(place, handle);
}

void *reallocate_by_libomp(void *place, size_t size, Handle handle, Handle free_handle) {
  static auto *const theirs = routine_of_libomp<void *(void *, size_t, Handle, Handle)>("omp_realloc");
  return theirs(place, size, handle, free_handle);
}

// Only libomp knows how large its blocks are: one of those grows as libomp's first.
void *reallocate(void *place, size_t size, Handle handle, Handle free_handle) {
  PinnedBlocks *blocks = PinnedBlocks::of_process();
  if (place == nullptr) return allocate(1, size, handle);
  Block block = blocks != nullptr ? blocks->block_at(place) : Block{};
  bool is_known = block.allocator != kNoAllocator;
  if (!is_known && !pinned_allocator(meant(handle))) return reallocate_by_libomp(place, size, handle, free_handle);
  if (size == 0) return give_back(place, free_handle), nullptr;
  if (is_known && handle == kNoAllocator && free_handle == kNoAllocator) handle = block.allocator;
  void *moved = allocate(1, size, handle);
  if (moved == nullptr) return nullptr;
  if (!is_known) {
    place = reallocate_by_libomp(place, size, kDefaultAllocator, free_handle);
    free_handle = kDefaultAllocator;
  }
  if (place == nullptr) return give_back(moved, handle), nullptr;
  memcpy(moved, place, is_known ? std::min(size, block.size) : size);
  give_back(place, free_handle);
  return moved;
}

bool is_pinned(uintptr_t space, int count, const Trait *traits, Pinned &pinned) {
  bool found = false;
  for (const Trait *trait = traits; trait != traits + count; trait++) {
    if (trait->key == kPinned) found = trait->value == 1;
    if (trait->key == kAlignment) pinned.alignment = std::max<size_t>(pinned.alignment, trait->value);
    if (trait->key == kPoolSize) pinned.room = trait->value;
    if (trait->key == kFallback) pinned.fallback = trait->value;
    if (trait->key == kFallbackAllocator) pinned.other = trait->value;
  }
  if (pinned.fallback != kOtherAllocator) pinned.other = kDefaultAllocator;
  return found && (space == kDefaultSpace || space == kLargeSpace || space == kConstantSpace);
}

} // namespace
} // namespace __rex

#define REX_ONE_OF_PROCESS extern "C" __attribute__((__weak__, __visibility__("default")))

REX_ONE_OF_PROCESS uintptr_t omp_init_allocator(uintptr_t space, int count, const __rex::Trait *traits) {
  using Routine = uintptr_t(uintptr_t, int, const __rex::Trait *);
  static auto *const theirs = __rex::routine_of_libomp<Routine>("omp_init_allocator");
  uintptr_t handle = theirs(space, count, traits);
  __rex::Pinned pinned;
  if (handle != __rex::kNoAllocator && __rex::is_pinned(space, count, traits, pinned))
    __rex::PinnedBlocks::for_process().add(handle, pinned);
  return handle;
}

REX_ONE_OF_PROCESS void omp_destroy_allocator(uintptr_t allocator) {
  static auto *const theirs = __rex::routine_of_libomp<void(uintptr_t)>("omp_destroy_allocator");
  if (__rex::PinnedBlocks *blocks = __rex::PinnedBlocks::of_process()) blocks->forget(allocator);
  theirs(allocator);
}

REX_ONE_OF_PROCESS void *omp_alloc(size_t size, uintptr_t allocator) { return __rex::allocate(1, size, allocator); }

REX_ONE_OF_PROCESS void *omp_aligned_alloc(size_t alignment, size_t size, uintptr_t allocator) {
  return __rex::allocate(alignment, size, allocator);
}

REX_ONE_OF_PROCESS void *omp_calloc(size_t count, size_t size, uintptr_t allocator) {
  return __rex::allocate_zeroed(1, count, size, allocator);
}

REX_ONE_OF_PROCESS void *omp_aligned_calloc(size_t alignment, size_t count, size_t size, uintptr_t allocator) {
  return __rex::allocate_zeroed(alignment, count, size, allocator);
}

REX_ONE_OF_PROCESS void *omp_realloc(void *place, size_t size, uintptr_t allocator, uintptr_t free_allocator) {
  return __rex::reallocate(place, size, allocator, free_allocator);
}

REX_ONE_OF_PROCESS void omp_free(void *place, uintptr_t allocator) { __rex::give_back(place, allocator); }
