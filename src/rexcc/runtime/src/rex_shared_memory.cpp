// SPDX-License-Identifier: Apache-2.0
#include "rex_shared_memory.h"

#include "rex_cuda.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace __rex REX_HIDDEN {

SharedMemory *SharedMemory::in_use;

const rex_program_memory *program_memory() {
  return rex_program_memory_for != nullptr ? rex_program_memory_for(reinterpret_cast<const void *>(program_memory)) : nullptr;
}

bool is_heap_shared() {
  const rex_program_memory *memory = program_memory();
  return memory != nullptr && memory->kind != REX_MEMORY_PLAIN;
}

bool shares_unasked() {
  const rex_program_memory *memory = program_memory();
  return memory != nullptr && memory->kind == REX_MEMORY_MANAGED && !memory->is_for_required_only;
}

namespace {

// Before constructors of this link unit's objects allocate.
__attribute__((constructor(101))) void find_heap() { program_memory(); }

constexpr uintptr_t kMostOfStack = 16 << 20;

uintptr_t page_size() { return static_cast<uintptr_t>(getpagesize()); }
uintptr_t page_up(uintptr_t address) { return (address + page_size() - 1) / page_size() * page_size(); }

struct Pages {
  uintptr_t begin, end;
};

// Pins an object's data: its variables, and what only can be read, as tables of virtual functions.
struct Data {
  const SharedMemory &memory;
  bool is_first; // the program
};

bool holds(const dl_phdr_info &object, const void *address) {
  for (int i = 0; i < object.dlpi_phnum; i++) {
    uintptr_t begin = object.dlpi_addr + object.dlpi_phdr[i].p_vaddr;
    if (object.dlpi_phdr[i].p_type == PT_LOAD && reinterpret_cast<uintptr_t>(address) - begin < object.dlpi_phdr[i].p_memsz)
      return true;
  }
  return false;
}

// What cannot be written once the loader has relocated it.
Pages relocated_range(const dl_phdr_info &object) {
  for (int i = 0; i < object.dlpi_phnum; i++) {
    uintptr_t begin = object.dlpi_addr + object.dlpi_phdr[i].p_vaddr;
    if (object.dlpi_phdr[i].p_type == PT_GNU_RELRO) return {begin, page_up(begin + object.dlpi_phdr[i].p_memsz)};
  }
  return {0, 0};
}

void pin_segment(const SharedMemory &memory, Pages segment, bool is_written, Pages relocated) {
  bool begins_relocated = is_written && relocated.end > segment.begin && relocated.end <= segment.end;
  if (begins_relocated) {
    memory.pin(segment.begin, relocated.end, false);
    segment.begin = relocated.end;
  }
  if (segment.begin < segment.end) memory.pin(segment.begin, segment.end, is_written);
}

int pin_object(dl_phdr_info *object, size_t, void *asked) {
  auto &data = *static_cast<Data *>(asked);
  bool is_program = data.is_first;
  data.is_first = false;
  if (!is_program && !holds(*object, &rex_offload)) return 0;
  Pages relocated = relocated_range(*object);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) != 0) continue;
    uintptr_t begin = object->dlpi_addr + segment.p_vaddr, end = page_up(begin + segment.p_memsz);
    pin_segment(data.memory, {begin / page_size() * page_size(), end}, (segment.p_flags & PF_W) != 0, relocated);
  }
  return 0;
}

// Pages of the stack exist when they are first touched, one below the other and not far below its pointer. What this
// function keeps beside its array is less than a page.
__attribute__((__noinline__)) char touch_down_to(uintptr_t lowest) {
  volatile char frame[16384];
  auto here = reinterpret_cast<uintptr_t>(frame);
  frame[0] = 1;
  if (here > lowest + 2 * sizeof frame) return static_cast<char>(frame[0] + touch_down_to(lowest));
  for (uintptr_t page = here / page_size() * page_size() - page_size(); page >= lowest; page -= page_size())
    *reinterpret_cast<volatile char *>(page) = 0;
  return frame[0];
}

bool is_main_thread() { return syscall(SYS_gettid) == getpid(); }

// The thread's own: what of it there is, and not more than is worth pinning.
Pages stack_of_thread() {
  constexpr uintptr_t guard_of_main = 1 << 17;
  pthread_attr_t attributes;
  void *lowest = nullptr;
  size_t size = 0, guard = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0};
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_destroy(&attributes);
  bool grows = is_main_thread();
  uintptr_t begin = reinterpret_cast<uintptr_t>(lowest) + (grows ? guard_of_main : guard);
  uintptr_t end = (reinterpret_cast<uintptr_t>(lowest) + size) / page_size() * page_size();
  if (end - begin > kMostOfStack) begin = end - kMostOfStack;
  begin = page_up(begin);
  if (grows) touch_down_to(begin);
  return {begin, end};
}

// A stack beside the thread's, of pages that are there when they are used, and which way back leads from it.
class StackApart {
public:
  StackApart() : memory(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, kFlags, -1, 0)) {
    if (memory != MAP_FAILED) mprotect(memory, page_size(), PROT_NONE);
  }
  ~StackApart() {
    if (memory != MAP_FAILED) munmap(memory, kSize);
  }
  StackApart(const StackApart &) = delete;

  // Calls within a call stay there.
  void run(void (*work)(void *), void *given) {
    if (memory == MAP_FAILED || in_use || !begins_as_now(there)) return work(given);
    there.uc_stack.ss_sp = static_cast<char *>(memory) + page_size();
    there.uc_stack.ss_size = kSize - page_size();
    there.uc_link = &back;
    begins = work, argument = given, in_use = true;
    auto self = reinterpret_cast<uintptr_t>(this);
    makecontext(&there, reinterpret_cast<void (*)()>(begin), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self));
    swapcontext(&back, &there);
    in_use = false;
  }

