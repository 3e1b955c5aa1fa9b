// SPDX-License-Identifier: Apache-2.0
#include "rex_calls_inside.h"

#include "rex_threads.h"

#include <sched.h>

namespace __rex REX_HIDDEN {

REX_OF_THREAD int CallsInside::slot_of_thread;

namespace {

bool overlap(const char *begin, uint64_t size, const char *other, uint64_t other_size) {
  return begin < other + other_size && other < begin + size;
}

// Whether a row has to do with some memory: it maps a part of it, or attaches a pointer there.
bool concerns(const Call &call, int32_t row, const char *begin, uint64_t size) {
  if ((call.types[row] & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) != 0) return false;
  if (call.has_mapper(row)) return true; // which maps who knows what
  Storage storage = storage_of(call, row);
  if (overlap(begin, size, storage.begin, storage.size > 0 ? storage.size : 1)) return true;
  return (call.types[row] & REX_MAP_PTR_AND_OBJ) != 0 &&
         overlap(begin, size, static_cast<const char *>(call.bases[row]), sizeof(void *));
}

// Whether a call has to do with rows that another one copies.
bool meet(const Call &call, const CallsInside::Rows &taken) {
  for (int32_t i = 0; i < taken.count; i++) {
    auto *begin = static_cast<const char *>(taken.call->begins[taken.rows[i]]);
    auto size = static_cast<uint64_t>(taken.call->sizes[taken.rows[i]]);
    for (int32_t row = 0; row < call.count; row++)
      if (concerns(call, row, begin, size)) return true;
  }
  return false;
}

// Whether a call brings something to memory that another call has to do with: bytes of a row, or the pointer to them.
bool brings(const Call &begun, const Call &call) {
  for (int32_t i = 0; i < begun.count; i++) {
    if ((begun.types[i] & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) != 0) continue;
    if (begun.has_mapper(i)) return true; // which maps who knows what
    auto *begin = static_cast<const char *>(begun.begins[i]), *base = static_cast<const char *>(begun.bases[i]);
    bool attaches = (begun.types[i] & REX_MAP_PTR_AND_OBJ) != 0;
    for (int32_t row = 0; row < call.count; row++) {
      if (concerns(call, row, begin, static_cast<uint64_t>(begun.sizes[i]))) return true;
      if (attaches && concerns(call, row, base, sizeof(void *))) return true;
    }
  }
  return false;
}

} // namespace

int CallsInside::find_another_slot(const Entry &entry) {
  for (int i = 1; i < kRoom; i++) {
    int slot = (slot_of_thread + i) % kRoom;
    uintptr_t nobody = 0;
    if (!slots[slot].compare_exchange_strong(nobody, reinterpret_cast<uintptr_t>(&entry))) continue;
    slot_of_thread = slot;
    return slot;
  }
  crowd.fetch_add(1);
  return kNone;
}

void CallsInside::clear_when_unseen(int slot) {
  for (;;) {
    uintptr_t mine = slots[slot].load(std::memory_order_relaxed) & ~kSeen;
    if (slots[slot].compare_exchange_strong(mine, 0)) return;
    sched_yield();
  }
}

// Whether the answer is yes for any call but one's own that has the wanted flag, if any is wanted. A call does not leave
// while it is looked at.
template <class Question> bool CallsInside::any_other(int own, uintptr_t wanted, Question question) {
  for (int slot = 0; slot < kRoom; slot++) {
    if (slot == own) continue;
    for (;;) {
      uintptr_t found = slots[slot].load();
      if (found == 0 || (found & wanted) != wanted) break;
      if ((found & kSeen) != 0 || !slots[slot].compare_exchange_strong(found, found | kSeen)) {
        sched_yield();
        continue;
      }
      bool answer = question(*reinterpret_cast<const Entry *>(found & ~kFlags));
      slots[slot].fetch_and(~kSeen);
      if (answer) return true;
      break;
    }
  }
  return false;
}

bool CallsInside::take_over(Entry &entry, int slot, const Rows &rows) {
  if (slot == kNone || rows.count == 0) return false;
  entry.taken = rows;
  copying.fetch_add(1);
  slots[slot].fetch_or(kCopies);
  bool met = crowd.load() != 0 || any_other(slot, 0, [&](const Entry &other) { return meet(other.call, rows); });
  if (met) hand_back(slot);
  return !met;
}

// Who looks at the rows, which are the caller's, has them until then.
void CallsInside::hand_back(int slot) {
  slots[slot].fetch_and(~kCopies);
  copying.fetch_sub(1);
  while ((slots[slot].load() & kSeen) != 0) sched_yield();
}

bool CallsInside::any_copies(const Call &call, int own) {
  return any_other(own, kCopies, [&](const Entry &other) { return meet(call, other.taken); });
}

// Those without a place tell nothing of themselves.
bool CallsInside::any_begins(const Call &call) {
  if (any_other(kNone, 0, [&](const Entry &other) { return other.begins_data && brings(other.call, call); })) return true;
  return crowd.load() != 0 && beginning.load() != 0;
}

bool CallsInside::wait_for_copies(const Call &call, int own) {
  bool waited = false;
  for (; any_copies(call, own); waited = true) wait_a_little();
  return waited;
}

bool CallsInside::wait_for_beginnings(const Call &call) {
  bool waited = false;
  for (; any_begins(call); waited = true) wait_a_little();
  return waited;
}

} // namespace __rex
