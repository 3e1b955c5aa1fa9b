// Memory allocators of target regions: predefined ones, one with traits of the region's own, allocate clauses.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 200
#ifdef _OPENMP
#define HOST_MEMORY llvm_omp_target_host_mem_alloc
#define SHARED_MEMORY llvm_omp_target_shared_mem_alloc
#else
#define HOST_MEMORY omp_default_mem_alloc
#define SHARED_MEMORY omp_default_mem_alloc
#endif

static int predefined(void) {
  int sum = 0;
#pragma omp target map(tofrom : sum) uses_allocators(omp_default_mem_alloc, omp_thread_mem_alloc)
  {
    int *x = (int *)omp_alloc(N * sizeof(int), omp_default_mem_alloc);
    int *y = (int *)omp_calloc(N, sizeof(int), omp_default_mem_alloc);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
      x[i] = i;
      y[i] += 2 * i;
    }
    for (int i = 0; i < N; i++) sum += x[i] + y[i];
    omp_free(y, omp_default_mem_alloc);
    omp_free(x, omp_default_mem_alloc);
  }
  return sum;
}

static int with_traits(int offset) {
  const omp_alloctrait_t traits[2] = {{omp_atk_alignment, 256}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t mine, plain;
  int misaligned = 1, sum = 0;
#pragma omp target map(tofrom : misaligned, sum) uses_allocators(mine(traits)) uses_allocators(plain)
  {
    int *x = (int *)omp_alloc(N * sizeof(int), mine);
    int *y = (int *)omp_alloc(sizeof(int), plain);
    misaligned = (int)((uintptr_t)x % 256);
    *y = offset;
#pragma omp parallel for
    for (int i = 0; i < N; i++) x[i] = i + *y;
    for (int i = 0; i < N; i++) sum += x[i];
    omp_free(x, mine);
    omp_free(y, plain);
  }
  return misaligned * 1000000 + sum;
}

static int each_thread(void) {
  const omp_alloctrait_t traits[1] = {{omp_atk_alignment, 64}};
  omp_allocator_handle_t mine;
  int misaligned = 0, sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : misaligned) reduction(+ : sum) \
    uses_allocators(traits(traits), memspace(omp_default_mem_space) : mine)
  for (int i = 0; i < N; i++) {
    int *x = (int *)omp_alloc(sizeof(int), mine);
    *x = i;
    if ((uintptr_t)x % 64 != 0) {
#pragma omp atomic
      misaligned++;
    }
    sum += *x;
    omp_free(x, mine);
  }
  return misaligned * 1000000 + sum;
}

static int clauses(int *a) {
  int one = 5, several[3] = {1, 2, 3}, sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : N]) uses_allocators(omp_pteam_mem_alloc) \
    allocate(omp_pteam_mem_alloc : one) allocate(several) firstprivate(one, several)
  for (int i = 0; i < N; i++) {
    several[i % 3] = one + i;
    a[i] += several[i % 3];
  }
#pragma omp target map(tofrom : a[0 : N]) uses_allocators(omp_thread_mem_alloc)
  {
#pragma omp parallel private(one) allocate(allocator(omp_thread_mem_alloc), align(4) : one)
    {
#pragma omp for
      for (int i = 0; i < N; i++) {
        one = 3 * i;
        a[i] += one;
      }
    }
  }
  for (int i = 0; i < N; i++) sum += a[i];
  return sum;
}

// The host's: what libomptarget gives for LLVM's own, and memory with the trait `pinned`, which is zeroed, and grows.
static int of_host(omp_allocator_handle_t allocator) {
  int *x = (int *)omp_alloc(N * sizeof(int), allocator), sum = 0;
  if (x == NULL) return -1;
  for (int i = 0; i < N; i++) x[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : x[0 : N])
  for (int i = 0; i < N; i++) x[i] += 1;
  for (int i = 0; i < N; i++) sum += x[i];
  omp_free(x, allocator);
  return sum;
}

#ifdef _OPENMP
static int pinned(void) {
  const omp_alloctrait_t traits[2] = {{omp_atk_pinned, omp_atv_true}, {omp_atk_alignment, 512}};
  omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
  int *x = (int *)omp_calloc(N, sizeof(int), mine), sum = (int)((uintptr_t)x % 512) * 1000000;
  x[1] = 3;
  x = (int *)omp_realloc(x, 2 * N * sizeof(int), mine, mine);
  for (int i = 0; i < N; i++) sum += x[i];
  omp_free(x, mine);
  sum += of_host(mine);
  omp_destroy_allocator(mine);
  return sum;
}
#else
static int pinned(void) { return 3 + of_host(omp_default_mem_alloc); }
#endif

int main(void) {
  int *a = (int *)calloc(N, sizeof(int));
  printf("%d\n", predefined());
  printf("%d %d\n", with_traits(0), with_traits(7));
  printf("%d\n", each_thread());
  printf("%d\n", clauses(a));
  free(a);
  printf("%d %d\n", of_host(HOST_MEMORY), of_host(SHARED_MEMORY));
  printf("%d\n", pinned());
  return 0;
}
