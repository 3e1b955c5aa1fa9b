// SPDX-License-Identifier: Apache-2.0
//
// The rows that a construct maps, where only the run knows how many there are, and what stands in them: iterators, declared
// mappers, sections with gaps, addresses. Part of rex_kmp.h.
#ifndef REX_ROWS_H
#define REX_ROWS_H

#include "rex_llvm_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------------
// The arrays of a construct whose iterators make the number of rows one of the run: one behind the other in one piece of
// memory, which rex_free_rows gives back when the call has returned.

struct rex_rows {
  void **base, **begin;
  __INT64_TYPE__ *size, *type;
  void **name, **mapper;
  __INT32_TYPE__ count;
};

static __inline__ struct rex_rows rex_new_rows(__INT32_TYPE__ room) {
  __SIZE_TYPE__ row = 4 * sizeof(void *) + 2 * sizeof(__INT64_TYPE__), length = room > 0 ? (__SIZE_TYPE__)room : 1;
  struct rex_rows rows;
  rows.size = (__INT64_TYPE__ *)__builtin_malloc(length * row);
  if (rows.size == 0) __builtin_abort();
  rows.type = rows.size + length;
  rows.base = (void **)(rows.type + length);
  rows.begin = rows.base + length;
  rows.name = rows.begin + length;
  rows.mapper = rows.name + length;
  rows.count = 0;
  return rows;
}

static __inline__ void rex_free_rows(struct rex_rows *rows) { __builtin_free(rows->size); }

static __inline__ void rex_add_row(struct rex_rows *rows, void *base, void *begin, __INT64_TYPE__ size, __INT64_TYPE__ type, void *name,
                                   void *mapper) {
  __INT32_TYPE__ row = rows->count++;
  rows->base[row] = base, rows->begin[row] = begin;
  rows->size[row] = size, rows->type[row] = type;
  rows->name[row] = name, rows->mapper[row] = mapper;
}

// MEMBER_OF a row that only the run knows. What counts is that there is one: where the bits cannot tell the row's number,
// the last one that they can has to do.
static __inline__ __INT64_TYPE__ rex_member_of(__INT32_TYPE__ row) { return REX_MAP_MEMBER_OF(row < 0xfffe ? row : 0xfffe); }

// At the end of a region nobody has promised that its data is still present.
static __inline__ void rex_expect_nothing(struct rex_rows *rows) {
  __INT32_TYPE__ row;
  for (row = 0; row < rows->count; row++) rows->type[row] &= ~REX_MAP_PRESENT;
}

// ---------------------------------------------------------------------------------------------------------------------
// What a `declare mapper` becomes: a function that LLVM's runtime calls for each list item with this mapper, when the
// item is mapped, unmapped and updated. It hands over a row for each part of each of the item's elements.

// LLVM's calls of these names, also for a mapper that rex_explain.cpp calls to find out which part of an item could not be
// mapped.
__INT64_TYPE__ rex___tgt_mapper_num_components(void *handle) REX_HIDDEN;
void rex___tgt_push_mapper_component(void *handle, void *base, void *begin, __INT64_TYPE__ size, __INT64_TYPE__ type,
                                     void *name) REX_HIDDEN;
#ifndef REX_KMP_INTERNAL
#define __tgt_mapper_num_components rex___tgt_mapper_num_components
#define __tgt_push_mapper_component rex___tgt_push_mapper_component
#endif

#define REX_MAPPER static __attribute__((__unused__)) void
#define REX_MAP_MODIFIERS \
  (REX_MAP_ALWAYS | REX_MAP_DELETE | REX_MAP_CLOSE | REX_MAP_PRESENT | REX_MAP_OMPX_HOLD | REX_MAP_SELF)

// A list item with a mapper: how it is mapped, how many elements are left, and what the rows of their parts belong to:
// to the row `first` of their own, or, as `member`, to storage that is mapped already.
struct rex_mapped {
  void *handle;
  __INT64_TYPE__ type, count, first, member;
};

// Begins a list item: several elements, and those behind a pointer, lie in storage with a row of its own; so do all of
// which more than the parts is mapped (`whole`). The first row of all is one that maps nothing, because the runtime
// counts no references to the first.
static __inline__ struct rex_mapped rex_mapped_rows(void *handle, void *base, void *begin, __INT64_TYPE__ size, __SIZE_TYPE__ element,
                                                    __INT64_TYPE__ type, void *name, int whole) {
  __INT64_TYPE__ pointed = type & REX_MAP_PTR_AND_OBJ, member = type & REX_MAP_ALL_MEMBERS ? REX_MAP_MEMBER_OF(0) : 0;
  struct rex_mapped item = {handle, type, size / (__INT64_TYPE__)element, 0, member};
  if (__tgt_mapper_num_components(handle) == 0) __tgt_push_mapper_component(handle, 0, 0, 0, REX_MAP_LITERAL, 0);
  if (pointed || ((whole || item.count > 1) && !member)) {
    type &= REX_MAP_MODIFIERS | REX_MAP_IMPLICIT;
    __tgt_push_mapper_component(handle, base, begin, size, type | pointed | member, name);
    item.member = REX_MAP_MEMBER_OF(0);
  }
  item.first = __tgt_mapper_num_components(handle);
  return item;
}

static __inline__ struct rex_mapped rex_mapped_item(void *handle, void *base, void *begin, __INT64_TYPE__ size, __SIZE_TYPE__ element,
                                                    __INT64_TYPE__ type, void *name) {
  return rex_mapped_rows(handle, base, begin, size, element, type, name, 0);
}

