// SPDX-License-Identifier: Apache-2.0
#include "races.h"

#include "reports.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace rex_check REX_CHECK_HIDDEN {

bool writes_wait;

namespace {

// The latest atomic operations of a thread, or of a team: where, when the last time, and when before that.
class Operations {
public:
  void add(uintptr_t place) {
    for (Operation &known : latest)
      if (known.place == place) {
        known.before = known.last;
        known.last = now;
        return;
      }
    latest[next++ % kMost] = {place, now, 0};
  }
  // Whether there was an operation after `time` on a place where `later` had one after that.
  bool order(uint32_t time, const Operations &later) const {
    for (const Operation &mine : latest)
      for (const Operation &other : later.latest) {
        if (mine.place == 0 || mine.place != other.place) continue;
        if (mine.last > time && other.last > mine.last) return true;
        if (mine.before > time && other.last > mine.before) return true;
      }
    return false;
  }

private:
  static constexpr unsigned kMost = 32;
  struct Operation {
    uintptr_t place;
    uint32_t last, before;
  };
  Operation latest[kMost] = {};
  unsigned next = 0;
};

template <class T> using List = std::vector<T, Allocator<T>>;
using Teams = std::unordered_map<unsigned, Operations, std::hash<unsigned>, std::equal_to<unsigned>,
                                 Allocator<std::pair<const unsigned, Operations>>>;

// A write that the thread is about to make, and what was there.
struct Write {
  Section *section;
  uintptr_t address;
  unsigned size;
  Access access;
  char before[16];
};

// What orders the accesses of a kernel's threads.
struct Order {
  Teams teams;
  List<Operations> threads;      // of the running team
  List<uint32_t> last_barrier;   // of each of its threads: when it has left one
  List<unsigned> meeting;        // those that meet now
  List<Write> writes;            // that have not been looked at
};
Order &order() { return lasting<Order>(); }

const Operations *operations_of(unsigned team) {
  auto found = order().teams.find(team);
  return found != order().teams.end() ? &found->second : nullptr;
}

bool is_ordered(const Access &earlier) {
  const Kernel &kernel = *running_kernel;
  unsigned team = earlier.who / kernel.threads, thread = earlier.who % kernel.threads;
  if (team == kernel.team) {
    if (earlier.time < order().last_barrier[kernel.thread]) return true;
    return order().threads[thread].order(earlier.time, order().threads[kernel.thread]);
  }
  const Operations *theirs = operations_of(team), *mine = operations_of(kernel.team);
  return theirs != nullptr && mine != nullptr && theirs->order(earlier.time, *mine);
}

bool is_of_this_kernel(const Access &access) { return access.bytes != 0 && access.time > running_kernel->start; }

bool races_with(const Access &earlier, const Access &access, bool is_write, const Section &section) {
  if (!is_of_this_kernel(earlier) || earlier.who == access.who || (earlier.bytes & access.bytes) == 0) return false;
  if (earlier.atomic && access.atomic) return false;
  if (earlier.same && !is_write) return false;
  const Kernel &kernel = *running_kernel;
  if (section.kind == Kind::team && earlier.who / kernel.threads != kernel.team) return false; // another team's copy
  return !is_ordered(earlier);
}

void check_four_bytes(Section &section, Accesses &known, const Access &access, bool is_write, uintptr_t address) {
  const Access *earlier = nullptr;
  if (races_with(known.write, access, is_write, section)) earlier = &known.write;
  for (const Access &read : known.reads)
    if (is_write && earlier == nullptr && races_with(read, access, is_write, section)) earlier = &read;
  if (earlier != nullptr && !access.same) report_race(section, address, access, is_write, *earlier, earlier == &known.write);
  if (is_write) {
    known.write = access;
  } else {
    bool is_first = !is_of_this_kernel(known.reads[0]) || known.reads[0].who == access.who;
    Access &place = known.reads[is_first ? 0 : 1];
    bool is_less = access.atomic && is_of_this_kernel(place) && !place.atomic; // disturbs others more seldom
    if (!is_less) place = access;
  }
}

void check_bytes(Section &section, uintptr_t address, size_t size, Access access, bool is_write) {
  uintptr_t first = address - section.begin / 4 * 4, end = first + size; // sections begin anywhere
  for (uintptr_t at = first / 4 * 4; at < end && at / 4 < section.size / 4 + 2; at += 4) {
    unsigned bytes = 0xf;
    if (at < first) bytes &= 0xfu << (first - at);
    if (at + 4 > end) bytes &= 0xfu >> (at + 4 - end);
    access.bytes = bytes & 0xf;
    check_four_bytes(section, section.accesses[at / 4], access, is_write, address);
  }
}

// The threads of a team run one after the other, so an instruction's addresses lie far apart, in equal distances.
uintptr_t &latest_of_instruction(uintptr_t pc) {
  constexpr unsigned most = 256;
  static uintptr_t latest[most];
  return latest[(pc ^ pc >> 8) % most];
}

void fetch(const Section &section, uintptr_t address) {
  uintptr_t at = (address - section.begin / 4 * 4) / 4;
  __builtin_prefetch(&section.accesses[at], 1);
  __builtin_prefetch(reinterpret_cast<char *>(&section.accesses[at + 1]) + sizeof(Accesses) - 1, 1);
  if (section.states != nullptr) __builtin_prefetch(&section.states[address - section.begin], 1);
}

} // namespace

void fetch_early(const Section &section, uintptr_t address, uintptr_t pc) {
  if (section.accesses == nullptr) return;
  fetch(section, address);
  uintptr_t &latest = latest_of_instruction(pc);
  uintptr_t next = address + (address - latest);
  latest = address;
  if (next - section.begin < section.size) fetch(section, next);
}

void check_races(Section &section, uintptr_t address, size_t size, bool is_write, bool is_atomic, uintptr_t pc) {
  if (section.accesses == nullptr) return;
  Access access = {running_kernel->who(), now, 0, 0, 0, 0};
  access.pc = pc & ((1ull << 56) - 1);
  access.atomic = is_atomic;
  Write write = {&section, address, static_cast<unsigned>(size), access, {}};
  if (!is_write || is_atomic || size > sizeof write.before || address + size > section.end())
    return check_bytes(section, address, size, access, is_write);
  memcpy(write.before, reinterpret_cast<void *>(address), size);
  order().writes.push_back(write);
  writes_wait = true;
}

void settle_writes() {
  if (!writes_wait) return;
  writes_wait = false;
  for (Write &write : order().writes) {
    write.access.same = memcmp(write.before, reinterpret_cast<void *>(write.address), write.size) == 0;
    check_bytes(*write.section, write.address, write.size, write.access, true);
  }
  order().writes.clear();
}

void synchronise(uintptr_t address) {
  now++;
  order().threads[running_kernel->thread].add(address);
  order().teams[running_kernel->team].add(address);
  now++;
}

void forget_synchronisation(unsigned threads) {
  order().teams.clear();
  order().threads.assign(threads, {});
  order().last_barrier.assign(threads, 0);
  order().meeting.clear();
}

void begin_team() {
  std::fill(order().threads.begin(), order().threads.end(), Operations());
  std::fill(order().last_barrier.begin(), order().last_barrier.end(), 0);
}

void meets(unsigned thread) {
  if (running_kernel != nullptr) order().meeting.push_back(thread);
}
void met() {
  if (running_kernel == nullptr) return;
  now++;
  for (unsigned thread : order().meeting)
    if (thread < order().last_barrier.size()) order().last_barrier[thread] = now;
  order().meeting.clear();
  now++;
}

} // namespace rex_check
