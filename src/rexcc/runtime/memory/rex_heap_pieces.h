// SPDX-License-Identifier: Apache-2.0
//
// The pieces that the heap is made of: a granule with blocks of one size, or one large block. The granule of an address
// tells its piece, without a lock. What is known of pieces lies in memory of its own: a look at a free block would bring its
// page back from the GPU.
#ifndef REX_HEAP_PIECES_H
#define REX_HEAP_PIECES_H

#include "rex_heap.h"

namespace rex_memory REX_HEAP_HIDDEN {

struct Piece {
  char *begin;
  size_t size;      // of its granules
  void *raw;        // what goes back to the source; null for a granule with blocks
  size_t used;      // bytes from its beginning that the program has had
  Piece *next;      // in one list of whoever has it
  Piece *next_of_all, *previous_of_all;

  // A granule with blocks. `numbers` are those of free blocks; from `fresh` on all are.
  uint32_t block_size, capacity, fresh, free_count, taken;
  uint32_t *numbers;
  int size_class, shard;
  bool is_listed;

  bool is_large() const { return raw != nullptr; }
};

// The piece that an address is in; null for other memory than the heap's.
Piece *piece_at(const void *address);

// Makes one known by its granules, and unknown again. The caller has the heap's lock (rex_heap_blocks.h).
Piece *new_piece(char *begin, size_t size, void *raw);
void forget_piece(Piece *piece);

Piece *first_piece();

// Pages of zeros that take memory when they are touched; null where there are none.
void *new_pages(size_t bytes);

} // namespace rex_memory

#endif
