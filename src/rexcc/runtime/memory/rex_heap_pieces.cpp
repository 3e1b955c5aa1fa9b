// SPDX-License-Identifier: Apache-2.0
#include "rex_heap_pieces.h"

#include <sys/mman.h>

namespace rex_memory REX_HEAP_HIDDEN {
namespace {

// Addresses have 47 bits: those above the granule's are looked up in two tables.
constexpr int kAddressBits = 47, kLowerBits = 13, kUpperBits = kAddressBits - kGranuleBits - kLowerBits;
constexpr size_t kLower = size_t(1) << kLowerBits, kUpper = size_t(1) << kUpperBits;
Piece **tables[kUpper];

Piece *all, *unused;

Piece **place_of(uintptr_t address, bool make) {
  if (address >> kAddressBits != 0) return nullptr;
  size_t granule = address >> kGranuleBits;
  Piece **&table = tables[granule >> kLowerBits];
  Piece **found = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  if (found == nullptr && make) {
    found = static_cast<Piece **>(new_pages(kLower * sizeof(Piece *)));
    __atomic_store_n(&table, found, __ATOMIC_RELEASE);
  }
  return found != nullptr ? found + granule % kLower : nullptr;
}

bool note(const Piece *piece, Piece *noted) {
  for (size_t offset = 0; offset < piece->size; offset += kGranule) {
    Piece **place = place_of(reinterpret_cast<uintptr_t>(piece->begin) + offset, noted != nullptr);
    if (place == nullptr) return false;
    __atomic_store_n(place, noted, __ATOMIC_RELEASE);
  }
  return true;
}

Piece *take_unused() {
  constexpr size_t at_once = 256;
  if (unused == nullptr) {
    auto *fresh = static_cast<Piece *>(new_pages(at_once * sizeof(Piece)));
    for (size_t i = 0; fresh != nullptr && i < at_once; i++) fresh[i].next = unused, unused = fresh + i;
  }
  Piece *piece = unused;
  if (piece != nullptr) unused = piece->next;
  return piece;
}

} // namespace

void *new_pages(size_t bytes) {
  KeepErrno kept;
  void *pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

Piece *piece_at(const void *address) {
  Piece **place = place_of(reinterpret_cast<uintptr_t>(address), false);
  return place != nullptr ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : nullptr;
}

Piece *new_piece(char *begin, size_t size, void *raw) {
  Piece *piece = take_unused();
  if (piece == nullptr) return nullptr;
  *piece = Piece{};
  piece->begin = begin, piece->size = size, piece->raw = raw;
  piece->next_of_all = all;
  if (all != nullptr) all->previous_of_all = piece;
  all = piece;
  if (note(piece, piece)) return piece;
  forget_piece(piece);
  return nullptr;
}

void forget_piece(Piece *piece) {
  note(piece, nullptr);
  if (piece->previous_of_all != nullptr) piece->previous_of_all->next_of_all = piece->next_of_all;
  else all = piece->next_of_all;
  if (piece->next_of_all != nullptr) piece->next_of_all->previous_of_all = piece->previous_of_all;
  piece->next = unused;
  unused = piece;
}

Piece *first_piece() { return all; }

} // namespace rex_memory
