// SPDX-License-Identifier: Apache-2.0
//
// Virtual functions on objects that the host may have made. An object begins with a pointer to its class's functions;
// in one of the host this is an address of the host, which device code compares with those in the host's table. Any
// other object is the device's own. The object stays as it is, for it may be copied back.
#ifndef REX_DEVICE_VIRTUAL_H
#define REX_DEVICE_VIRTUAL_H

#include <cstdio>
#include <cstring>
#include <type_traits>

// The host's table: where the module of the host file begins and ends, then the pointers that objects have.
extern "C" { __device__ const void *const *rex_host_vtables; }

template <class Object> __host__ __device__ inline const void *rex_functions_of(Object *object) {
  const void *functions;
  memcpy(&functions, __builtin_assume_aligned((const void *)object, alignof(void *)), sizeof functions);
  return functions;
}

// What a GPU would find at an address of the host are no functions. On the CPU device they are the host's.
__host__ __device__ static inline void rex_expect_made_here(const void *functions, const char *what) {
#ifdef __CUDA_ARCH__
  if (functions >= rex_host_vtables[0] && functions < rex_host_vtables[1]) {
    printf("rexcc: %s: called on the device on an object that the host has made, of a class for which device code of "
           "this file has no such function\n", what);
    __trap();
  }
#endif
}

#endif
