// SPDX-License-Identifier: Apache-2.0
/* A program with an allocation of its own, as that of a library that it is linked with. */
#include "rex_program_memory.h"
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *block);
static int calls;
void *malloc(size_t size) { return calls++, __libc_malloc(size); }
void free(void *block) { calls++, __libc_free(block); }

int main(void) {
  const struct rex_program_memory *memory = rex_program_memory_for((const void *)main);
  int before = calls;
  free(malloc(10));
  printf("%d %d %s\n", (int)memory->kind, calls - before, memory->reason != NULL ? memory->reason : "no reason");
  return 0;
}
