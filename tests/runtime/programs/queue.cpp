// SPDX-License-Identifier: Apache-2.0
//
// What happens to launches and updates between rex_batch_begin and rex_batch_end, and to launches elsewhere, on a
// make-believe GPU. libomptarget's calls and the driver's tell when they are made.
#include "rex_arguments.h"
#include "rex_batches.h"
#include "rex_cubin.h"
#include "rex_gate.h"
#include "rex_internal.h"
#include "rex_profile.h"
#include "rex_queue.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include <dlfcn.h>

using namespace __rex;

static char absent[100], kernel_id, other_id;
static int waits_before_unmapping;
static std::atomic<bool> is_beginning, may_go_on;

extern "C" {
extern char on_host[100], pinned[24], questionable[8], small[32];
extern int waits, questions, small_is_mapped;
extern void (*asked)(const void *pointer), (*brought)(const void *bytes, size_t size);
int __tgt_target_kernel(__rex_ident *, int64_t, int32_t, int32_t, void *, __tgt_kernel_arguments *) {
  puts("libomptarget launches and waits");
  return 0;
}
void __tgt_target_data_update_mapper(__rex_ident *, int64_t, int32_t count, void **, void **, int64_t *, int64_t *, void **,
                                     void **) {
  if (count > 0) puts("libomptarget updates");
}
void __tgt_target_data_begin_mapper(__rex_ident *, int64_t, int32_t count, void **, void **begins, int64_t *sizes,
                                    int64_t *types, void **, void **) {
  if (begins[0] == on_host)
    for (is_beginning = true; !may_go_on;) std::this_thread::yield();
  if (begins[0] != small) return;
  printf("libomptarget maps %d row, %d bytes, type %d\n", count, static_cast<int>(sizes[0]), static_cast<int>(types[0]));
  small_is_mapped = sizes[0] <= 32;
}
void __tgt_target_data_end_mapper(__rex_ident *, int64_t, int32_t, void **, void **begins, int64_t *, int64_t *types, void **,
                                  void **) {
  waits_before_unmapping = waits;
  if (begins[0] != small) return;
  printf("libomptarget unmaps, type %d\n", static_cast<int>(types[0]));
  small_is_mapped = 0;
}
}

static __rex_ident place = REX_PLACE(";queue.cpp;main;1;1;;");

static void launch(const char *what, void *id, void *data, int64_t size, int64_t type, int64_t device = 0,
                   bool as_task = false) {
  printf("- %s\n", what);
  void *bases[] = {reinterpret_cast<void *>(42), data}, *begins[] = {bases[0], static_cast<char *>(data) + 8};
  int64_t sizes[] = {8, size}, types[] = {REX_MAP_LITERAL_PARAM, type};
  __tgt_kernel_arguments packet = {3, 2, bases, begins, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 16};
  rex_task task = {1, 0, nullptr, 0};
  if (as_task) rex_target_kernel_task(&task, &place, device, 7, 64, id, &packet);
  else rex___tgt_target_kernel(&place, device, 7, 64, id, &packet);
}

