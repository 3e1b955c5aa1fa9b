// SPDX-License-Identifier: Apache-2.0
//
// Failed mappings in the user's words. libomptarget speaks of addresses and ends the program; this says which list item
// it was, and where it stands. Part of register_cubin.cpp.
//
// What `present` asks for is looked up before the call: only rows with that bit cost anything. Everything else is found
// when it is too late, by a handler of SIGABRT (where the program has none of its own): a call leaves a pointer to its
// rows in a thread-local variable, and in libomptarget's abort() the first row that is not on the device is the one that
// failed.
#ifndef REX_EXPLAIN_H
#define REX_EXPLAIN_H

#include "rex_gate.h"
#include "rex_kmp.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <signal.h>
#include <unistd.h>

extern "C" {
int omp_get_default_device(void);
int omp_get_num_devices(void);
void *omp_get_mapped_ptr(const void *, int);
}

namespace {

enum class CallKind { data_begin, data_end, data_update, kernel };

// What libomptarget is being asked for, as the caller has it. A part of an item with a mapper is a call with one row, and
// `whole` the call with the item.
struct Call {
  CallKind kind;
  const __rex_ident *place;
  int64_t device;
  int32_t count;
  void **bases, **begins;
  int64_t *sizes, *types;
  void **names, **mappers;
  const Call *whole = nullptr;
  int32_t item = 0;

  int device_number() const { return device < 0 ? omp_get_default_device() : static_cast<int>(device); }
  bool has_mapper(int32_t row) const { return mappers != nullptr && mappers[row] != nullptr; }
};

// The call that this thread is in. The model is the one that costs one instruction, also in shared libraries.
__attribute__((__tls_model__("initial-exec"))) thread_local const Call *current_call;

class CurrentCall {
public:
  explicit CurrentCall(const Call &call) : outer(current_call) { current_call = &call; }
  ~CurrentCall() { current_call = outer; }
  CurrentCall(const CurrentCall &) = delete;

private:
  const Call *outer; // a target region on the CPU device may call a function that has one
};

// A row's storage: from its first to its last byte, and how many of them are meant.
struct Storage {
  const char *begin;
  uint64_t size, bytes;
  bool has_gaps;
};

Storage storage_of(const Call &call, int32_t row) {
  uint64_t size = static_cast<uint64_t>(call.sizes[row]);
  if ((call.types[row] & REX_MAP_NON_CONTIG) == 0) return {static_cast<char *>(call.begins[row]), size, size, false};
  const auto *dimensions = static_cast<const rex_dimension *>(call.begins[row]);
  const char *begin = static_cast<char *>(call.bases[row]);
  if (dimensions[0].count == 0) return {begin, 0, 0, true};
  Storage found = {begin, 1, 1, true};
  for (int64_t i = 0; i < call.sizes[row]; i++) {
    bool is_last = i == call.sizes[row] - 1; // one element
    found.bytes *= is_last ? dimensions[i].stride : dimensions[i].count;
    found.size += is_last ? dimensions[i].stride - 1 : (dimensions[i].count - 1) * dimensions[i].stride;
  }
  return found;
}

enum class Presence { none, part, whole };

// The device address of a byte of storage. Where the device had no memory, libomptarget keeps a mapping to address 0.
char *address_of(const Storage &storage, uint64_t offset, int device) {
  auto *found = static_cast<char *>(omp_get_mapped_ptr(storage.begin + offset, device));
  return reinterpret_cast<uintptr_t>(found) == offset ? nullptr : found;
}

// Whether storage is on the device. Both ends in one mapping is all of it; with `thoroughly` also a part between them
// is found.
Presence presence(const Storage &storage, int device, bool thoroughly) {
  uint64_t last = storage.size > 0 ? storage.size - 1 : 0;
  char *first_there = address_of(storage, 0, device), *last_there = address_of(storage, last, device);
  if (first_there != nullptr && last_there != nullptr)
    return storage.has_gaps || first_there + last == last_there ? Presence::whole : Presence::part;
  if (first_there != nullptr || last_there != nullptr) return Presence::part;
  uint64_t step = storage.size / 1000000 + 1;
  for (uint64_t at = step; thoroughly && at < storage.size; at += step)
    if (address_of(storage, at, device) != nullptr) return Presence::part;
  return Presence::none;
}

// A part of LLVM's ";a;b;c;" strings.
struct Field {
  int length = 0;
  const char *text = "";
};

Field field(const void *source, int number) {
  const char *at = source != nullptr ? static_cast<const char *>(source) : "";
  for (; number > 0 && *at != '\0'; at++) number -= *at == ';';
  Field found;
  found.text = at;
  found.length = static_cast<int>(strcspn(at, ";"));
  return found;
}

void write_line(const char *line, int length, int room) {
  if (write(STDERR_FILENO, line, length < room ? length : room - 1) < 0) return;
}

// Writes "rex: nn.c:12:34: 'a[0:n]' (800 bytes) " and the two parts of the sentence around the device's number. Nothing
// is allocated: this may be the middle of an abort().
void tell(const Call &call, int32_t row, const char *said, const char *rest) {
  char line[1024];
  const Call &asked = call.whole != nullptr ? *call.whole : call;
  const void *place = asked.place != nullptr ? asked.place->source : nullptr, *name = nullptr;
  if (asked.names != nullptr) name = asked.names[call.whole != nullptr ? call.item : row];
  Field file = field(place, 1), item = field(name, 1), part;
  Field number = field(name != nullptr ? name : place, 3), column = field(name != nullptr ? name : place, 4);
  if (item.length == 0) item = {18, "what is mapped here"};
  if (call.whole != nullptr) part = field(call.names[row], 1);
  bool has_part = part.length > 0;
  unsigned long long bytes = storage_of(call, row).bytes;
  char extent[256] = "";
  if (has_part || bytes > 0)
    snprintf(extent, sizeof extent, "(%s%.*s%s%llu bytes) ", has_part ? "its part '" : "", part.length, part.text,
             has_part ? "', " : "", bytes);
  int length = snprintf(line, sizeof line, "rex: %.*s:%.*s:%.*s: '%.*s' %s%s %d%s\n", file.length, file.text,
                        number.length, number.text, column.length, column.text, item.length, item.text, extent, said,
                        call.device_number(), rest);
  write_line(line, length, sizeof line);
}

void tell_device(const Call &call, int device, int count) {
  char line[1024];
  const void *place = call.place != nullptr ? call.place->source : nullptr;
  Field file = field(place, 1), number = field(place, 3), column = field(place, 4);
  int length = snprintf(line, sizeof line, "rex: %.*s:%.*s:%.*s: there is no device %d; their numbers end at %d\n",
                        file.length, file.text, number.length, number.text, column.length, column.text, device,
                        count - 1);
  write_line(line, length, sizeof line);
}

void tell_absence(const Call &call, int32_t row, Presence found) {
  tell(call, row, found == Presence::none ? "is not present on device" : "is only partly present on device",
       (call.types[row] & REX_MAP_IMPLICIT) != 0 ? ", which 'defaultmap(present)' asks for"
                                                 : ", which its 'present' modifier asks for");
}

// Ends the program, as OpenMP demands, where something is absent that has to be present. The variables of the images are
// there only once `load` has had libomptarget load them, which on most devices has long been done.
template <class Load> void check_present(const Call &call, Load load) {
  for (int32_t row = 0; row < call.count; row++) {
    if ((call.types[row] & REX_MAP_PRESENT) == 0 || call.has_mapper(row)) continue;
    Storage storage = storage_of(call, row);
    if (storage.size == 0) continue;
    Presence found = presence(storage, call.device_number(), false);
    if (found != Presence::whole && load(call.device_number())) found = presence(storage, call.device_number(), false);
    if (found == Presence::whole) continue;
    tell_absence(call, row, found);
    abort();
  }
}

// Says of the first row that did not get to the device why that may be; whether there was one.
bool explain_row(const Call &call, int32_t row) {
  int64_t types = call.types[row];
  Storage storage = storage_of(call, row);
  bool asks = (types & REX_MAP_PRESENT) != 0;
  if ((types & (REX_MAP_LITERAL | REX_MAP_PRIVATE | REX_MAP_REDUCED)) != 0 || call.has_mapper(row)) return false;
  if (!asks && (storage.size == 0 || call.kind == CallKind::data_update)) return false;
  Presence found = presence(storage, call.device_number(), true);
  if (found == Presence::whole || (found == Presence::part && (types & REX_MAP_IMPLICIT) != 0)) return false;
  const char *grows = " already, and what is mapped cannot grow; map all of it where its first part is mapped";
  if (asks) tell_absence(call, row, found);
  else if (found == Presence::none) tell(call, row, "got no memory on device", "");
  else tell(call, row, "cannot be mapped: a part of it is on device", grows);
  return true;
}

// Has the mapper of an item name its parts once more, and explains the first that did not get to the device.
struct PartsOfItem {
  const Call &call;
  int32_t row;
  int64_t count;
  bool told;

