/* Atomic built-ins of gcc and clang in a region: by macros, in functions, on types of all sizes and on own variables. */
#include <stdio.h>

#define BUMP(p) __sync_fetch_and_add(p, 1)
typedef struct {
  _Alignas(8) int a;
  int b;
} Pair;
enum colour { RED, GREEN, BLUE };

#pragma omp declare target
static int bump(int *p) { return __atomic_add_fetch(p, 2, __ATOMIC_ACQ_REL); }
static int seen(const int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
#pragma omp end declare target

static void on_each(long *sum) {
  int a[64], r[64] = {0};
  for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a, r)
  for (int i = 0; i < 64; i++) {
    int before = a[i];
    BUMP(&a[i]);
    bump(a + i);
    int after = a[i], mine = i;
    __atomic_fetch_sub(&mine, 3, __ATOMIC_RELAXED);
    r[i] = (after - before) * 1000 + mine + seen(&a[i]);
  }
  for (int i = 0; i < 64; i++) sum[0] += r[i] * (long)(i + 1);
}

static void on_one(void) {
  char *at = 0;
  unsigned char byte = 250, flag = 0, taken = 0;
  short bits = 0;
  unsigned long big = 1, all = ~0ul;
  enum colour colour = RED;
  int last = -1, all_set = 1, lock = 0, guarded = 0;
  Pair pair = {1, 2};
#pragma omp target teams distribute parallel for map(tofrom : at, byte, flag, taken, bits, big, all, colour, last, all_set, \
                                                         lock, guarded, pair)
  for (int i = 0; i < 64; i++) {
    __sync_fetch_and_add(&at, (char *)2);
    __atomic_add_fetch(&byte, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST)) __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
    __atomic_fetch_or(&bits, 1 << (i % 15), __ATOMIC_SEQ_CST);
    __sync_fetch_and_xor(&big, 1ul << i);
    __sync_and_and_fetch(&all, ~(1ul << (i / 2)));
    __atomic_store_n(&colour, BLUE, __ATOMIC_RELEASE);
    int found = __atomic_load_n(&last, __ATOMIC_RELAXED);
    while (found < i && !__atomic_compare_exchange_n(&last, &found, i, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    if (__sync_bool_compare_and_swap(&all_set, 7, 8)) all_set = 9;
    Pair old, next;
    __atomic_load(&pair, &old, __ATOMIC_RELAXED);
    do {
      next.a = old.a + 1;
      next.b = old.b + 2;
    } while (!__atomic_compare_exchange(&pair, &old, &next, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    for (int done = 0; !done;)
      if (!__sync_lock_test_and_set(&lock, 1)) {
        *(volatile int *)&guarded = *(volatile int *)&guarded + i;
        __sync_synchronize();
        __sync_lock_release(&lock);
        done = 1;
      }
  }
  printf("%ld %d %d %d %d %lx %lx %d\n", (long)at, byte, flag != 0, taken, bits, big, all, colour == BLUE);
  printf("%d %d %d %d %d %d\n", last, all_set, lock, guarded, pair.a, pair.b);
}

int main(void) {
  long sum = 0;
  on_each(&sum);
  printf("%ld\n", sum);
  on_one();
}
