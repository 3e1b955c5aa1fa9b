// SPDX-License-Identifier: Apache-2.0
//
// Allocators with the trait `pinned`, with memory that this file counts in the place of libomptarget's; pinned_library.c
// makes and frees blocks of them too. In the end there is no device.
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

extern "C" {
int devices = 1, default_device = 0;
long given, taken_back;
static std::map<void *, size_t> pinned;
static size_t left_of_driver = SIZE_MAX;
int omp_get_num_devices() { return devices; }
int omp_get_default_device() { return default_device; }
void *llvm_omp_target_alloc_host(size_t size, int device) {
  if (size > left_of_driver || device != 0) return nullptr;
  void *memory = malloc(size);
  given++;
  pinned[memory] = size;
  return memory;
}
void llvm_omp_target_free_host(void *memory, int device) {
  if (device == 0 && pinned.erase(memory) == 1) taken_back++, free(memory);
}
// of the library
void *library_makes(size_t size, omp_allocator_handle_t allocator);
void library_frees(void *block, omp_allocator_handle_t allocator);
}

static int checks, failures;
static void check(bool good, const char *what, int line) {
  checks++;
  if (!good) failures++, fprintf(stderr, "pinned.cpp:%d: %s\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static bool is_pinned(void *block) {
  auto after = pinned.upper_bound(block);
  if (after == pinned.begin()) return false;
  --after;
  return static_cast<char *>(block) < static_cast<char *>(after->first) + after->second;
}

template <int count> omp_allocator_handle_t made(const omp_alloctrait_t (&traits)[count]) {
  return omp_init_allocator(omp_default_mem_space, count, traits);
}

static void check_blocks(omp_allocator_handle_t mine, bool here) {
  auto *block = static_cast<char *>(omp_alloc(1000, mine));
  CHECK(block != nullptr && is_pinned(block) == here);
  memset(block, 7, 1000);
  block = static_cast<char *>(omp_realloc(block, 5000, mine, mine));
  CHECK(block != nullptr && is_pinned(block) == here && block[0] == 7 && block[999] == 7);
  memset(block, 8, 5000);
  block = static_cast<char *>(omp_realloc(block, 100));
  CHECK(block != nullptr && block[99] == 8);
  omp_free(block);
  auto *zeroed = static_cast<int *>(omp_calloc(100, sizeof(int), mine));
  CHECK(zeroed[0] == 0 && zeroed[99] == 0 && is_pinned(zeroed) == here);
  omp_free(zeroed, mine);
  void *aligned = omp_aligned_alloc(4096, 10, mine);
  CHECK(reinterpret_cast<uintptr_t>(aligned) % 4096 == 0 && is_pinned(aligned) == here);
  omp_free(aligned, mine);
  void *cleared = omp_aligned_calloc(1024, 3, 5, mine);
  CHECK(reinterpret_cast<uintptr_t>(cleared) % 1024 == 0 && static_cast<char *>(cleared)[14] == 0);
  omp_free(cleared, mine);
  CHECK(omp_alloc(0, mine) == nullptr);
  if (here) CHECK(omp_calloc(SIZE_MAX / 2, 3, mine) == nullptr);
  omp_free(nullptr, mine);
}

// From memory of libomp's to pinned memory and back, by size that only libomp knows.
static void check_moves(omp_allocator_handle_t mine) {
  auto *block = static_cast<char *>(omp_alloc(300, omp_default_mem_alloc));
  memset(block, 5, 300);
  CHECK(!is_pinned(block));
  block = static_cast<char *>(omp_realloc(block, 600, mine, omp_default_mem_alloc));
  CHECK(is_pinned(block) && block[299] == 5);
  block = static_cast<char *>(omp_realloc(block, 200, omp_default_mem_alloc, mine));
  CHECK(!is_pinned(block) && block[199] == 5);
  CHECK(omp_realloc(block, 0, mine, omp_default_mem_alloc) == nullptr);
  block = static_cast<char *>(omp_realloc(nullptr, 20, mine));
  CHECK(is_pinned(block));
  CHECK(omp_realloc(block, 0, mine, mine) == nullptr);
}

static void check_fallbacks() {
  const omp_alloctrait_t small[] = {{omp_atk_pinned, omp_atv_true}, {omp_atk_pool_size, 1000}};
  omp_allocator_handle_t pool = made(small);
  void *first = omp_alloc(700, pool), *second = omp_alloc(700, pool);
  CHECK(is_pinned(first) && second != nullptr && !is_pinned(second));
  omp_free(second, pool);
  omp_free(first, pool);
  first = omp_alloc(900, pool);
  CHECK(is_pinned(first));
  omp_free(first, pool);

  const omp_alloctrait_t none[] = {
      {omp_atk_pinned, omp_atv_true}, {omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t nothing = made(none);
  CHECK(omp_alloc(1001, nothing) == nullptr);

  omp_alloctrait_t chain[] = {{omp_atk_pinned, omp_atv_true},
                              {omp_atk_pool_size, 10},
                              {omp_atk_fallback, omp_atv_allocator_fb},
                              {omp_atk_fb_data, static_cast<omp_uintptr_t>(pool)}};
  omp_allocator_handle_t chained = made(chain);
  first = omp_alloc(500, chained);
  CHECK(is_pinned(first));
  omp_free(first, chained);

  left_of_driver = 100;
  first = omp_alloc(500, pool);
  CHECK(first != nullptr && !is_pinned(first));
  omp_free(first, pool);
  left_of_driver = SIZE_MAX;
  for (omp_allocator_handle_t one : {pool, nothing, chained}) omp_destroy_allocator(one);
}

static void check_who_has_it(omp_allocator_handle_t mine) {
  void *block = library_makes(100, mine);
  CHECK(is_pinned(block));
  omp_free(block, mine);
  library_frees(omp_alloc(100, mine), mine);
  omp_set_default_allocator(mine);
  block = omp_alloc(100);
  CHECK(is_pinned(block));
  library_frees(block, omp_null_allocator);
  omp_set_default_allocator(omp_default_mem_alloc);
  block = omp_alloc(100);
  CHECK(!is_pinned(block));
  omp_free(block);
}

static void check_host_by_its_negative_number(omp_allocator_handle_t mine) {
  default_device = -1; // omp_initial_device
  void *block = omp_alloc(100, mine);
  CHECK(is_pinned(block));
  omp_free(block, mine);
  default_device = 0;
}

static void check_threads(omp_allocator_handle_t mine) {
  int wrong = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
  for (int i = 0; i < 200; i++) {
    auto *block = static_cast<unsigned char *>(omp_alloc(i + 1, omp_default_mem_alloc));
    memset(block, i, i + 1);
    wrong += block[i] != i;
    omp_free(block, omp_default_mem_alloc);
#pragma omp critical
    {
      block = static_cast<unsigned char *>(omp_alloc(i + 1, mine));
      omp_free(block, mine);
    }
  }
  CHECK(wrong == 0);
}

int main() {
  const omp_alloctrait_t traits[] = {{omp_atk_pinned, omp_atv_true}, {omp_atk_alignment, 512}};
  const omp_alloctrait_t not_pinned[] = {{omp_atk_pinned, omp_atv_false}};
  omp_allocator_handle_t mine = made(traits), plain = made(not_pinned);
  void *aligned = omp_alloc(10, mine), *other = omp_alloc(10, plain);
  CHECK(reinterpret_cast<uintptr_t>(aligned) % 512 == 0 && is_pinned(aligned) && !is_pinned(other));
  omp_free(aligned, mine);
  omp_free(other, plain);
  check_blocks(mine, true);
  check_moves(mine);
  check_fallbacks();
  check_who_has_it(mine);
  check_host_by_its_negative_number(mine);
  check_threads(mine);
  CHECK(given > 0 && taken_back == given && pinned.empty());
  devices = 0;
  check_blocks(mine, false);
  omp_destroy_allocator(mine);
  omp_destroy_allocator(plain);
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
