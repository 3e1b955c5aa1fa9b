// Records what a program hands to LLVM's offload runtime, symbolically, and hands it on.
//
// Load it in front of a program (LD_PRELOAD). It stands before libomptarget's entry points and writes to the file that
// MAPS_RECORD names, one line each, fields separated by tabs:
//
//   shape  ID                                the program says that a shape begins (map_shape)
//   call   kernel|begin|end|update           one call
//   row    base begin size bits              one entry of its arrays; the bits as a hexadecimal number
//   piece  base begin size bits              what the mapper function of the row before pushes for it
//   leak   NAME                              storage of the shape that is still mapped where the next one begins
//
// Addresses are written relative to the storage that the program announces (map_note), so that two builds of one
// program can be compared: NAME, NAME+8, null, or "?" for storage that nobody announced. Entries that are values are
// written as values, addresses among them as "=address".

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include <dlfcn.h>

namespace {

constexpr uint64_t attach_bit = 0x10, literal_bit = 0x100, descriptor_bit = 0x100000000000;

struct Note {
  std::string name;
  uintptr_t begin;
  size_t size;
  bool lasting; // announced before the first shape
};

// The head of the packet of a launch, as far as it is looked at.
struct Packet {
  int32_t version, count;
  void **bases, **begins;
  int64_t *sizes;
  uint64_t *bits;
  void **names, **mappers;
};

struct Dimension {
  uint64_t offset, count, stride;
};

struct Piece {
  void *base, *begin;
  int64_t size;
  uint64_t bits;
};
using Pieces = std::vector<Piece>;
using Mapper = void(void *, void *, void *, int64_t, int64_t, void *);

std::recursive_mutex lock;
std::vector<Note> notes;
bool any_shape;
thread_local bool inside; // the runtime calls its own entry points
thread_local Pieces *collecting;

FILE *record() {
  static FILE *file = [] {
    const char *path = getenv("MAPS_RECORD");
    return path == nullptr ? nullptr : fopen(path, "w");
  }();
  return file;
}

template <class Function> Function *next(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

// The announcement that holds an address; the last one wins.
const Note *holder(uintptr_t address) {
  for (size_t i = notes.size(); i-- > 0;)
    if (address >= notes[i].begin && address < notes[i].begin + notes[i].size) return &notes[i];
  return nullptr;
}

// The runtime, where the program is linked with it.
template <class Function> Function *runtime(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

std::string device_symbol(const void *pointer) {
  auto *device = runtime<int()>("omp_get_default_device");
  auto *mapped = runtime<void *(const void *, int)>("omp_get_mapped_ptr");
  for (const Note &note : notes)
    if (mapped != nullptr && mapped(reinterpret_cast<void *>(note.begin), device()) == pointer) return "@" + note.name;
  return "";
}

std::string symbol(const void *pointer) {
  if (pointer == nullptr) return "null";
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const Note *found = holder(address);
  if (found == nullptr) {
    const std::string device = device_symbol(pointer);
    return device.empty() ? "?" : device;
  }
  const size_t offset = address - found->begin;
  return offset == 0 ? found->name : found->name + "+" + std::to_string(offset);
}

std::string value(const void *pointer, int64_t size) {
  const std::string name = size == sizeof(void *) ? symbol(pointer) : "?";
  if (name != "?" && name != "null") return name;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (size == sizeof(void *) && address >> 32 != 0 && address >> 47 == 0) return "=address"; // the runtime's own memory
  uint64_t number = 0;
  memcpy(&number, &pointer, size < 0 || size > 8 ? 8 : static_cast<size_t>(size));
  return "=" + std::to_string(number);
}

std::string dimensions(const void *pointer, int64_t count) {
  std::string text;
  const auto *dimension = static_cast<const Dimension *>(pointer);
  for (int64_t i = 0; i < count; i++)
    text += "[" + std::to_string(dimension[i].offset) + ":" + std::to_string(dimension[i].count) + ":" +
            std::to_string(dimension[i].stride) + "]";
  return text;
}

void write_row(const char *word, const Piece &row) {
  std::string base = symbol(row.base), begin = symbol(row.begin);
  if ((row.bits & (literal_bit | attach_bit)) == literal_bit) base = begin = value(row.begin, row.size);
  if ((row.bits & descriptor_bit) != 0) begin = dimensions(row.begin, row.size);
  fprintf(record(), "%s\t%s\t%s\t%lld\t%llx\n", word, base.c_str(), begin.c_str(), static_cast<long long>(row.size),
          static_cast<unsigned long long>(row.bits));
}

void write_call(const char *kind, int32_t count, void **bases, void **begins, const int64_t *sizes, const uint64_t *bits,
                void **names, void **mappers) {
  if (record() == nullptr || !any_shape || inside) return;
  std::lock_guard<std::recursive_mutex> guard(lock);
  fprintf(record(), "call\t%s\n", kind);
  for (int32_t i = 0; i < count; i++) {
    write_row("row", {bases[i], begins[i], sizes[i], bits[i]});
    if (mappers == nullptr || mappers[i] == nullptr) continue;
    Pieces pieces;
    collecting = &pieces;
    reinterpret_cast<Mapper *>(mappers[i])(&pieces, bases[i], begins[i], sizes[i], static_cast<int64_t>(bits[i]),
                                           names == nullptr ? nullptr : names[i]);
    collecting = nullptr;
    for (const Piece &piece : pieces) write_row("piece", piece);
  }
  fflush(record());
}

void write_packet(const void *packet) {
  const auto &given = *static_cast<const Packet *>(packet);
  write_call("kernel", given.count, given.bases, given.begins, given.sizes, given.bits, given.names, given.mappers);
}

void write_leaks() {
  auto *device = runtime<int()>("omp_get_default_device");
  auto *present = runtime<int(const void *, int)>("omp_target_is_present");
  if (present == nullptr) return;
  for (const Note &note : notes)
    for (size_t i = 0; i < note.size && !note.lasting && note.name[0] != '@'; i++)
      if (present(reinterpret_cast<void *>(note.begin + i), device())) {
        fprintf(record(), "leak\t%s+%zu\n", note.name.c_str(), i);
        break;
      }
}

struct Inside {
  bool before = inside;
  Inside() { inside = true; }
  ~Inside() { inside = before; }
};

} // namespace

extern "C" {

// A shape begins: the announcements of the shape before it are forgotten.
void map_shape(const char *id) {
  if (record() == nullptr) return;
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (any_shape) write_leaks();
  std::vector<Note> lasting;
  for (const Note &note : notes)
    if (note.lasting) lasting.push_back(note);
  notes = lasting;
  any_shape = true;
  fprintf(record(), "shape\t%s\n", id);
  fflush(record());
}

// Storage gets a name. Names of device storage begin with '@'.
void map_note(const char *name, const void *begin, size_t size) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  notes.push_back({name, reinterpret_cast<uintptr_t>(begin), size, !any_shape});
}

int __tgt_target_kernel(void *place, int64_t device, int32_t teams, int32_t threads, void *key, void *packet) {
  static auto *const real = next<decltype(__tgt_target_kernel)>("__tgt_target_kernel");
  write_packet(packet);
  Inside guard;
  return real(place, device, teams, threads, key, packet);
}

int __tgt_target_kernel_nowait(void *place, int64_t device, int32_t teams, int32_t threads, void *key, void *packet,
                               int32_t waits, void *list, int32_t other_waits, void *other_list) {
  static auto *const real = next<decltype(__tgt_target_kernel_nowait)>("__tgt_target_kernel_nowait");
  write_packet(packet);
  Inside guard;
  return real(place, device, teams, threads, key, packet, waits, list, other_waits, other_list);
}

#define DATA_CALL(word)                                                                                                \
  void __tgt_target_data_##word##_mapper(void *place, int64_t device, int32_t count, void **bases, void **begins,      \
                                         int64_t *sizes, uint64_t *bits, void **names, void **mappers) {               \
    static auto *const real =                                                                                          \
        next<decltype(__tgt_target_data_##word##_mapper)>("__tgt_target_data_" #word "_mapper");                       \
    write_call(#word, count, bases, begins, sizes, bits, names, mappers);                                              \
    Inside guard;                                                                                                      \
    real(place, device, count, bases, begins, sizes, bits, names, mappers);                                            \
  }                                                                                                                    \
  void __tgt_target_data_##word##_nowait_mapper(void *place, int64_t device, int32_t count, void **bases,              \
                                                void **begins, int64_t *sizes, uint64_t *bits, void **names,           \
                                                void **mappers, int32_t waits, void *list, int32_t other_waits,        \
                                                void *other_list) {                                                    \
    static auto *const real =                                                                                          \
        next<decltype(__tgt_target_data_##word##_nowait_mapper)>("__tgt_target_data_" #word "_nowait_mapper");         \
    write_call(#word, count, bases, begins, sizes, bits, names, mappers);                                              \
    Inside guard;                                                                                                      \
    real(place, device, count, bases, begins, sizes, bits, names, mappers, waits, list, other_waits, other_list);      \
  }
DATA_CALL(begin)
DATA_CALL(end)
DATA_CALL(update)

int64_t __tgt_mapper_num_components(void *handle) {
  static auto *const real = next<decltype(__tgt_mapper_num_components)>("__tgt_mapper_num_components");
  return handle == collecting ? static_cast<int64_t>(collecting->size()) : real(handle);
}

void __tgt_push_mapper_component(void *handle, void *base, void *begin, int64_t size, int64_t bits, void *name) {
  static auto *const real = next<decltype(__tgt_push_mapper_component)>("__tgt_push_mapper_component");
  if (handle == collecting) return collecting->push_back({base, begin, size, static_cast<uint64_t>(bits)});
  real(handle, base, begin, size, bits, name);
}

} // extern "C"