// Tasks that depend on each other.
static rex_depend depend = {on_host, REX_DEPEND_INOUT};
static void make_task(const char *what, void *id = &kernel_id) {
  printf("- %s\n", what);
  void *rows[] = {reinterpret_cast<void *>(42), on_host};
  int64_t sizes[] = {8, 50}, types[] = {REX_MAP_LITERAL_PARAM, REX_MAP_PARAM | REX_MAP_TOFROM};
  __tgt_kernel_arguments packet = {3, 2, rows, rows, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
  rex_task task = {1, 1, &depend, 0};
  rex_target_kernel_task(&task, &place, 0, 7, 64, id, &packet);
}
static void make_update(const char *what, char *data, int64_t size, int64_t type) {
  printf("- %s\n", what);
  void *row = data;
  rex_task task = {1, 1, &depend, 0};
  rex_target_data_update_task(&task, &place, 0, 1, &row, &row, &size, &type, nullptr, nullptr);
}
static void wait_for_all() {
  puts("- wait for tasks");
  __kmpc_omp_taskwait(&place, __kmpc_global_thread_num(&place));
}
static int make_tasks() {
  strcpy(on_host, "123456789 123456789 123456789");
  rex_batch_begin_of_tasks();
  make_task("kernel");
  make_update("home", on_host, 3, REX_MAP_FROM);
  make_update("home", on_host + 8, 3, REX_MAP_FROM);
  make_update("up, and not on its way home", on_host + 4, 4, REX_MAP_TO);
  printf("- %s\n", on_host);
  make_update("up, and on its way home", on_host + 10, 3, REX_MAP_TO);
  printf("- %s\n", on_host);
  make_task("kernel");
  make_update("home", on_host + 20, 3, REX_MAP_FROM);
  puts("- end");
  rex_batch_end();
  printf("- %s\n", on_host);
  for (int i = 0; i < 2; i++) {
    rex_batch_begin_behind_tasks();
    printf("- queues nothing: %d\n", Batch::of_thread.refuses);
    make_task("kernel");
    make_update("home at once", on_host + 14, 1, REX_MAP_FROM);
    printf("- %s\n", on_host);
    make_task("unknown", &other_id);
    make_task("behind it");
    wait_for_all();
    puts("- end");
    rex_batch_end();
  }
  make_task("in no batch");
  wait_for_all();
  return 0;
}

// Tasks, waits for them, and kernels that are none, in the order of `words`: "t" and locations, capital letters for `inout`
// and small ones for `in`, "*" for all memory, "w", and "k". Each kernel has its place as a value.
static int make_streams(int count, char **words) {
  rex_batch_begin_behind_tasks();
  for (intptr_t number = 0; number < count; number++) {
    const char *word = words[number];
    if (*word == 'w') {
      rex_batch_taskwait();
      continue;
    }
    void *rows[] = {reinterpret_cast<void *>(number), on_host};
    int64_t sizes[] = {8, 50}, types[] = {REX_MAP_LITERAL_PARAM, REX_MAP_PARAM | REX_MAP_TOFROM};
    __tgt_kernel_arguments packet = {3, 2, rows, rows, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
    rex_depend depends[8];
    rex_task task = {1, 0, depends, 0};
    for (const char *at = word + 1; *at != 0; at++) {
      bool is_all = *at == '*', is_shared = *at >= 'a';
      int64_t how = is_all ? REX_DEPEND_ALL_MEMORY | REX_DEPEND_INOUT : is_shared ? REX_DEPEND_IN : REX_DEPEND_INOUT;
      depends[task.depend_num++] = {is_all ? nullptr : &on_host[*at & 31], how};
    }
    if (*word == 't') rex_target_kernel_task(&task, &place, 0, 7, 64, &kernel_id, &packet);
    else rex___tgt_target_kernel(&place, 0, 7, 64, &kernel_id, &packet);
  }
  rex_batch_end();
  return 0;
}

static void reduce(const char *what, void *data, int64_t size) {
  printf("- %s\n", what);
  void *bases[] = {nullptr, data};
  int64_t sizes[] = {size, 8};
  int64_t types[] = {REX_MAP_IMPLICIT_LITERAL | REX_MAP_PARTIALS, REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_REDUCED};
  __tgt_kernel_arguments packet = {3, 2, bases, bases, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
  rex___tgt_target_kernel(&place, 0, 7, 64, &kernel_id, &packet);
}

static void update(const char *what, void *data, int64_t size, int64_t type = REX_MAP_TO, int64_t device = 0) {
  printf("- update %s\n", what);
  void *bases[] = {on_host, data}, *begins[] = {on_host + 8, data};
  int64_t sizes[] = {12, size}, types[] = {REX_MAP_TO, type};
  rex___tgt_target_data_update_mapper(&place, device, 2, bases, begins, sizes, types, nullptr, nullptr);
}

static void using_member(const char *what, const char *member, size_t size) {
  printf("- using %s\n", what);
  rex_batch_begin();
  rex_batch_uses(member, size);
  launch("launch", &kernel_id, on_host, 50, REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT);
}

static void unmap() {
  void *data = on_host;
  int64_t size = 8, type = REX_MAP_FROM;
  rex___tgt_target_data_end_mapper(&place, 0, 1, &data, &data, &size, &type, nullptr, nullptr);
}

// A cubin with one symbol: an object, or a function, of that name in a section of that name.
struct OneSymbol {
  alignas(8) char bytes[512] = {};
  OneSymbol(const char *section, const char *symbol, int binding, uint64_t size, int kind);
};
OneSymbol::OneSymbol(const char *section, const char *symbol, int binding, uint64_t size, int kind) {
  char *const cubin = bytes;
  const uint64_t header = 64, texts = 400;
  auto put = [&](uint64_t at, auto value) { memcpy(cubin + at, &value, sizeof value); };
  put(40, header), put(58, uint16_t(64)), put(60, uint16_t(4)), put(62, uint16_t(1));
  auto part = [&](int i, uint32_t name, uint32_t type, uint64_t offset, uint64_t size) {
    put(header + 64 * i, name), put(header + 64 * i + 4, type);
    put(header + 64 * i + 24, offset), put(header + 64 * i + 32, size), put(header + 64 * i + 40, 1);
  };
  part(1, 0, 3, texts, 100), part(2, 1, 1, 0, 0), part(3, 0, 2, 350, 24);
  put(350, uint32_t(40)), put(354, static_cast<unsigned char>(binding << 4 | kind)), put(356, uint16_t(2));
  put(366, size);
  strcpy(cubin + texts + 1, section), strcpy(cubin + texts + 40, symbol);
}

static bool qualifies(const char *section, const char *symbol, int binding, uint64_t size = 8, int known = 0) {
  static const rex_offload_constant constants[] = {{"table", 8}, {"pi", 4}, {"", 0}};
  OneSymbol cubin(section, symbol, binding, size, 1);
  return Cubin(cubin.bytes, cubin.bytes + sizeof cubin.bytes).has_no_variables_of_users(constants, known);
}
static bool has_kernel(const char *name, const char *symbol, int kind) {
  OneSymbol cubin(".text", symbol, 1, 8, kind);
  return Cubin(cubin.bytes, cubin.bytes + sizeof cubin.bytes).has_kernel(name);
}

static bool calls(const char *name, const char *symbol, uint16_t section) {
  OneSymbol cubin(".text", symbol, 1, 0, 2);
  memcpy(cubin.bytes + 356, &section, sizeof section);
  return Cubin(cubin.bytes, cubin.bytes + sizeof cubin.bytes).calls(name);
}

// Two devices with a queue each.
static void use_both() {
  constexpr int64_t present = REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT;
  rex_batch_begin();
  launch("first", &kernel_id, on_host, 50, present, 1);
  launch("behind it", &kernel_id, on_host, 50, present, 1);
  launch("of the other", &kernel_id, on_host, 50, present, 0);
  launch("task", &kernel_id, on_host, 50, present, 1, true);
  launch("task of the other", &kernel_id, on_host, 50, present, 0, true);
  launch("after its tasks", &kernel_id, on_host, 50, present, 1);
  launch("after more than tasks", &kernel_id, on_host, 50, present, 0);
  launch("task", &kernel_id, on_host, 50, present, 1, true);
  rex_host_reads(on_host + 98);
  rex_host_reads(absent);
  puts("- read");
  rex_host_reads(pinned + 3);
  launch("task", &kernel_id, on_host, 50, present, 1, true);
  launch("task of the other", &kernel_id, on_host, 50, present, 0, true);
  update("back", on_host + 20, 5, REX_MAP_FROM, 1);
  launch("task of the other", &kernel_id, on_host, 50, present, 0, true);
  launch("of a third", &kernel_id, on_host, 50, present, 2);
  launch("task", &kernel_id, on_host, 50, present, 1, true);
  launch("task of the other", &kernel_id, on_host, 50, present, 0, true);
  puts("- end");
  rex_batch_end();
}

// Launches with a row that is new and one that is there, while other threads do something.
static void launch_with_both(const char *what, int64_t size = 9) {
  printf("- %s\n", what);
  strcpy(small, "12345678");
  void *begins[] = {small, on_host};
  int64_t sizes[] = {size, 50}, mapped = REX_MAP_PARAM | REX_MAP_TOFROM, types[] = {mapped, mapped | REX_MAP_IMPLICIT};
  __tgt_kernel_arguments packet = {3, 2, begins, begins, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
  on_host[0] = 0;
  rex___tgt_target_kernel(&place, 0, 7, 64, &kernel_id, &packet);
  printf("- home: %s\n", small);
  asked = nullptr;
  small_is_mapped = 0;
}
static void map_on_host() {
  void *data = on_host;
  int64_t size = 8, type = REX_MAP_TO;
  rex___tgt_target_data_begin_mapper(&place, 0, 1, &data, &data, &size, &type, nullptr, nullptr);
}
static void map_small_rows_beside_others() {
  asked = [](const void *row) {
    if (row == on_host && small_is_mapped != 0)
      printf("looked up, which %d thread wants to stay\n", static_cast<int>(Gate::of_device(0)->unreferenced.load()));
  };
  launch_with_both("new and there");
  static int asked_of_new;
  asked = [](const void *row) {
    bool is_new = row >= small && row < small + sizeof small;
    if (is_new && ++asked_of_new == 3) small_is_mapped = 1;
  };
  launch_with_both("new, and mapped meanwhile", 11);
  std::thread other(map_on_host);
  while (!is_beginning) std::this_thread::yield();
  launch_with_both("new and there, where that is still being brought", 10);
  may_go_on = true;
  other.join();
}

static void launch_beside(const char *what, void *data, int64_t size) {
  printf("- %s\n", what);
  void *begins[] = {small, data};
  int64_t sizes[] = {7, size}, types[] = {REX_MAP_PARAM | REX_MAP_TO, REX_MAP_PARAM | REX_MAP_IMPLICIT};
  __tgt_kernel_arguments packet = {3, 2, begins, begins, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
  rex___tgt_target_kernel(&place, 0, 7, 64, &kernel_id, &packet);
}

// Rows that are new for a launch: their bytes go with the kernel where they are few.
static int map_small_rows() {
  constexpr int64_t mapped = REX_MAP_PARAM | REX_MAP_TOFROM;
  auto with = [](const char *what, int64_t size, int64_t type, void *id = &kernel_id) {
    strcpy(small, "12345678");
    launch(what, id, small - 8, size, type);
    printf("- home: %s\n", small);
  };
  with("new", 9, mapped);
  with("new, implicit", 9, mapped | REX_MAP_IMPLICIT);
  with("new, to", 8, REX_MAP_PARAM | REX_MAP_TO);
  with("new, from", 4, REX_MAP_PARAM | REX_MAP_FROM);
  with("new, alloc", 32, REX_MAP_PARAM);
  with("new, always", 9, mapped | REX_MAP_ALWAYS);
  with("new, too large", 65537, mapped);
  with("new, not mapped as a whole", 33, mapped);
  with("new, unknown kernel", 9, mapped, &other_id);
  with("from, not as before", 4, REX_MAP_PARAM | REX_MAP_FROM);
  with("from, as before", 4, REX_MAP_PARAM | REX_MAP_FROM);
  with("new, as before", 9, mapped);
  with("new, as before, implicit", 9, mapped | REX_MAP_IMPLICIT);
  rex_batch_begin();
  launch("before something new", &kernel_id, on_host, 50, mapped | REX_MAP_IMPLICIT);
  with("new, as before", 9, mapped);
  launch("before something new", &kernel_id, on_host, 50, mapped | REX_MAP_IMPLICIT);
  with("new, not as before", 6, mapped);
  with("to, not as before", 7, REX_MAP_PARAM | REX_MAP_TO);
  with("to, as before", 7, REX_MAP_PARAM | REX_MAP_TO);
  puts("- end");
  rex_batch_end();
  with("to, as before", 7, REX_MAP_PARAM | REX_MAP_TO);
  with("to, as before, implicit", 7, REX_MAP_PARAM | REX_MAP_TO | REX_MAP_IMPLICIT);
  launch_beside("a pointer into it", small + 6, 0);
  launch_beside("a pointer behind it", small + 7, 0);
  small_is_mapped = 1;
  with("there", 9, mapped);
  small_is_mapped = 0;
  map_small_rows_beside_others();
  std::thread(unmap).join();
  with("new, where another thread has unmapped", 9, mapped);
  return 0;
}

// Launches with members of an object, and what its pointers lead to.
struct Object {
  long count;
  char *first, *second;
};
static struct {
  Object object;
  const char *row;
  int64_t types[4], size;
  bool is_pinned;
} given;
static void launch_with_object(const char *what) {
  printf("- %s\n", what);
  const Object own = given.object;
  Object &object = given.is_pinned ? *reinterpret_cast<Object *>(pinned) : given.object;
  object = own;
  void *bases[] = {&object, &object, &object.first, &object.second, const_cast<char *>(given.row)};
  void *begins[] = {&object, &object.count, object.first, object.second, bases[4]};
  int64_t sizes[] = {sizeof object, 8, 5, given.size, 9};
  int64_t types[] = {given.types[0], given.types[1], given.types[2], given.types[3], REX_MAP_PARAM | REX_MAP_TOFROM};
  __tgt_kernel_arguments packet = {3, 5, bases, begins, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
  rex___tgt_target_kernel(&place, 0, 7, 64, &kernel_id, &packet);
}
static void with_object(const char *what, int changed = 0, int64_t type = 0) {
  constexpr int64_t member = REX_MAP_MEMBER_OF(0), pointer = member | REX_MAP_PTR_AND_OBJ;
  given = {{7, on_host + 10, on_host + 40}, on_host, {REX_MAP_PARAM, member | REX_MAP_TO, pointer | REX_MAP_TO, 0}, 20, false};
  given.types[3] = pointer | REX_MAP_TOFROM;
  given.types[changed] |= type;
  if (type >= 0) launch_with_object(what);
}
// Members from a later one than the first on: the kernel counts from the object's beginning.
static void launch_with_later_members(int before) {
  printf("- from byte %d on\n", before);
  static Object objects[2];
  char *first = reinterpret_cast<char *>(objects), *second = reinterpret_cast<char *>(objects + 1);
  objects[0].second = on_host + 30, objects[1].second = on_host + 40;
  constexpr int64_t pointer = REX_MAP_PTR_AND_OBJ | REX_MAP_TOFROM;
  void *bases[] = {first, &objects[0].second, second, &objects[1].second};
  void *begins[] = {first + before, on_host + 30, second + before, on_host + 40};
  int64_t size = static_cast<int64_t>(sizeof(Object)) - before, sizes[] = {size, 20, size, 20};
  int64_t types[] = {REX_MAP_PARAM, pointer | REX_MAP_MEMBER_OF(0), REX_MAP_PARAM, pointer | REX_MAP_MEMBER_OF(2)};
  __tgt_kernel_arguments packet = {3, 4, bases, begins, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
  brought = [](const void *bytes, size_t size) {
    intptr_t pointers[2] = {};
    for (size_t i = 0, place = 16; i < 2 && place + 8 <= size; i++, place += 64)
      memcpy(&pointers[i], static_cast<const char *>(bytes) + place, 8);
    printf("bring %d bytes: %d, %d\n", static_cast<int>(size), static_cast<int>(pointers[0]), static_cast<int>(pointers[1]));
  };
  rex___tgt_target_kernel(&place, 0, 7, 64, &kernel_id, &packet);
}
// A pointer's row before that of all of the object, which has the host's pointer.
static void launch_with_pointer_before_all() {
  puts("- a pointer before all");
  Object object = {7, on_host + 10, nullptr};
  constexpr int64_t member = REX_MAP_MEMBER_OF(0) | REX_MAP_TO;
  void *bases[] = {&object, &object.first, &object, on_host};
  void *begins[] = {&object, object.first, &object, on_host};
  int64_t sizes[] = {sizeof object, 5, sizeof object, 9};
  int64_t types[] = {REX_MAP_PARAM, member | REX_MAP_PTR_AND_OBJ, member, REX_MAP_PARAM | REX_MAP_TO};
  __tgt_kernel_arguments packet = {3, 4, bases, begins, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
  rex___tgt_target_kernel(&place, 0, 7, 64, &kernel_id, &packet);
}
static int map_objects() {
  brought = [](const void *bytes, size_t size) {
    Object copy = {};
    if (size == sizeof copy) memcpy(&copy, bytes, size);
    printf("bring %d bytes: %d, %d, %d\n", static_cast<int>(size), static_cast<int>(copy.count),
           static_cast<int>(reinterpret_cast<intptr_t>(copy.first)), static_cast<int>(reinterpret_cast<intptr_t>(copy.second)));
  };
  auto other = [](const char *what, auto change) {
    with_object(what, 0, -1), given.types[0] = REX_MAP_PARAM;
    change();
    launch_with_object(what);
  };
  with_object("absent");
  rex_batch_begin();
  with_object("absent, in a batch");
  puts("- end");
  rex_batch_end();
  other("beside a new row", [] { given.row = small; });
  with_object("refused by the driver");
  other("without a member's value", [] { given.types[1] = REX_MAP_MEMBER_OF(0); });
  with_object("implicit", 0, REX_MAP_IMPLICIT);
  with_object("a member that comes home", 1, REX_MAP_FROM);
  with_object("always", 2, REX_MAP_ALWAYS);
  other("of nothing", [] { given.size = 0; });
  other("more than is there", [] { given.size = 60; });
  other("what is absent", [] { given.object.first = absent; });
  other("a pointer of another object", [] { given.types[2] = REX_MAP_PTR_AND_OBJ | REX_MAP_TO; });
  other("another row leads into it", [] { given.row = reinterpret_cast<char *>(&given.object.count); });
  other("another row leads there from before", [] { given.row = reinterpret_cast<char *>(&given.object) - 4; });
  other("of another row's", [] { given.types[3] = REX_MAP_MEMBER_OF(2) | REX_MAP_PTR_AND_OBJ | REX_MAP_TO; });
  rex_batch_begin();
  with_object("in a batch");
  other("in memory that the GPU has access to", [] { given.is_pinned = true; });
  puts("- end");
  rex_batch_end();
  launch_with_pointer_before_all();
  for (int before : {4, 8, 16}) launch_with_later_members(before);
  return 0;
}

// An object that is there, with a pointer to what is there as well.
static void restate(const char *what, int64_t type = REX_MAP_TOFROM, int64_t size = 20) {
  printf("- %s\n", what);
  auto **pointer = reinterpret_cast<char **>(on_host + 16);
  void *bases[] = {reinterpret_cast<void *>(42), on_host, pointer, on_host}, *begins[] = {bases[0], pointer, *pointer, on_host + 24};
  int64_t sizes[] = {8, 16, size, 4};
  int64_t types[] = {REX_MAP_LITERAL_PARAM, REX_MAP_PARAM, REX_MAP_MEMBER_OF(1) | REX_MAP_PTR_AND_OBJ | type,
                     REX_MAP_MEMBER_OF(1) | REX_MAP_TO};
  __tgt_kernel_arguments packet = {3, 4, bases, begins, sizes, types, nullptr, nullptr, 0, 0, {7, 1, 1}, {64, 1, 1}, 0};
  rex___tgt_target_kernel(&place, 0, 7, 64, &kernel_id, &packet);
}
static void begin_data(void *base, void *begin, int64_t size, int64_t type) {
  puts("- data is mapped");
  rex___tgt_target_data_begin_mapper(&place, 0, 1, &base, &begin, &size, &type, nullptr, nullptr);
}
static int restate_objects() {
  auto **pointer = reinterpret_cast<char **>(on_host + 16);
  auto twice = [](const char *what) { restate(what), restate("and again"); };
  *pointer = on_host + 40;
  twice("attached by libomptarget");
  rex_batch_begin();
  restate("in a batch");
  *pointer = on_host + 41;
  twice("another value");
  puts("- end");
  rex_batch_end();
  begin_data(on_host + 60, on_host + 60, 8, REX_MAP_TO);
  restate("beside it");
  begin_data(on_host + 20, on_host + 20, 8, REX_MAP_TO);
  twice("in the pointer's place");
  begin_data(pointer, on_host + 50, 8, REX_MAP_PTR_AND_OBJ | REX_MAP_TO);
  twice("attached to something else");
  unmap();
  twice("something has been unmapped");
  restate("always", REX_MAP_TO | REX_MAP_ALWAYS);
  twice("behind it");
  restate("more than is there", REX_MAP_TO, 90);
  restate("more than is there, again", REX_MAP_TO, 90);
  *pointer = absent;
  twice("what is not there");
  return 0;
}

// What sees what kernels have done leaves the queue, and what follows goes on with it; a loop that is never entered does not.
static void leave_and_go_on() {
  constexpr int64_t present = REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT;
  rex_batch_resume(rex_batch_pause()); // outside of batches
  launch("outside of batches", &kernel_id, on_host, 50, present);
  rex_batch_begin();
  launch("before nothing is executed", &kernel_id, on_host, 50, present);
  rex_batch_resume(rex_batch_depth());
  launch("before the queue is left", &kernel_id, on_host, 50, present);
  rex_batch_begin();
  unsigned depth = rex_batch_pause();
  puts("- left");
  launch("while it is", &kernel_id, on_host, 50, present);
  rex_batch_pause(); // a second time around
  rex_batch_resume(depth);
  launch("behind it", &kernel_id, on_host, 50, present);
  rex_batch_end();
  launch("and once more", &kernel_id, on_host, 50, present);
  puts("- end");
  rex_batch_end();
}

// A failed assertion leaves the batches that it is in, as the handler does that leaves the program's.
static sigjmp_buf outside;
static void fail_in_batch() {
  constexpr int64_t present = REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT;
  signal(SIGABRT, [](int) { siglongjmp(outside, 1); });
  rex_batch_begin();
  rex_batch_begin();
  launch("before an assertion fails", &kernel_id, on_host, 50, present);
  if (sigsetjmp(outside, 1) == 0) rex_assert_fail("true", "queue.cpp", 1, "main");
  launch("behind it", &kernel_id, on_host, 50, present);
}

// With a profile: each launch is waited for, also in a batch.
static int profiled() {
  constexpr int64_t present = REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT;
  Profile::opened()->runs_on(REX_ON_GPU);
  launch("outside", &kernel_id, on_host, 50, present);
  rex_batch_begin();
  char own[] = "........first-private value";
  launch("in a batch", &kernel_id, own, 13, REX_MAP_PARAM | REX_MAP_TO | REX_MAP_PRIVATE);
  update("in a batch", on_host + 20, 5, REX_MAP_FROM);
  launch("absent", &kernel_id, absent, 50, present);
  launch("of the host", &kernel_id, on_host, 50, present, omp_get_initial_device());
  puts("- end");
  rex_batch_end();
  launch("task of the host", &kernel_id, on_host, 50, present, omp_get_initial_device(), true);
  return 0;
}

// Updates where a device file has the kernel that brings rows home: it is used behind kernels, and for rows home only.
static void updates(const char *what, int count, const int (*rows)[2], int64_t type = REX_MAP_FROM) {
  printf("- %s\n", what);
  void *begins[8];
  int64_t sizes[8], types[8];
  for (int i = 0; i < count; i++)
    begins[i] = on_host + rows[i][0], sizes[i] = rows[i][1], types[i] = i == 0 ? type : REX_MAP_FROM;
  memset(on_host, '.', 99);
  rex___tgt_target_data_update_mapper(&place, 0, count, begins, begins, sizes, types, nullptr, nullptr);
  printf("%.99s\n", on_host);
}
static int bring_home(rex_offload_module &module) {
  OneSymbol cubin(".text", "rex_bring_home", 1, 8, 2);
  rex_offload_image images[] = {{cubin.bytes, cubin.bytes + sizeof cubin.bytes, 90}};
  module.images = images;
  QueuedKernels::prepare({&module}, 0, false);
  constexpr int64_t present = REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT;
  const int one[][2] = {{20, 5}}, three[][2] = {{0, 40}, {50, 0}, {61, 7}, {77, 20}};
  const int five[][2] = {{0, 3}, {10, 3}, {20, 3}, {30, 3}, {40, 3}}, large[][2] = {{0, 90}};
  updates("outside of batches", 1, one);
  rex_batch_begin();
  updates("with nothing in the queue", 1, one);
  for (int turn = 0; turn < 2; turn++) {
    launch("launch", &kernel_id, on_host, 50, present);
    updates("behind it", 1, one);
  }
  launch("launch", &kernel_id, on_host, 50, present);
  updates("three rows and one of nothing", 4, three);
  launch("launch", &kernel_id, on_host, 50, present); // which the driver refuses
  launch("launch", &kernel_id, on_host, 50, present);
  updates("five rows", 5, five);
  launch("launch", &kernel_id, on_host, 50, present);
  updates("one to the device and two home", 3, five, REX_MAP_TO);
  launch("launch", &kernel_id, on_host, 50, present);
  updates("refused by the driver", 1, large);
  updates("with nothing in the queue", 1, large);
  updates("to the device", 1, one, REX_MAP_TO);
  updates("behind that", 1, one);
  puts("- end");
  rex_batch_end();
  return 0;
}

// What is asked of two items that have been found, of all pairs of some, beyond a question for each.
static int further_questions() {
  int further = 0;
  auto ask = [](int item) { SeenWhole::device_address(on_host + 5 * item, 5, 0); };
  for (int first = 0; first < 19; first++)
    for (int second = first + 1; second < 19; second++) {
      ask(first), ask(second);
      questions = 0;
      ask(first), ask(second);
      further += questions - 2;
    }
  return further;
}

int main(int count, char **words) {
  printf("variables: %d%d%d%d%d%d\n", qualifies(".nv.global.init", "table", 1), qualifies(".nv.global", "$str", 1),
         qualifies(".nv.global.init", "$str$1", 0), qualifies(".nv.constant3", "table", 1),
         qualifies(".nv.global.init", "__omp_rtl_device_environment", 1), qualifies(".nv.global.init", "$st", 0));
  const char *tables[] = {"__cudart_i2opi_f", "__cudart_sin_cos_coeffs", "__cudar_table", "cudart_i2opi_f"};
  printf("of math:");
  for (const char *table : tables) printf(" %d%d", qualifies(".nv.global.init", table, 0), qualifies(".nv.global.init", table, 1));
  puts("");
  printf("of reductions: %d%d\n",
         qualifies(".nv.global", "_ZZN10rex_detail1cI1SEEvPT_E20__rex_reduction_lock", 0),
         qualifies(".nv.global", "_ZZ1fvE4lock", 0));
  printf("of language:");
  for (const char *one : {"__unnamed_1", "_ZTV5Shape", "__unname", "_ZT5Shape"})
    printf(" %d%d", qualifies(".nv.global.init", one, 0), qualifies(".nv.global.init", one, 1));
  printf(" %d\n", qualifies(".nv.global.init", "__unnamed_1", 0, 4, 3));
  const char *mine = ".nv.global", *of_library = "4cuda3std6ranges3__45__cpo4swapE";
  std::string apart = std::string("_ZN18_INTERNAL_e2e8b2cc") + of_library, whole = std::string("_ZN") + of_library;
  printf("of libraries: %d%d%d%d%d%d\n", qualifies(mine, apart.c_str(), 0, 1), qualifies(mine, whole.c_str(), 1, 1),
         qualifies(mine, apart.c_str(), 0, 4), qualifies(mine, "_ZN18_INTERNAL_e2e8b2cc4user3stdE", 0, 1),
         qualifies(mine, "_ZN4userE", 0, 1), qualifies(mine, "_ZN99_INTERNAL_", 0, 1));
  printf("constants:");
  for (const char *symbol : {"table", "_ZN31_INTERNAL_7c66ffaa_4_a_cu__Z1fi1q5tableE", "_ZL5table", "_ZZ1fiE5table_0",
                             "_ZZ1fiE5table_1", "__nv_static_33__bc404e32_15_rex_lib_main_cu_f_table"})
    printf(" %d%d%d", qualifies(mine, symbol, 0, 8, 2), qualifies(mine, symbol, 0, 8), qualifies(mine, symbol, 0, 4, 2));
  printf(" %d%d%d%d%d\n", qualifies(mine, "pi", 1, 4, 2), qualifies(mine, "_ZL6xtable", 0, 8, 2),
         qualifies(mine, "xtable", 0, 8, 2), qualifies(mine, "_ZN5table1xE", 0, 8, 2), qualifies(mine, "table_0", 0, 8, 2));
  const char *brings = "rex_bring_home";
  printf("kernels: %d%d%d%d\n", has_kernel(brings, brings, 2), has_kernel(brings, brings, 1),
         has_kernel(brings, "rex_bring_home_", 2), has_kernel(brings, "rex_bring", 2));
  printf("calls: %d%d%d\n", calls("malloc", "malloc", 0), calls("malloc", "malloc", 2), calls("malloc", "free", 0));
  char name[] = "kernel";
  __tgt_offload_entry entries[] = {REX_ENTRY(&kernel_id, name, 0, 0, 0)};
  char image[64] = {};
  image[58] = 64; // the size of a section's header; there are no sections
  rex_offload_image images[] = {{image, image + sizeof image, 90}};
  rex_offload_module module = {"queue.cpp", entries, 1, sizeof entries[0], images, 1, nullptr, 0, nullptr, 0};
  dlopen("libcuda.so.1", RTLD_NOW);
  const bool arrives = count > 1 && words[1][0] == 'a';
  if (!arrives) QueuedKernels::prepare({&module}, 0, false);
  QueuedKernels::prepare({}, 2, false);
  rex_offload.kind = REX_ON_GPU;
  Gate::open();
  constexpr int64_t present = REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT;

  if (Profile::opened() != nullptr) return profiled();
  if (arrives) return bring_home(module);
  if (count > 1 && words[1][0] == 't') return make_tasks();
  if (count > 1 && words[1][0] == 'b') return make_streams(count - 2, words + 2);
  if (count > 1 && words[1][0] == 'r') return restate_objects();
  if (count > 1) return words[1][0] == 'o' ? map_objects() : map_small_rows();
  launch("outside of batches", &kernel_id, on_host, 50, present);
  launch("outside, absent", &kernel_id, absent, 50, present);
  launch("outside, unknown", &other_id, on_host, 50, present);
  update("outside", on_host + 20, 5, REX_MAP_FROM);
  update("outside, absent", absent, 5);
  puts("- second device");
  QueuedKernels::prepare({&module}, 1, false);
  QueuedKernels::prepare({&module}, 1, false); // once
  launch("outside", &kernel_id, on_host, 50, present, 1);
  update("outside", on_host + 20, 5, REX_MAP_FROM, 1);
  rex_batch_begin();
  launch("first", &kernel_id, on_host, 50, present);
  rex_batch_begin();
  launch("in a batch inside, refused by the driver", &kernel_id, on_host, 0, present);
  rex_batch_end();
  launch("after that", &kernel_id, on_host, 50, present);
  strcpy(on_host + 8, "first update, two");
  update("in the queue", on_host + 20, 5);
  launch("between updates", &kernel_id, on_host, 50, present);
  update("back", on_host + 20, 5, REX_MAP_FROM);
  update("of what is absent", absent, 3);
  update("of too much", on_host, 4090);
  update("on another device", on_host + 20, 5, REX_MAP_TO, 2);
  update("of nothing", on_host, 0);
  update("of another kind", on_host + 20, 5, REX_MAP_TO | REX_MAP_PRESENT);
  update("first in the queue", on_host + 20, 5);
  update("of all there", on_host, 90, REX_MAP_TO | REX_MAP_PRESENT);
  update("of what is not all there", on_host, 100);
  launch("before attached pointers", &kernel_id, on_host, 50, present);
  Gate::opened()->attached.add(on_host);
  update("of attached pointers", on_host, 8);
  launch("not all there", &kernel_id, on_host, 92, present & ~REX_MAP_IMPLICIT);
  launch("all there", &kernel_id, on_host, 91, present & ~REX_MAP_IMPLICIT);
  questions = 0;
  launch("a part of it", &kernel_id, on_host, 90, present & ~REX_MAP_IMPLICIT);
  launch("not all there, but implicit", &kernel_id, on_host, 92, present);
  printf("%d questions\n", questions);
  printf("%d further ones of pairs\n", further_questions());
  launch("before a copy", &kernel_id, on_host, 1, present);
  launch("with a copy", &kernel_id, on_host, 50, present | REX_MAP_ALWAYS);
  launch("absent", &kernel_id, absent, 50, present);
  char own[] = "........first-private value";
  launch("own copy", &kernel_id, own, 13, REX_MAP_PARAM | REX_MAP_TO | REX_MAP_PRIVATE);
  launch("too large a copy", &kernel_id, on_host, 5000, REX_MAP_PARAM | REX_MAP_TO | REX_MAP_PRIVATE);
  reduce("the results of teams", on_host, 100);
  reduce("again", on_host + 8, 200000);
  reduce("with more of them", on_host, 1 << 20);
  launch("task", &kernel_id, on_host, 50, present, 0, true);
  launch("of another device", &kernel_id, on_host, 50, present, 2);
  launch("unknown", &other_id, on_host, 50, present);
  launch("last", &kernel_id, on_host, 50, present);
  puts("- end");
  rex_batch_end();
  puts("- next batch");
  rex_batch_begin();
  launch("before another thread unmaps", &kernel_id, on_host, 50, present);
  int before = waits;
  std::thread other(unmap);
  while (Gate::of_device(0)->unmapping.load() == 0) std::this_thread::yield();
  launch("while it does", &kernel_id, on_host, 50, present);
  other.join();
  printf("unmapped after %d wait\n", waits_before_unmapping - before);
  launch("in a batch after that", &kernel_id, on_host, 50, present);
  puts("- end");
  rex_batch_end();
  launch("outside after that", &kernel_id, on_host, 50, present);

  static char member[100];
  using_member("a member of the host's", member, sizeof member);
  rex_host_reads(member + 99);
  rex_host_reads(on_host + 98);
  rex_host_reads(absent + 50);
  puts("- read");
  rex_host_reads(questionable);
  puts("- end");
  rex_batch_end();
  using_member("pinned memory", pinned, 4);
  puts("- end");
  rex_batch_end();
  using_member("an array that ends there", pinned - 60, 61);
  rex_batch_end();
  using_member("one with an element there", pinned - 24, 80);
  rex_batch_end();
  using_member("one of which the driver does not say", questionable, 8);
  rex_batch_end();
  using_member("a member around others", member, 4);
  using_member("the same one", member, 4);
  rex_batch_end();
  for (int i = 0; i < 20; i++) rex_batch_uses(member + 4 * i, 4);
  rex_host_reads(member + 4);
  puts("- not one of the first");
  rex_host_reads(member + 76);
  rex_host_reads(pinned + 7);
  using_member("pinned memory", pinned, 8);
  rex_batch_end();
  launch("behind it", &kernel_id, on_host, 50, present);
  puts("- end");
  rex_batch_end();
  rex_batch_begin();
  launch("before another GPU's", &kernel_id, on_host, 50, present);
  launch("of the host", &kernel_id, on_host, 50, present, omp_get_initial_device());
  launch("before another GPU's", &kernel_id, on_host, 50, present);
  launch("of another GPU", &kernel_id, on_host, 50, present, 2);
  launch("behind it", &kernel_id, on_host, 50, present);
  puts("- end");
  rex_batch_end();
  rex_batch_begin();
  update("on another GPU", on_host + 20, 5, REX_MAP_TO, 2);
  launch("behind it", &kernel_id, on_host, 50, present);
  puts("- end");
  rex_batch_end();
  rex_batch_begin();
  launch("before a task of the host's", &kernel_id, on_host, 50, present);
  launch("of the host", &kernel_id, on_host, 50, present, omp_get_initial_device(), true);
  puts("- end");
  rex_batch_end();
  use_both();
  leave_and_go_on();
  fail_in_batch();
  return 0;
}
