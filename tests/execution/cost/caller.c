// Stands in for the runtime, so that nothing is left of a launch but what the generated file does for it. Prints for
// each function how often it launches and allocates, and the nanoseconds of a call: the best of many rounds, each so
// short that other programs leave some of them alone.
#define REX_KMP_INTERNAL
#include "rex_kmp.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 1000, ROUNDS = 2000 };

struct rex_offload_state rex_offload = {2, REX_ON_GPU, 132};
static long allocations, calls;

void rex_offload_init(void) {}
void rex_offload_wait(void) {}
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}

int rex___tgt_target_kernel(struct __rex_ident *place, int64_t device, int32_t teams, int32_t threads, void *host_ptr,
                            struct __tgt_kernel_arguments *arguments) {
  (void)place, (void)device, (void)teams, (void)threads, (void)host_ptr;
  calls += arguments->arg_num == 10;
  __asm__ volatile("" ::"r"(arguments) : "memory"); // all of it is needed
  return 0;
}

void rex___tgt_target_data_update_mapper(struct __rex_ident *place, int64_t device, int32_t arg_num, void **args_base,
                                         void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,
                                         void **arg_mappers) {
  (void)place, (void)device, (void)args_base, (void)arg_types, (void)arg_names, (void)arg_mappers;
  calls += arg_num == 1 && arg_sizes[0] == 2; // rows apart, and two elements of each
  __asm__ volatile("" ::"r"(args), "r"(arg_sizes) : "memory");
}

void extents(int n, double *a, double *b, double *c, float *d, double (*e)[4], int f, float g, double h, long *i);
void known(void);
void gaps(int n, double (*m)[64]);

static void call_extents(int i) {
  static double a[4];
  extents(1000 + i % 2, a, a, a, (float *)a, (double(*)[4])a, i, 1, 2, (long *)a);
}
static void call_known(int i) { (void)i, known(); }
static void call_gaps(int i) {
  static double m[2][64];
  gaps(2 + i % 2, m);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void measure(const char *name, void (*call)(int)) {
  double best = 1e9;
  allocations = calls = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    for (int i = 0; i < CALLS; i++) call(i);
    double each = (now() - start) / CALLS;
    if (each < best) best = each;
  }
  printf("%s %ld %ld %.1f\n", name, calls / CALLS / ROUNDS, allocations, best);
}

int main(void) {
  measure("extents", call_extents);
  measure("known", call_known);
  measure("gaps", call_gaps);
  return 0;
}
