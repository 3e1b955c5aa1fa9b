// SPDX-License-Identifier: Apache-2.0
/* A library that was not linked by rexcc. */
#include <stdlib.h>

void *block_of_library(size_t size) { return malloc(size); }
void *resized_by_library(void *block, size_t size) { return realloc(block, size); }
void freed_by_library(void *block) { free(block); }
