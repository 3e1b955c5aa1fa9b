// SPDX-License-Identifier: Apache-2.0
//
// What a launch that reduces brings along: device memory for the partial results of its blocks (rex_device_partials.h),
// and room for the results themselves.
//
// The memory is kept from launch to launch. Launches may overlap, so each has some of its own while it runs.
//
// A variable that is not on the device needs no mapping: the kernel reads its original value and writes its result once,
// in the host's own memory, which the GPU reaches. That saves an allocation and two copies. One that is on the device
// already is used there, as every mapped variable.
#ifndef REX_PARTIALS_H
#define REX_PARTIALS_H

#include "rex_call.h"
#include "rex_internal.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace __rex REX_HIDDEN {

// The host's memory for results, in pieces, one for each launch. To make such memory takes longer than a launch, and all
// devices reach all of it.
class ResultMemory {
public:
  static constexpr size_t kPiece = 1024;

  ResultMemory() = default;
  ResultMemory(const ResultMemory &) = delete;
  ~ResultMemory();

  // Null where there is none. Pieces are not given back: launches keep theirs.
  char *piece_for(int device);

private:
  static constexpr size_t kPieces = 64; // at a time

  struct Block {
    char *memory;
    int device;
  };
  std::vector<Block> blocks;
  size_t used = kPieces; // of the last
};

// The memory of one launch on a device, and its map arrays with that memory in them.
struct Partials {
  static constexpr int64_t kHead = 64;                         // rex_partials: a counter that is 0 between two launches
  static constexpr size_t kResults = ResultMemory::kPiece; // bytes of results

  Partials(int device, char *results, bool is_zeroed) : device(device), is_zeroed(is_zeroed), results(results) {}
  Partials(const Partials &) = delete;
  ~Partials();

  // Makes room for that many bytes of partial results; false where the device has none.
  bool reserve(int64_t wanted);

  const int device;
  const bool is_zeroed; // all of it is 0 between two launches
  char *const results;
  char *memory = nullptr;
  int64_t size = 0;
  std::vector<void *> bases, begins;
  std::vector<int64_t> sizes, types;
};

// All that is not in use. Registration owns it.
class PartialsStore {
public:
  // Null where the device has no memory.
  std::unique_ptr<Partials> take(int device, int64_t size, bool is_zeroed);
  void give_back(std::unique_ptr<Partials> one);

private:
  std::mutex mutex;
  ResultMemory results;
  std::vector<std::unique_ptr<Partials>> free;
};

// A launch's use of them. Rows say what is wanted: REX_MAP_PARTIALS the bytes of partial results, whose memory is the
// argument then, with REX_MAP_ZEROED memory of zeros; REX_MAP_REDUCED a variable, mapped tofrom, that the kernel reads and writes once.
class Reduction {
public:
  Reduction(PartialsStore &store, const Call &call, bool shares_memory) : store(store), call(call) {
    for (int32_t row = 0; row < call.count; row++)
      if (call.types[row] & REX_MAP_PARTIALS) begin(row, shares_memory);
  }
  Reduction(const Reduction &) = delete;
  ~Reduction() {
    if (partials) store.give_back(std::move(partials));
  }

  // Whether any original value that has been read, of so many bytes, is of a kind.
  template <class Test> bool has_read(Test test) const {
    for (const Result &result : results)
      if (test(static_cast<char *>(call.begins[result.row]), size_of(result.row))) return true;
    return false;
  }

  // Whether the launch can go on: there is memory, or none is wanted.
  bool is_ready() const { return ready; }

  // The launch's arrays.
  void **bases_or(void **given) { return partials ? partials->bases.data() : given; }
  void **begins_or(void **given) { return partials ? partials->begins.data() : given; }
  int64_t *sizes_or(int64_t *given) { return partials ? partials->sizes.data() : given; }
  int64_t *types_or(int64_t *given) { return partials ? partials->types.data() : given; }

  // Brings the results home.
  void finish();

private:
  struct Result {
    int32_t row;
    char *place;
  };

  void begin(int32_t row, bool shares_memory);
  void pass(int32_t row, char *address);
  size_t size_of(int32_t row) const { return static_cast<size_t>(call.sizes[row]); }

  PartialsStore &store;
  const Call &call;
  std::unique_ptr<Partials> partials;
  std::vector<Result> results;
  bool ready = true;
};

} // namespace __rex

#endif