// The same for objects that are mapped as they are but for members, or base classes, with mappers.
static __inline__ struct rex_mapped rex_mapped_object(void *handle, void *base, void *begin, __INT64_TYPE__ size, __SIZE_TYPE__ element,
                                                      __INT64_TYPE__ type, void *name) {
  return rex_mapped_rows(handle, base, begin, size, element, type, name, 1);
}

// How a part is mapped (OpenMP 5.2, table 5.2): copied where both the item and the part say so, with the modifiers of
// both.
static __inline__ __INT64_TYPE__ rex_mapped_type(const struct rex_mapped *item, __INT64_TYPE__ part) {
  __INT64_TYPE__ type = (part & ~REX_MAP_TOFROM) | (part & item->type & REX_MAP_TOFROM) | (item->type & REX_MAP_MODIFIERS);
  if (item->member) return (type & ~REX_MAP_ALL_MEMBERS) | item->member;
  return type & REX_MAP_ALL_MEMBERS ? (__INT64_TYPE__)((__UINT64_TYPE__)type + ((__UINT64_TYPE__)item->first << 48)) : type;
}

static __inline__ void rex_map_part(const struct rex_mapped *item, void *base, void *begin, __INT64_TYPE__ size, __INT64_TYPE__ part,
                                    void *name) {
  __tgt_push_mapper_component(item->handle, base, begin, size, rex_mapped_type(item, part), name);
}

// What lies between the parts of an object that have mappers is mapped as it is.
static __inline__ void rex_map_between(const struct rex_mapped *item, char *begin, const char *end, void *name) {
  if (begin < end) rex_map_part(item, begin, begin, end - begin, REX_MAP_TOFROM, name);
}

// The same for pointers on the way to a part: `present` asks for the part, not for them, and they do not come home.
static __inline__ void rex_map_way(const struct rex_mapped *item, void *base, void *begin, __INT64_TYPE__ size, __INT64_TYPE__ part,
                                   void *name) {
  __INT64_TYPE__ type = rex_mapped_type(item, part) & ~(REX_MAP_PRESENT | REX_MAP_FROM);
  __tgt_push_mapper_component(item->handle, base, begin, size, type, name);
}

// ---------------------------------------------------------------------------------------------------------------------
// What stands in a row.

// An address where the name of a variable may mean a private copy. clang makes a constant of an array whose first values
// are all addresses of variables with static storage, with those of the originals; not of one with calls.
static __inline__ void *rex_address(const volatile void *place) { return (void *)(__UINTPTR_TYPE__)place; }

// The bytes of a scalar, zero-extended, travelling as a pointer value.
static __inline__ void *rex_pack(const volatile void *scalar, __SIZE_TYPE__ size) {
  __UINT64_TYPE__ bytes = 0;
  __builtin_memcpy(&bytes, (const void *)scalar, size < sizeof bytes ? size : sizeof bytes);
  return (void *)(__UINTPTR_TYPE__)bytes;
}

// The same for values of expressions.
static __inline__ void *rex_pack_float(float value) {
  return rex_pack(&value, sizeof value);
}
static __inline__ void *rex_pack_double(double value) {
  return rex_pack(&value, sizeof value);
}

// The same for eight bytes of an object, or what is left of it.
static __inline__ void *rex_pack_word(const void *object, __SIZE_TYPE__ size, __SIZE_TYPE__ word) {
  return rex_pack((const char *)object + 8 * word, size - 8 * word);
}

// Joins dimensions with nothing between their elements and forgets those with one element; returns how many are left. What
// is left is the same to all versions of libomptarget: up to 21 it copies one element of dimensions that it could join.
static __inline__ __INT64_TYPE__ rex_merge_dimensions(struct rex_dimension *dimensions, __INT64_TYPE__ count) {
  __INT64_TYPE__ inner = count - 1;
  __INT64_TYPE__ i;
  for (i = 0; i < count; i++)
    if ((__INT64_TYPE__)dimensions[i].count <= 0) {
      dimensions[0].count = 0; // and nothing is copied
      return 1;
    }
  __INT64_TYPE__ j;
  for (j = count - 2; j >= 0; j--) {
    struct rex_dimension *below = &dimensions[inner];
    if (dimensions[j].count == 1) continue;
    if (dimensions[j].stride != below->count * below->stride) dimensions[--inner] = dimensions[j];
    else if (inner == count - 1) below->stride *= dimensions[j].count;
    else below->count *= dimensions[j].count;
  }
  __INT64_TYPE__ k;
  for (k = inner; k < count; k++) dimensions[k - inner] = dimensions[k];
  return count - inner;
}

// What use_device_ptr and use_device_addr mean: the device address that the runtime found, or the host's where the data is
// on no device.
static __inline__ void *rex_device_address(void *found, void *own) { return found ? found : own; }

#ifdef __cplusplus
// Where an object keeps a member that is a reference; & would give the address of what it refers to.
#define REX_REFERENCE(object, member) ((char *)&(object) + __builtin_offsetof(__typeof__(object), member))
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif

// The first and the last of two addresses in one array: where the parts of it that a construct maps begin and end.
static __inline__ char *rex_first(const volatile void *a, const volatile void *b) {
  return (char *)((__UINTPTR_TYPE__)a < (__UINTPTR_TYPE__)b ? a : b);
}
static __inline__ char *rex_last(const volatile void *a, const volatile void *b) {
  return (char *)((__UINTPTR_TYPE__)a > (__UINTPTR_TYPE__)b ? a : b);
}

#ifdef __cplusplus
}
#endif

#endif
