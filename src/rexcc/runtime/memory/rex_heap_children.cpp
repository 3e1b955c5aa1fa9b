// SPDX-License-Identifier: Apache-2.0
#include "rex_heap_children.h"

#include "rex_heap_blocks.h"
#include "rex_heap_pieces.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace rex_memory REX_HEAP_HIDDEN {
namespace {

// Copies of pieces, which the child puts in their places. The program's other threads wait meanwhile for memory.
struct Copy {
  Copy *next;
  char *place;
  size_t size;
};
Copy *copies;
void (*told)();

constexpr size_t in_pages(size_t size) { return (size + 4095) & ~size_t(4095); }
constexpr size_t kHeader = 4096;

// A copy is for nothing where it takes memory that is not there. What files have in memory can be had.
size_t half_of_available_memory() {
  constexpr const char *name = "MemAvailable:";
  char text[1024] = "";
  int file = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  const char *found = length > 0 ? strstr(text, name) : nullptr;
  return found != nullptr ? strtoul(found + strlen(name), nullptr, 10) * 1024 / 2 : 0;
}

bool copy(const Piece *piece) {
  size_t size = in_pages(piece->used);
  auto *memory = static_cast<char *>(new_pages(kHeader + size));
  if (memory == nullptr) return false;
  memcpy(memory + kHeader, piece->begin, piece->used);
  auto *made = reinterpret_cast<Copy *>(memory);
  *made = {copies, piece->begin, size};
  copies = made;
  return true;
}

void before_fork() {
  KeepErrno kept;
  lock_heap();
  size_t room = half_of_available_memory();
  for (bool large : {false, true})
    for (const Piece *piece = first_piece(); piece != nullptr; piece = piece->next_of_all) {
      if (piece->is_large() != large || piece->used == 0 || piece->used > room) continue;
      if (copy(piece)) room -= piece->used;
    }
}

void in_parent() {
  KeepErrno kept;
  while (copies != nullptr) {
    Copy *one = copies;
    copies = one->next;
    munmap(one, kHeader + one->size);
  }
  unlock_heap();
}

void in_child() {
  KeepErrno kept;
  while (copies != nullptr) {
    Copy one = *copies;
    char *memory = reinterpret_cast<char *>(copies);
    mremap(memory + kHeader, one.size, one.size, MREMAP_MAYMOVE | MREMAP_FIXED, one.place);
    munmap(memory, kHeader);
    copies = one.next;
  }
  keep_all_blocks();
  told();
  unlock_heap();
}

} // namespace

void prepare_for_children(void (*in_child_too)()) {
  told = in_child_too;
  pthread_atfork(before_fork, in_parent, in_child);
}

} // namespace rex_memory
