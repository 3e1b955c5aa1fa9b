/* Private copies and variables with an allocator and an alignment of their own. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int out[64];

static void show(const char *name) {
  printf("%s:", name);
  for (int i = 0; i < 24; i++) printf(" %d", out[i]);
  printf("\n");
}

/* How far an address is from being aligned; the host's version of a region goes without alignments. */
#define OFF(x, n) (omp_is_initial_device() ? 0 : (int)((uintptr_t)(x) % (n)))

static void in_default(void) {
  int a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(omp_default_mem_alloc) \
    firstprivate(a) private(b) allocate(omp_default_mem_alloc : a, b)
  for (int i = 0; i < 8; i++) {
    b = i;
    out[i] = a[i % 4] + b;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) uses_allocators(omp_default_mem_alloc) firstprivate(a) \
    allocate(allocator(omp_default_mem_alloc) : a)
  {
#pragma omp parallel for firstprivate(b) allocate(omp_default_mem_alloc : b)
    for (int i = 0; i < 8; i++) out[8 + i] = a[i % 4] * i + b % 1;
  }
  show("default");
}

static void in_large_cap(void) {
  int a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(omp_large_cap_mem_alloc) \
    firstprivate(a) private(b) allocate(omp_large_cap_mem_alloc : a, b)
  for (int i = 0; i < 8; i++) {
    b = i;
    out[i] = a[i % 4] + b;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) uses_allocators(omp_large_cap_mem_alloc) firstprivate(a) \
    allocate(allocator(omp_large_cap_mem_alloc) : a)
  {
#pragma omp parallel for firstprivate(b) allocate(omp_large_cap_mem_alloc : b)
    for (int i = 0; i < 8; i++) out[8 + i] = a[i % 4] * i + b % 1;
  }
  show("large_cap");
}

static void in_const(void) {
  int a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(omp_const_mem_alloc) \
    firstprivate(a) private(b) allocate(omp_const_mem_alloc : a, b)
  for (int i = 0; i < 8; i++) {
    b = i;
    out[i] = a[i % 4] + b;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) uses_allocators(omp_const_mem_alloc) firstprivate(a) \
    allocate(allocator(omp_const_mem_alloc) : a)
  {
#pragma omp parallel for firstprivate(b) allocate(omp_const_mem_alloc : b)
    for (int i = 0; i < 8; i++) out[8 + i] = a[i % 4] * i + b % 1;
  }
  show("const");
}

static void in_high_bw(void) {
  int a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(omp_high_bw_mem_alloc) \
    firstprivate(a) private(b) allocate(omp_high_bw_mem_alloc : a, b)
  for (int i = 0; i < 8; i++) {
    b = i;
    out[i] = a[i % 4] + b;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) uses_allocators(omp_high_bw_mem_alloc) firstprivate(a) \
    allocate(allocator(omp_high_bw_mem_alloc) : a)
  {
#pragma omp parallel for firstprivate(b) allocate(omp_high_bw_mem_alloc : b)
    for (int i = 0; i < 8; i++) out[8 + i] = a[i % 4] * i + b % 1;
  }
  show("high_bw");
}

static void in_low_lat(void) {
  int a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(omp_low_lat_mem_alloc) \
    firstprivate(a) private(b) allocate(omp_low_lat_mem_alloc : a, b)
  for (int i = 0; i < 8; i++) {
    b = i;
    out[i] = a[i % 4] + b;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) uses_allocators(omp_low_lat_mem_alloc) firstprivate(a) \
    allocate(allocator(omp_low_lat_mem_alloc) : a)
  {
#pragma omp parallel for firstprivate(b) allocate(omp_low_lat_mem_alloc : b)
    for (int i = 0; i < 8; i++) out[8 + i] = a[i % 4] * i + b % 1;
  }
  show("low_lat");
}

static void in_cgroup(void) {
  int a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(omp_cgroup_mem_alloc) \
    firstprivate(a) private(b) allocate(omp_cgroup_mem_alloc : a, b)
  for (int i = 0; i < 8; i++) {
    b = i;
    out[i] = a[i % 4] + b;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) uses_allocators(omp_cgroup_mem_alloc) firstprivate(a) \
    allocate(allocator(omp_cgroup_mem_alloc) : a)
  {
#pragma omp parallel for firstprivate(b) allocate(omp_cgroup_mem_alloc : b)
    for (int i = 0; i < 8; i++) out[8 + i] = a[i % 4] * i + b % 1;
  }
  show("cgroup");
}

