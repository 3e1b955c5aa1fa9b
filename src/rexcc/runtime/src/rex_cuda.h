// SPDX-License-Identifier: Apache-2.0
//
// The NVIDIA driver as a library that is found at run time: the same program starts on machines without one. Each subject
// has its own table of the calls that it makes.
#ifndef REX_CUDA_H
#define REX_CUDA_H

#include "rex_internal.h"

#include <dlfcn.h>

namespace __rex REX_HIDDEN {

inline const char *const driver_library = "libcuda.so.1";

// The driver that runs already; null where there is none.
inline void *running_driver() { return dlopen(driver_library, RTLD_NOW | RTLD_NOLOAD); }

// Looks up one of its functions; whether it has it.
template <class Function> bool find_call(void *driver, const char *name, Function *&function) {
  function = reinterpret_cast<Function *>(dlsym(driver, name));
  return function != nullptr;
}

// What the driver knows of an address: CUpointer_attribute numbers. For one that is none of its own, the call for several
// attributes gives zeros, where the call for one fails, as tools that look for failing calls would tell.
enum PointerAttribute { kPointerContext = 1, kPointerMemoryType = 2 };
using GetPointerAttributes = int(unsigned count, int *which, void **values, uint64_t address);

// One attribute of an address; false when the driver fails.
template <class Value> bool get_pointer_attribute(GetPointerAttributes *get, int which, uint64_t address, Value &value) {
  void *place = &value;
  return get(1, &which, &place, address) == 0;
}

} // namespace __rex

#endif