  void add(void *base, void *begin, int64_t size, int64_t type, void *name) {
    Call part = {call.kind, call.place, call.device, 1, &base, &begin, &size, &type, &name, nullptr, &call, row};
    count++;
    told = told || explain_row(part, 0);
  }
};
__attribute__((__tls_model__("initial-exec"))) thread_local PartsOfItem *parts_of_item;

bool explain_item(const Call &call, int32_t row) {
  if (!call.has_mapper(row)) return explain_row(call, row);
  using Mapper = void(void *, void *, void *, int64_t, int64_t, void *);
  PartsOfItem parts = {call, row, 0, false};
  parts_of_item = &parts;
  reinterpret_cast<Mapper *>(call.mappers[row])(&parts, call.bases[row], call.begins[row], call.sizes[row],
                                                call.types[row], call.names != nullptr ? call.names[row] : nullptr);
  parts_of_item = nullptr;
  return parts.told;
}

void explain_abort(int) {
  const Call *call = current_call;
  current_call = nullptr;
  if (call == nullptr || call->kind == CallKind::data_end) return;
  signal(SIGALRM, SIG_DFL); // should libomptarget hold a lock that the questions need
  alarm(5);
  int device = call->device_number(), count = omp_get_num_devices();
  if (device > count) return tell_device(*call, device, count);
  for (int32_t row = 0; row < call->count; row++)
    if (explain_item(*call, row)) return;
}

void explain_failures() {
  struct sigaction now;
  if (sigaction(SIGABRT, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction wanted = {};
  wanted.sa_handler = explain_abort;
  wanted.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGABRT, &wanted, nullptr);
}

} // namespace

int64_t rex___tgt_mapper_num_components(void *handle) {
  return parts_of_item != nullptr ? parts_of_item->count : __tgt_mapper_num_components(handle);
}

void rex___tgt_push_mapper_component(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  note_pointers(1, &base, &type);
  if (parts_of_item != nullptr) parts_of_item->add(base, begin, size, type, name);
  else __tgt_push_mapper_component(handle, base, begin, size, type, name);
}

#endif
