// SPDX-License-Identifier: Apache-2.0
#include "rex_explain.h"

#include "rex_gate.h"
#include "rex_gpu_failure.h"
#include "rex_messages.h"
#include "rex_shared_memory.h"

#include <cstdio>
#include <cstdlib>

#include <signal.h>
#include <unistd.h>

namespace __rex REX_HIDDEN {
namespace {

void write_line(const char *line, int length, int room) {
  if (write(STDERR_FILENO, line, length < room ? length : room - 1) < 0) return;
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

// Says of a row that did not get to the device why that may be; whether it is one.
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

// What the thread's mapper hands its parts to; null outside of explain_item().
REX_OF_THREAD PartsOfItem *parts_of_item;

// What a kernel may have read that is not shared.
void tell_shared_memory(const Call &call) {
  char line[1024];
  const void *place = call.place != nullptr ? call.place->source : nullptr;
  Field file = field(place, 1), number = field(place, 3), column = field(place, 4);
  int length = snprintf(line, sizeof line,
                        "rex: %.*s:%.*s:%.*s: this GPU reads of the host's memory what the program's code allocates by malloc "
                        "or new, variables of the program, and stacks of threads with target constructs; other memory "
                        "(of strdup, mmap, libraries) has to be mapped\n",
                        file.length, file.text, number.length, number.text, column.length, column.text);
  write_line(line, length, sizeof line);
}

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
  const Call *call = CurrentCall::of_thread();
  CurrentCall::forget();
  if (call == nullptr) return;
  signal(SIGALRM, SIG_DFL); // should libomptarget hold a lock that the questions need
  alarm(5);
  bool is_on_gpu = rex_offload.kind == REX_ON_GPU;
  if ((is_on_gpu && explain_failed_work(*call)) || call->kind == CallKind::data_end) return;
  int device = call->device_number(), count = omp_get_num_devices();
  if (device > count) return tell_device(*call, device, count);
  for (int32_t row = 0; row < call->count; row++)
    if (explain_item(*call, row)) return;
  if (call->kind == CallKind::kernel && SharedMemory::of_link_unit() != nullptr) return tell_shared_memory(*call);
  if (is_on_gpu && !explain_refused_images() && call->kind == CallKind::kernel) explain_refused_launch(*call);
}

} // namespace

void tell(const Call &call, int32_t row, const char *said, const char *rest) {
  char line[1024];
  const Call &asked = call.whole != nullptr ? *call.whole : call;
  const void *place = asked.place != nullptr ? asked.place->source : nullptr, *name = nullptr;
  if (asked.names != nullptr) name = asked.names[call.whole != nullptr ? call.item : row];
  Field file = field(place, 1), item = field(name, 1), part;
  Field number = field(name != nullptr ? name : place, 3), column = field(name != nullptr ? name : place, 4);
  if (item.length == 0) item = {19, "what is mapped here"};
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

void check_row(const Call &call, int32_t row, LoadImages *load) {
  if (call.has_mapper(row)) return;
  Storage storage = storage_of(call, row);
  if (storage.size == 0) return;
  Presence found = presence(storage, call.device_number(), false);
  if (found != Presence::whole && load(call.device_number())) found = presence(storage, call.device_number(), false);
  if (found == Presence::whole) return;
  tell_absence(call, row, found);
  abort();
}

void explain_failures() {
  struct sigaction now;
  if (sigaction(SIGABRT, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction wanted = {};
  wanted.sa_handler = explain_abort;
  wanted.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGABRT, &wanted, nullptr);
}

} // namespace __rex

int64_t rex___tgt_mapper_num_components(void *handle) {
  return __rex::parts_of_item != nullptr ? __rex::parts_of_item->count : __tgt_mapper_num_components(handle);
}

void rex___tgt_push_mapper_component(void *handle, void *base, void *begin, int64_t size, int64_t type, void *name) {
  if (auto *memory = __rex::SharedMemory::of_link_unit()) type = memory->type_of(begin, size, type);
  if (const __rex::Call *call = __rex::CurrentCall::of_thread()) {
    __rex::note_pointer(base, begin, size, type, call->device_number());
    __rex::KeptPointers::note_part(begin, type);
  }
  if (__rex::parts_of_item != nullptr) __rex::parts_of_item->add(base, begin, size, type, name);
  else __tgt_push_mapper_component(handle, base, begin, size, type, name);
}
