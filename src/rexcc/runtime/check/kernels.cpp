// SPDX-License-Identifier: Apache-2.0
#include "kernels.h"

#include "races.h"
#include "reports.h"
#include "sections.h"
#include "tool.h"
#include "units.h"

#include <cstring>

#include <link.h>
#include <pthread.h>

namespace rex_check REX_CHECK_HIDDEN {

uint32_t now = 1;
REX_CHECK_OF_THREAD Kernel *running_kernel;
REX_CHECK_OF_THREAD bool runs_program;

namespace {

pthread_mutex_t one_kernel = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

// The memory that the image has itself: its variables, and those of the team, which are the OS thread's.
int add_image(dl_phdr_info *image, size_t, void *kernel) {
  bool is_meant = false;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) &part = image->dlpi_phdr[i];
    uintptr_t offset = reinterpret_cast<uintptr_t>(kernel) - image->dlpi_addr - part.p_vaddr;
    is_meant |= part.p_type == PT_LOAD && offset < part.p_memsz;
  }
  for (int i = 0; is_meant && i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) &part = image->dlpi_phdr[i];
    uintptr_t begin = image->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0 && !is_image(begin))
      add_section(Kind::image, begin, part.p_memsz, 0, 0, "a variable of the device's", "");
    auto team = reinterpret_cast<uintptr_t>(image->dlpi_tls_data);
    if (part.p_type == PT_TLS && team != 0 && !is_image(team))
      add_section(Kind::team, team, part.p_memsz, 0, 0, "a variable of the team's", "");
  }
  return is_meant;
}

// Where the stack of the calling thread ends: beside that of a thread that is not the first one anything may lie, memory
// that kernels have themselves too.
uintptr_t end_of_stack() {
  static REX_CHECK_OF_THREAD uintptr_t known;
  pthread_attr_t attributes;
  if (known != 0 || pthread_getattr_np(pthread_self(), &attributes) != 0) return known;
  void *begin = nullptr;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &begin, &size) == 0) known = reinterpret_cast<uintptr_t>(begin) + size;
  pthread_attr_destroy(&attributes);
  return known;
}

} // namespace
} // namespace rex_check

using namespace rex_check;

void rex_check_kernel_begins(const void *frame, int teams, int threads) {
  (void)teams;
  pthread_mutex_lock(&one_kernel);
  add_variables();
  Locked locked;
  look_for_tool();
  dl_iterate_phdr(add_image, __builtin_return_address(0));
  auto *kernel = new (__libc_malloc(sizeof(Kernel))) Kernel();
  kernel->start = ++now;
  kernel->threads = static_cast<unsigned>(threads);
  kernel->frame = reinterpret_cast<uintptr_t>(frame);
  kernel->end_of_stack = end_of_stack();
  kernel->place = place_of_call();
  kernel->shares_memory = shares_memory();
  forget_synchronisation(kernel->threads);
  allocates_for = Owner::kernel;
  running_kernel = kernel;
}

void rex_check_kernel_ends() {
  {
    Locked locked;
    Kernel *kernel = running_kernel;
    running_kernel = nullptr;
    allocates_for = Owner::host;
    kernel->~Kernel();
    __libc_free(kernel);
  }
  pthread_mutex_unlock(&one_kernel);
}

void rex_check_runs(unsigned team, unsigned thread) {
  Kernel *kernel = running_kernel;
  if (kernel == nullptr) return;
  if (kernel->team != team) begin_team();
  kernel->team = team;
  kernel->thread = thread;
  now++;
  runs_program = true;
}
void rex_check_pauses() {
  runs_program = false;
  if (running_kernel == nullptr) return;
  Locked locked;
  settle_writes();
}

void rex_check_meets(unsigned thread) { meets(thread); }
void rex_check_met() { met(); }

void rex_check_image(const char *path) { remove_at_exit(path); }