static void in_pteam(void) {
  int a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(omp_pteam_mem_alloc) \
    firstprivate(a) private(b) allocate(omp_pteam_mem_alloc : a, b)
  for (int i = 0; i < 8; i++) {
    b = i;
    out[i] = a[i % 4] + b;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) uses_allocators(omp_pteam_mem_alloc) firstprivate(a) \
    allocate(allocator(omp_pteam_mem_alloc) : a)
  {
#pragma omp parallel for firstprivate(b) allocate(omp_pteam_mem_alloc : b)
    for (int i = 0; i < 8; i++) out[8 + i] = a[i % 4] * i + b % 1;
  }
  show("pteam");
}

static void in_thread(void) {
  int a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(omp_thread_mem_alloc) \
    firstprivate(a) private(b) allocate(omp_thread_mem_alloc : a, b)
  for (int i = 0; i < 8; i++) {
    b = i;
    out[i] = a[i % 4] + b;
  }
#pragma omp target teams num_teams(1) map(tofrom : out) uses_allocators(omp_thread_mem_alloc) firstprivate(a) \
    allocate(allocator(omp_thread_mem_alloc) : a)
  {
#pragma omp parallel for firstprivate(b) allocate(omp_thread_mem_alloc : b)
    for (int i = 0; i < 8; i++) out[8 + i] = a[i % 4] * i + b % 1;
  }
  show("thread");
}

static void aligned(void) {
  char a[4] = {1, 2, 3, 4}, b = 3;
  double c = 0;
#pragma omp target map(tofrom : out) firstprivate(a) allocate(align(64) : a)
  {
    a[1]++;
    out[0] = a[1] + OFF(a, 64);
  }
#pragma omp target teams distribute parallel for map(tofrom : out) private(b) firstprivate(c) \
    allocate(align(128) : b) allocate(align(32) : c)
  for (int i = 0; i < 8; i++) {
    b = (char)i;
    c = b + 1;
    out[i + 1] = (int)c + OFF(&b, 128) + OFF(&c, 32);
  }
#pragma omp target teams num_teams(1) map(tofrom : out) private(a)
  {
    a[0] = 5;
    c = 0;
#pragma omp parallel for firstprivate(a) reduction(+ : c) allocate(align(64) : a, c)
    for (int i = 0; i < 8; i++) {
      c += i;
      out[i + 9] = a[0] + OFF(a, 64) + OFF(&c, 64);
    }
    out[17] = (int)c;
  }
  show("aligned");
}

static void with_traits(void) {
  omp_alloctrait_t traits[1] = {{omp_atk_alignment, 64}};
  omp_allocator_handle_t mine, plain;
  char a[4] = {1, 2, 3, 4}, b = 3;
#pragma omp target teams distribute parallel for map(tofrom : out) uses_allocators(mine(traits)) \
    uses_allocators(plain) firstprivate(a) private(b) allocate(mine : a) allocate(plain : b)
  for (int i = 0; i < 4; i++) {
    b = (char)i;
    a[i]++;
    out[i] = a[i] + b + OFF(a, 64);
  }
  show("traits");
}

static void directives(void) {
#pragma omp target map(tofrom : out) uses_allocators(omp_thread_mem_alloc)
  {
    char a[8], b;
#pragma omp allocate(a) align(64)
#pragma omp allocate(b) align(32) allocator(omp_thread_mem_alloc)
    b = 3;
    for (int i = 0; i < 8; i++) a[i] = (char)(i * 2);
    for (int i = 0; i < 8; i++) out[i] = a[7 - i] + b + OFF(&b, 32) + OFF(a, 64);
#pragma omp parallel for
    for (int i = 0; i < 8; i++) {
      char mine = (char)i;
#pragma omp allocate(mine) align(16)
      out[8 + i] = a[i] + mine + OFF(&mine, 16);
    }
  }
  show("directives");
}

int main(void) {
  in_default();
  in_large_cap();
  in_const();
  in_high_bw();
  in_low_lat();
  in_cgroup();
  in_pteam();
  in_thread();
  aligned();
  with_traits();
  directives();
  return 0;
}
