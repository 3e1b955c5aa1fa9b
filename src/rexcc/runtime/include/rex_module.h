// SPDX-License-Identifier: Apache-2.0
//
// What a generated file says about itself: its kernels, its device variables and the images that hold them, in a row of
// the section rex_offload_modules. Part of rex_kmp.h.
#ifndef REX_MODULE_H
#define REX_MODULE_H

#include "rex_llvm_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// One device image, embedded in the program. arch: 90 for a cubin of sm_90, 0 for the CPU device's shared object.
struct rex_offload_image {
  const char *begin;
  const char *end;
  __INT32_TYPE__ arch;
};

// One generated file: its kernels and device variables, and the images that hold them.
struct rex_offload_module {
  const char *source;
  struct __tgt_offload_entry *entries;
  __INT32_TYPE__ entry_count;
  __INT32_TYPE__ entry_size; // tells for which REX_LLVM_VERSION the file was compiled
  struct rex_offload_image *images;
  __INT64_TYPE__ image_count;
  struct rex_offload_global *globals;
  __INT64_TYPE__ global_count;
  const struct rex_offload_constant *constants;
  __INT64_TYPE__ constant_count;
};

// A constant with storage in the image, by its own name, which is a part of its symbol there. Kernels only read its value:
// they cannot tell which of two copies of the image they belong to. One with an empty name stands for objects without a
// name that static references may be bound to: the only row of an image whose variables are not all such constants.
struct rex_offload_constant {
  const char *name;
  __INT64_TYPE__ size;
};
// The constants of a file's module; one that has any defines this anew.
#define REX_OFFLOAD_CONSTANTS 0, 0

// A variable that device code reaches through a pointer of the image: another file has its storage, or the runtime makes
// storage of `size` bytes with the host's value when the program begins. `pointer` is the host's shadow of that pointer, an
// entry of the module, and holds the variable's host address.
struct rex_offload_global {
  void **pointer;
  const char *name;
  __INT64_TYPE__ size; // 0 for storage of another file
};

// The shadow of such a pointer: declared at the top of a file, defined behind the variable.
#ifdef __cplusplus
#define REX_GLOBAL_POINTER(pointer)                                                                                    \
  namespace {                                                                                                          \
  extern void *pointer;                                                                                                \
  }
#define REX_GLOBAL_POINTER_TO(pointer, address)                                                                        \
  namespace {                                                                                                          \
  void *pointer __attribute__((__used__)) = (void *)(address);                                                         \
  }
#else
#define REX_GLOBAL_POINTER(pointer) static void *pointer;
#define REX_GLOBAL_POINTER_TO(pointer, address) static void *pointer __attribute__((__used__)) = (void *)(address);
#endif
// The globals of a file's module; one that has any defines this anew.
#define REX_OFFLOAD_GLOBALS 0, 0

// How much of a kernel a multiprocessor has room for at once: warps, by their registers, and blocks, by their shared memory.
// Registration writes it; 0 where it is not known.
struct rex_kernel {
  unsigned char warps, blocks;
};

// The address of this object stands for the kernel on the host. The function gives the same address where naming the object
// itself would need a data-sharing clause (default(none)).
#define REX_KERNEL_ID(stem)                                                                                            \
  static struct rex_kernel stem##id__ __attribute__((__used__)) = {0, 0};                                              \
  static __inline__ __attribute__((__unused__)) void *stem##key__(void) { return &stem##id__; }

#define REX_KERNEL_ENTRY(stem) REX_ENTRY(&stem##id__, #stem "kernel__", 0, 0, REX_ENTRY_HAS_ROOM)
#define REX_GLOBAL_ENTRY(address, symbol, size) REX_ENTRY(address, symbol, size, 0, 0)
// A `declare target local` variable: no copies of the host's (asked by --check alone).
#define REX_LOCAL_ENTRY(address, symbol, size) REX_ENTRY(address, symbol, size, 0, REX_ENTRY_IS_LOCAL)
// A `declare target link` variable: the device symbol is a pointer that the runtime fills when the variable is mapped.
#define REX_GLOBAL_LINK_ENTRY(address, symbol, size) REX_ENTRY(address, symbol, size, REX_ENTRY_LINK, 0)
// A `requires` directive; `clauses` is a sum of REX_REQUIRES_ bits.
#define REX_REQUIRES_ENTRY(clauses) REX_ENTRY(0, "", 0, REX_ENTRY_REQUIRES, clauses)

