// SPDX-License-Identifier: Apache-2.0
//
// Tables of device code that files have in common: pointers to functions, virtual functions of the host's objects. Each
// file has a function that finds the device's function for an address of the host in its own table; where files are
// linked together, another one asks all of them, which the link makes (driver/link/joined_tables.py). In an image of one file
// there is none.
#ifndef REX_DEVICE_JOINED_H
#define REX_DEVICE_JOINED_H

#ifndef REX_LINKED_UNITS
#define REX_JOINED(name)
#define REX_FIND_IN_ALL(name, key) ((void *)0)
#elif !defined(__CUDACC__) // the CPU device's image of one file is made of what is linked with others
#define REX_JOINED(name) extern "C" __attribute__((weak)) void *name(const void *key);
#define REX_FIND_IN_ALL(name, key) (name != 0 ? name(key) : (void *)0)
#elif defined(__CUDA_ARCH__)
#define REX_JOINED(name) extern "C" __device__ void *name(const void *key);
#define REX_FIND_IN_ALL(name, key) name(key)
#else
#define REX_JOINED(name) extern "C" __device__ void *name(const void *key);
#define REX_FIND_IN_ALL(name, key) ((void *)0)
#endif

#endif
