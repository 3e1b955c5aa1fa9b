// SPDX-License-Identifier: Apache-2.0
//
// Calls through pointers to functions whose values are host addresses (OpenMP's `indirect`). Included by a device file of
// such functions, which defines rex_indirect_target: the device's function for the host's address of one. Any other
// pointer comes back as it is, for it may be one that device code has made. C++17 and later.
#ifndef REX_DEVICE_INDIRECT_H
#define REX_DEVICE_INDIRECT_H

extern "C" __device__ void *rex_indirect_target(void *pointer);

template <typename Function> __device__ static inline Function *rex_indirect(Function *pointer) {
  return reinterpret_cast<Function *>(rex_indirect_target(reinterpret_cast<void *>(pointer)));
}

// What a template calls may be an object in another instantiation.
template <typename Callable> __device__ static inline Callable &rex_indirect(Callable &callable) { return callable; }

#endif
