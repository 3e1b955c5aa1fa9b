// SPDX-License-Identifier: Apache-2.0
//
// LLVM's side of offloading: the structures that libomptarget reads, the bits that say how an argument is mapped, and the
// numbers of devices. Only the layout matters to LLVM; the field types are chosen so that a braced initialiser of plain
// ints is good C++ too (no narrowing). Part of rex_kmp.h.
//
// REX_LLVM_VERSION (default 19) is the version of the libomptarget that is linked: -DREX_LLVM_VERSION=22.
#ifndef REX_LLVM_H
#define REX_LLVM_H


#ifndef REX_LLVM_VERSION
#define REX_LLVM_VERSION 19
#endif

#define REX_HIDDEN __attribute__((__visibility__("hidden")))

#ifdef __cplusplus
extern "C" {
#endif

// A place in the user's source, ";file;function;line;column;;". LLVM shows it in its own messages.
struct __rex_ident {
  __INT32_TYPE__ reserved_1;
  __INT32_TYPE__ flags;
  __INT32_TYPE__ reserved_2;
  __INT32_TYPE__ reserved_3;
  const char *source;
};

// One row per kernel or device variable: the host address that stands for it and its symbol in the device image.
#if REX_LLVM_VERSION >= 20
struct __tgt_offload_entry {
  __UINT64_TYPE__ reserved;
  __UINT16_TYPE__ version;
  __UINT16_TYPE__ kind;
  __INT32_TYPE__ flags;
  void *address;
  char *symbol;
  __UINT64_TYPE__ size;
  __UINT64_TYPE__ data;
  void *auxiliary;
};
#define REX_ENTRY(address, symbol, size, flags, data)                                                                  \
  {0, 1, 1, flags, (void *)(address), (char *)(symbol), size, data, 0}
#else
struct __tgt_offload_entry {
  void *address;
  char *symbol;
  __SIZE_TYPE__ size;
  __INT32_TYPE__ flags;
  __INT32_TYPE__ data;
};
#define REX_ENTRY(address, symbol, size, flags, data) {(void *)(address), (char *)(symbol), size, flags, data}
#endif

// The packet of a launch. Version 3 makes the runtime pass the hidden launch-environment pointer as first argument.
struct __tgt_kernel_arguments {
  __INT32_TYPE__ version;
  __INT32_TYPE__ arg_num;
  void **args_base;
  void **args;
  __INT64_TYPE__ *arg_sizes;
  __INT64_TYPE__ *arg_types;
  void **arg_names;
  void **arg_mappers;
  __INT64_TYPE__ tripcount;
  __UINT64_TYPE__ launch_flags;
  __INT32_TYPE__ teams[3];
  __INT32_TYPE__ threads[3];
  __UINT32_TYPE__ shared_bytes;
};
#define REX_KERNEL_ARGS_VERSION 3

#define REX_DEVICE_DEFAULT (-1)

// What a `device` clause says. -1 is OpenMP's omp_initial_device, but to LLVM's runtime the default device.
#define REX_DEVICE_INITIAL (-__INT64_MAX__ - 1)
static __inline__ __INT64_TYPE__ rex_device_number(__INT64_TYPE__ number) { return number == -1 ? REX_DEVICE_INITIAL : number; }

// The number of the default device, for constructs at whose end it may be another.
__INT64_TYPE__ rex_device_of_now(void) REX_HIDDEN;

// How one argument is mapped (LLVM's bits).
#define REX_MAP_NONE ((__INT64_TYPE__)0x0)
#define REX_MAP_TO ((__INT64_TYPE__)0x1)
#define REX_MAP_FROM ((__INT64_TYPE__)0x2)
#define REX_MAP_TOFROM (REX_MAP_TO | REX_MAP_FROM)
#define REX_MAP_ALWAYS ((__INT64_TYPE__)0x4)
#define REX_MAP_DELETE ((__INT64_TYPE__)0x8)
#define REX_MAP_PTR_AND_OBJ ((__INT64_TYPE__)0x10)
#define REX_MAP_PARAM ((__INT64_TYPE__)0x20)
#define REX_MAP_RETURN_PARAM ((__INT64_TYPE__)0x40)
#define REX_MAP_PRIVATE ((__INT64_TYPE__)0x80)
#define REX_MAP_LITERAL ((__INT64_TYPE__)0x100)
#define REX_MAP_IMPLICIT ((__INT64_TYPE__)0x200)
#define REX_MAP_CLOSE ((__INT64_TYPE__)0x400)
#define REX_MAP_PRESENT ((__INT64_TYPE__)0x1000)
#define REX_MAP_OMPX_HOLD ((__INT64_TYPE__)0x2000)
#define REX_MAP_NON_CONTIG ((__INT64_TYPE__)0x100000000000)
// Ours: an `always` copy of pointers that may be attached (rex_always.h). LLVM's runtime does not know the bit.
#define REX_MAP_COPIES_POINTERS ((__INT64_TYPE__)0x10000000000)
// Ours too: where the memory for a reduction's partial results goes, and a variable that is reduced (rex_partials.h).
#define REX_MAP_PARTIALS ((__INT64_TYPE__)0x20000000000)
#define REX_MAP_REDUCED ((__INT64_TYPE__)0x40000000000)
// Ours again: an object that is not mapped, whose address on the device the kernel gets, or null (rex_lookups.h).
#define REX_MAP_LOOKED_UP ((__INT64_TYPE__)0x80000000000)
#define REX_MAP_MEMBER_OF(index_from_0) ((__INT64_TYPE__)((__UINT64_TYPE__)((index_from_0) + 1) << 48))
// What LLVM's runtime calls an argument, and where it stands in the file of the construct's place.
#define REX_MAP_NAME(item, line, column) (void *)(";" item ";;" #line ";" #column ";;")
#define REX_MAP_LITERAL_PARAM (REX_MAP_PARAM | REX_MAP_LITERAL)
#define REX_MAP_IMPLICIT_LITERAL (REX_MAP_LITERAL_PARAM | REX_MAP_IMPLICIT)

#ifdef __cplusplus
}
#endif

#endif
