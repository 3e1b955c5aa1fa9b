// SPDX-License-Identifier: Apache-2.0
#include "rex_partials.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace __rex REX_HIDDEN {

ResultMemory::~ResultMemory() {
  for (const Block &block : blocks) llvm_omp_target_free_host(block.memory, block.device);
}

char *ResultMemory::piece_for(int device) {
  if (used == kPieces) {
    auto *memory = static_cast<char *>(llvm_omp_target_alloc_host(kPieces * kPiece, device));
    if (memory == nullptr) return nullptr;
    blocks.push_back({memory, device});
    used = 0;
  }
  return blocks.back().memory + used++ * kPiece;
}

Partials::~Partials() {
  if (memory != nullptr) omp_target_free(memory, device);
}

bool Partials::reserve(int64_t wanted) {
  if (wanted <= size) return true;
  if (memory != nullptr) omp_target_free(memory, device);
  for (size = 1 << 14; size < wanted;) size *= 2;
  memory = static_cast<char *>(omp_target_alloc(static_cast<size_t>(kHead + size), device));
  const std::vector<char> empty(static_cast<size_t>(is_zeroed ? kHead + size : kHead));
  if (memory != nullptr && omp_target_memcpy(memory, empty.data(), empty.size(), 0, 0, device, omp_get_initial_device()) == 0)
    return true;
  size = 0;
  return false;
}

std::unique_ptr<Partials> PartialsStore::take(int device, int64_t size, bool is_zeroed) {
  std::unique_ptr<Partials> found;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto fits = [=](auto &one) { return one->device == device && one->is_zeroed == is_zeroed; };
    auto place = std::find_if(free.rbegin(), free.rend(), fits);
    if (place != free.rend()) {
      found = std::move(*place);
      free.erase(std::next(place).base());
    } else {
      found = std::make_unique<Partials>(device, results.piece_for(device), is_zeroed);
    }
  }
  if (found->reserve(size)) return found;
  give_back(std::move(found));
  return nullptr;
}

void PartialsStore::give_back(std::unique_ptr<Partials> one) {
  std::lock_guard<std::mutex> lock(mutex);
  free.push_back(std::move(one));
}

void Reduction::finish() {
  for (const Result &result : results) memcpy(call.begins[result.row], result.place, size_of(result.row));
}

void Reduction::begin(int32_t row, bool shares_memory) {
  if (call.device_number() < 0 || call.device_number() >= omp_get_num_devices()) return;
  partials = store.take(call.device_number(), call.sizes[row], (call.types[row] & REX_MAP_ZEROED) != 0);
  ready = partials != nullptr;
  if (!ready) return;
  partials->bases.assign(call.bases, call.bases + call.count);
  partials->begins.assign(call.begins, call.begins + call.count);
  partials->sizes.assign(call.sizes, call.sizes + call.count);
  partials->types.assign(call.types, call.types + call.count);
  pass(row, partials->memory);
  size_t used = 0;
  for (int32_t i = 0; i < call.count; i++) {
    if ((call.types[i] & REX_MAP_REDUCED) == 0) continue;
    partials->types[i] &= ~REX_MAP_REDUCED;
    if (shares_memory || partials->results == nullptr || used + size_of(i) > Partials::kResults) continue;
    if (omp_target_is_present(call.begins[i], call.device_number())) continue;
    results.push_back({i, partials->results + used});
    memcpy(results.back().place, call.begins[i], size_of(i));
    pass(i, results.back().place);
    used += (size_of(i) + 15) / 16 * 16;
  }
}

// The row is an address that the kernel gets as it is.
void Reduction::pass(int32_t row, char *address) {
  partials->bases[row] = partials->begins[row] = address;
  partials->sizes[row] = sizeof address;
  partials->types[row] = REX_MAP_LITERAL_PARAM;
}

} // namespace __rex