// Embeds a file. `name` becomes two symbols of the whole program, so it must be unique in it: they are global (hidden)
// because link-time optimisation may separate this assembly from the table that uses them.
// REX_IMAGE_DIR (-DREX_IMAGE_DIR='"path"') is the folder of the image files; without it they are looked up where the
// assembler looks: in the working folder and in the -I folders.
#ifdef REX_IMAGE_DIR
#define REX_IMAGE_PATH(file) REX_IMAGE_DIR "/" file
#else
#define REX_IMAGE_PATH(file) file
#endif
#ifdef __cplusplus
#define REX_IMAGE_SYMBOL extern "C" const char
#else
#define REX_IMAGE_SYMBOL extern const char
#endif
#define REX_IMAGE(name, file)                                                                                          \
  __asm__(".pushsection .rodata.rex_images,\"a\",@progbits\n"                                                          \
          ".balign 16\n"                                                                                               \
          ".globl " #name "_begin\n.hidden " #name "_begin\n" #name "_begin:\n"                                        \
          ".incbin \"" REX_IMAGE_PATH(file) "\"\n"                                                                     \
          ".globl " #name "_end\n.hidden " #name "_end\n" #name "_end:\n"                                              \
          ".byte 0\n"                                                                                                  \
          ".popsection\n");                                                                                            \
  REX_IMAGE_SYMBOL name##_begin[] REX_HIDDEN;                                                                          \
  REX_IMAGE_SYMBOL name##_end[] REX_HIDDEN;
#define REX_IMAGE_ROW(name, arch) {name##_begin, name##_end, arch}

// Without `retain` the linker's --gc-sections may drop the module, for nothing but the walk of rex_modules.cpp over the
// section refers to it. Compilers without the attribute need a linker that keeps __start_ sections (GNU ld does).
#if defined(__has_attribute)
#if __has_attribute(__retain__)
#define REX_RETAIN __attribute__((__retain__))
#endif
#endif
#ifndef REX_RETAIN
#define REX_RETAIN
#endif

// A file that requires unified shared memory: what links it gives the program a heap that the GPU shares.
#define REX_WANTS_SHARED_HEAP                                                                                          \
  static const char __rex_wants_shared_heap                                                                            \
      __attribute__((__used__, __section__("rex_offload_memory"))) REX_RETAIN = 1;

// Announces this file's kernels. `entries` and `images` are arrays, not pointers. A file whose images are not embedded
// uses the second form (REX_CUBIN names its image at run time). One that only moves data and has no kernels may use the
// third, with images of an empty device file: in a program without any kernel nothing else makes a device known.
#define REX_OFFLOAD_MODULE(source, entries, images)                                                                    \
  REX_OFFLOAD_MODULE_ROW(source, entries, sizeof(entries) / sizeof(entries)[0], images,                                \
                         sizeof(images) / sizeof(images)[0])
#define REX_OFFLOAD_MODULE_WITHOUT_IMAGES(source, entries)                                                             \
  REX_OFFLOAD_MODULE_ROW(source, entries, sizeof(entries) / sizeof(entries)[0], 0, 0)
#define REX_OFFLOAD_MODULE_WITHOUT_ENTRIES(source, images)                                                             \
  static struct __tgt_offload_entry __rex_no_entry[1];                                                                 \
  REX_OFFLOAD_MODULE_ROW(source, __rex_no_entry, 0, images, sizeof(images) / sizeof(images)[0])
// One that has device code for others only, in an image of several files.
#define REX_OFFLOAD_MODULE_ALONE(source)                                                                               \
  static struct __tgt_offload_entry __rex_no_entry[1];                                                                 \
  REX_OFFLOAD_MODULE_ROW(source, __rex_no_entry, 0, 0, 0)
