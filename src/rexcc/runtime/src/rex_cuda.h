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

} // namespace __rex

#endif