private:
  static constexpr size_t kSize = 8 << 20;
  static constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  // GCC takes a call of getcontext for one that returns twice.
  static bool begins_as_now(ucontext_t &context) { return getcontext(&context) == 0; }

  static void begin(unsigned high, unsigned low) {
    auto *self = reinterpret_cast<StackApart *>(static_cast<uintptr_t>(high) << 32 | low);
    self->begins(self->argument);
  }

  void *const memory;
  ucontext_t there, back;
  void (*begins)(void *) = nullptr;
  void *argument = nullptr;
  bool in_use = false;
};

// What a thread has of shared memory. Calls within a call are few.
struct OfThread {
  static constexpr unsigned kCalls = 8;
  StackApart apart;
  uintptr_t stack = 0; // where it is pinned; 0 for the program's own, which stays
  unsigned calls = 0;
  std::vector<int64_t> types[kCalls];
};
REX_OF_THREAD OfThread *of_thread;

// A thread's stack is another's memory when it has ended.
void end_of_thread(void *ended) {
  auto *thread = static_cast<OfThread *>(ended);
  if (thread->stack != 0) SharedMemory::of_link_unit()->unpin(thread->stack);
  of_thread = nullptr;
  delete thread;
}

void share_stack(const SharedMemory &memory, OfThread &thread) {
  Pages stack = stack_of_thread();
  if (stack.begin < stack.end && memory.pin(stack.begin, stack.end, true) && !is_main_thread()) thread.stack = stack.begin;
}

} // namespace

void SharedMemory::begin() {
  auto *made = new SharedMemory;
  if (!made->start()) {
    delete made;
    return;
  }
  in_use = made;
  Data data = {*made, true};
  dl_iterate_phdr(pin_object, &data);
}

bool SharedMemory::start() {
  int (*retain)(void **, int) = nullptr;
  void *driver = running_driver();
  if (driver == nullptr || !find_call(driver, "cuDevicePrimaryCtxRetain", retain)) return false;
  bool all = find_call(driver, "cuCtxPushCurrent_v2", push) && find_call(driver, "cuCtxPopCurrent_v2", pop);
  all = all && find_call(driver, "cuPointerGetAttributes", attributes);
  all = all && find_call(driver, "cuMemHostRegister_v2", do_pin) && find_call(driver, "cuMemHostUnregister", do_unpin);
  if (!all || pthread_key_create(&at_end_of_thread, end_of_thread) != 0 || retain(&context, 0) != 0) return false;
  start_moving(driver);
  return true;
}

// Only faster, so nothing depends on it.
void SharedMemory::start_moving(void *driver) {
  constexpr unsigned beside_others = 1;
  int (*create)(void **, unsigned) = nullptr;
  void *left = nullptr;
  if (!find_call(driver, "cuStreamCreate", create) || !find_call(driver, "cuStreamSynchronize", wait)) return;
  if (!find_call(driver, "cuMemPrefetchAsync", prefetch) || push(context) != 0) return;
  if (create(&stream, beside_others) != 0) stream = nullptr;
  pop(&left);
}

void SharedMemory::bring(void *begin, int64_t size, int device) const {
  constexpr int64_t worth_it = 1 << 20;
  void *left = nullptr;
  if (size < worth_it || stream == nullptr || push(context) != 0) return;
  if (prefetch(reinterpret_cast<uintptr_t>(begin), static_cast<size_t>(size), device, stream) == 0) wait(stream);
  pop(&left);
}

bool SharedMemory::reads(const void *address) const {
  unsigned type = 0;
  auto place = reinterpret_cast<uintptr_t>(address);
  return address != nullptr && get_pointer_attribute(attributes, kPointerMemoryType, place, type) && type != 0;
}

bool SharedMemory::pin(uintptr_t begin, uintptr_t end, bool is_written) const {
  constexpr unsigned for_all_devices_and_mapped = 1 | 2, read_only = 8;
  unsigned flags = for_all_devices_and_mapped | (is_written ? 0 : read_only);
  void *left = nullptr;
  if (push(context) != 0) return false;
  bool pinned = do_pin(reinterpret_cast<void *>(begin), end - begin, flags) == 0;
  pop(&left);
  return pinned;
}

void SharedMemory::unpin(uintptr_t begin) const {
  void *left = nullptr;
  if (push(context) != 0) return;
  do_unpin(reinterpret_cast<void *>(begin));
  pop(&left);
}

void SharedMemory::share_thread() const {
  if (of_thread != nullptr) return;
  of_thread = new OfThread;
  pthread_setspecific(at_end_of_thread, of_thread);
  share_stack(*this, *of_thread);
}

std::vector<int64_t> &SharedMemory::types_of_call() const {
  share_thread();
  return of_thread->types[of_thread->calls++ % OfThread::kCalls];
}

void SharedMemory::run_apart(void (*work)(void *), void *given) {
  in_use->share_thread();
  of_thread->apart.run(work, given);
}

} // namespace __rex