#define REX_OFFLOAD_MODULE_ROW(source, entries, entry_count, images, image_count)                                      \
  /* Brings register_cubin.o in from its archive, also where nothing else here calls it. */                            \
  static void (*const __rex_offload_needed)(void) __attribute__((__used__)) = rex_offload_init;                        \
  static struct rex_offload_module __rex_offload_module = {                                                            \
      source, entries, entry_count, sizeof(entries)[0], images, image_count, REX_OFFLOAD_GLOBALS,             \
      REX_OFFLOAD_CONSTANTS};                     \
  static struct rex_offload_module *__rex_offload_module_row                                                           \
      __attribute__((__used__, __section__("rex_offload_modules"))) REX_RETAIN = &__rex_offload_module;

// The name by which what the devices' linker has made knows this file's module: a row of the section rex_offload_names.
// Two modules of a program cannot have one name, so it is also a symbol; but nothing refers to that, for tools that join
// objects may have made it local (objcopy --localize-hidden).
struct rex_offload_name {
  struct rex_offload_module *module;
  const char *name;
};
#define REX_MODULE_NAME(name)                                                                                          \
  REX_IMAGE_SYMBOL name[] REX_HIDDEN;                                                                                  \
  REX_MODULE_NAME_DEFINITION const char name[] = #name;                                                                \
  static struct rex_offload_name __rex_offload_name = {&__rex_offload_module, name};                                   \
  static struct rex_offload_name *__rex_offload_name_row                                                               \
      __attribute__((__used__, __section__("rex_offload_names"))) REX_RETAIN = &__rex_offload_name;
#ifdef __cplusplus
#define REX_MODULE_NAME_DEFINITION extern "C"
#else
#define REX_MODULE_NAME_DEFINITION
#endif

// What the link of device code of several files reads (codegen/registration/unit_parts.py), in a section that is never
// loaded: records of the word "rexpart5", the sizes of two pieces, lines of text, and a relocatable object of the
// device, or nothing.
#define REX_PART_LINE(text) ".ascii \"" text "\\n\"\n"
#define REX_DEVICE_RECORD(lines, object)                                                                               \
  __asm__(".pushsection .rex_device_parts,\"\",@progbits\n"                                                           \
          ".balign 16\n.ascii \"rexpart5\"\n.quad 2f-1f\n.quad 3f-2f\n"                                               \
          "1:\n" lines "2:\n" object "3:\n.popsection\n");
#define REX_DEVICE_FACTS(lines) REX_DEVICE_RECORD(lines, "")
#define REX_DEVICE_PART(file, lines) REX_DEVICE_RECORD(lines, ".incbin \"" REX_IMAGE_PATH(file) "\"\n")

// A weak function that device code of a file has, which is that file's own definition: the link asks whether the program has
// another (codegen/registration/weak_functions.py). Lines of its symbol, name and place, in a section that is never loaded.
#define REX_WEAK_FUNCTION(line) __asm__(".pushsection .rex_weak_functions,\"\",@progbits\n" REX_PART_LINE(line) ".popsection\n");

// Modules whose device code was linked together: their images are these instead of their own.
struct rex_offload_group {
  const char *const *modules; // their names
  __INT64_TYPE__ module_count;
  struct rex_offload_image *images;
  __INT64_TYPE__ image_count;
};
// Their images are the array __rex_group_images_<number>.
#define REX_OFFLOAD_GROUP(number, ...)                                                                                 \
  static const char *const __rex_group_modules_##number[] = {__VA_ARGS__};                                             \
  static struct rex_offload_group __rex_group_##number = {                                                             \
      __rex_group_modules_##number, sizeof(__rex_group_modules_##number) / sizeof(__rex_group_modules_##number)[0],    \
      __rex_group_images_##number, sizeof(__rex_group_images_##number) / sizeof(__rex_group_images_##number)[0]};      \
  static struct rex_offload_group *__rex_group_row_##number                                                            \
      __attribute__((__used__, __section__("rex_offload_groups"))) REX_RETAIN = &__rex_group_##number;

#ifdef __cplusplus
}
#endif

#endif
