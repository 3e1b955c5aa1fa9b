// SPDX-License-Identifier: Apache-2.0
//
// The driver's calls that copy between host and GPU (rex_copy_ring.h).
#ifndef REX_COPY_DRIVER_H
#define REX_COPY_DRIVER_H

#include "rex_cuda.h"
#include "rex_internal.h"

namespace __rex REX_HIDDEN {

struct CopyDriver {
  // Of the driver that runs already; incomplete where there is none, or an old one.
  CopyDriver();

  // The context of an address in GPU memory; null for any other address.
  void *context_of(uint64_t address) const;

  // Pinned and managed memory is known to the driver, which copies it as fast as the link goes.
  bool knows(const void *host) const;

  bool complete = false;
  int (*push)(void *context) = nullptr;
  int (*pop)(void **context) = nullptr;
  GetPointerAttributes *attributes = nullptr;
  int (*pin)(void **memory, size_t size, unsigned flags) = nullptr;
  int (*unpin)(void *memory) = nullptr;
  int (*create_stream)(void **stream, unsigned flags) = nullptr;
  int (*destroy_stream)(void *stream) = nullptr;
  int (*wait)(void *stream) = nullptr;
  int (*create_event)(void **event, unsigned flags) = nullptr;
  int (*destroy_event)(void *event) = nullptr;
  int (*record)(void *event, void *stream) = nullptr;
  int (*wait_for)(void *event) = nullptr;
  int (*up)(uint64_t to, const void *from, size_t size, void *stream) = nullptr;
  int (*down)(void *to, uint64_t from, size_t size, void *stream) = nullptr;
  int (*across)(uint64_t to, uint64_t from, size_t size, void *stream) = nullptr;
  int (*allocate)(uint64_t *address, size_t size) = nullptr;
  int (*free)(uint64_t address) = nullptr;
  int (*memory_info)(size_t *free, size_t *total) = nullptr;
};

// Makes a context current while it lives.
class InContext {
public:
  InContext(const CopyDriver &given, void *context) : driver(given), entered(driver.push(context) == 0) {}
  ~InContext() {
    void *left = nullptr;
    if (entered) driver.pop(&left);
  }
  InContext(const InContext &) = delete;
  explicit operator bool() const { return entered; }

private:
  const CopyDriver &driver;
  bool entered;
};

} // namespace __rex

#endif
