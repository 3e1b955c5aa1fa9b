// SPDX-License-Identifier: Apache-2.0
//
// The calls that libomptarget is executing for one device, and which of them copy rows themselves.
//
// Between libomptarget's call and a copy of ours (rex_staging.h) nobody else may find the mapping. So a call that wants to
// copy takes its rows over: it says so, and looks whether another call that is inside has to do with the same memory. If
// one has, libomptarget copies. A call that enters says so, and looks whether a call that has taken rows over has to do
// with its memory; it waits for that one. Each says it before it looks: of two calls at least one sees the other. Calls for
// other memory are never waited for.
//
// libomptarget's own copy of new data may be under way as well when another thread finds the mapping. Another call of
// libomptarget waits for that copy there. Who only looks the mapping up waits here for the call that begins it.
#ifndef REX_CALLS_INSIDE_H
#define REX_CALLS_INSIDE_H

#include "rex_call.h"
#include "rex_internal.h"

#include <atomic>

namespace __rex REX_HIDDEN {

class CallsInside {
public:
  // Rows that a call has taken over.
  struct Rows {
    const Call *call;
    const int32_t *rows;
    int32_t count;
  };

  // A call that is inside. It lives where the call does.
  struct Entry {
    explicit Entry(const Call &call) : call(call), begins_data(call.kind == CallKind::data_begin) {}
    const Call call; // the caller's may change
    const bool begins_data;
    Rows taken{};
  };

  // The number by which it leaves.
  int enter(const Entry &entry) {
    if (entry.begins_data) beginning.fetch_add(1);
    int slot = find_slot(entry);
    if (copying.load() != 0) wait_for_copies(entry.call, slot);
    return slot;
  }
  void leave(const Entry &entry, int slot) {
    if (slot == kNone) crowd.fetch_sub(1);
    else clear(slot);
    if (entry.begins_data) beginning.fetch_sub(1);
  }

  // Whether the rows are this call's until it hands them back.
  bool take_over(Entry &entry, int slot, const Rows &rows);
  void hand_back(int slot);

  // For who only looks: waits until no copy is under way that has to do with a call's rows; false if none was. Launches
  // that map data are none of these copies: while there is one, nobody only looks (rex_unreferenced.h).
  bool wait_for_copies_of(const Call &call) {
    bool waited = copying.load() != 0 && wait_for_copies(call, kNone);
    return (beginning.load() != 0 && wait_for_beginnings(call)) || waited;
  }

  // For a call that has taken rows over and looks others up: whether a copy is under way that has to do with its rows. It
  // must not wait for that one, which may wait for the rows.
  bool others_copy(const Call &call, int own) {
    return (copying.load() > 1 && any_copies(call, own)) || (beginning.load() != 0 && any_begins(call));
  }

private:
  static constexpr int kRoom = 64, kNone = -1;
  // Of the address of an entry: another call looks at it; it has taken rows over.
  static constexpr uintptr_t kSeen = 1, kCopies = 2, kFlags = kSeen | kCopies;

  // The place of the thread's last call is mostly free.
  int find_slot(const Entry &entry) {
    uintptr_t nobody = 0;
    int slot = slot_of_thread;
    if (slots[slot].compare_exchange_strong(nobody, reinterpret_cast<uintptr_t>(&entry))) return slot;
    return find_another_slot(entry);
  }
  int find_another_slot(const Entry &entry);

  void clear(int slot) {
    uintptr_t mine = slots[slot].load(std::memory_order_relaxed) & ~kSeen;
    if (!slots[slot].compare_exchange_strong(mine, 0)) clear_when_unseen(slot);
  }
  void clear_when_unseen(int slot);

  bool wait_for_copies(const Call &call, int own);
  bool wait_for_beginnings(const Call &call);
  bool any_copies(const Call &call, int own);
  bool any_begins(const Call &call);
  template <class Question> bool any_other(int own, uintptr_t wanted, Question question);

  std::atomic<uintptr_t> slots[kRoom] = {};
  std::atomic<int> copying{0}, crowd{0}; // calls that have taken rows over, calls without a place
  std::atomic<int> beginning{0};         // calls that begin data, with and without a place

  static REX_OF_THREAD int slot_of_thread;
};

} // namespace __rex

#endif
