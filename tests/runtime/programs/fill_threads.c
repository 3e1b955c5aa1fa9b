// SPDX-License-Identifier: Apache-2.0
/* Registers, takes back and registers again; then many host threads launch at once, the first of them registers. */
#include "rex_kmp.h"
#include <pthread.h>
#include <stdio.h>

int fill_one(int *p, int n);
void set_table_one(int value);

enum { THREADS = 8, LAUNCHES = 200, COUNT = 1000 };

static int good_launches(void) {
  int p[COUNT], good = 0;
  for (int launch = 0; launch < LAUNCHES; launch++) {
    int n = 1 + (launch * 37) % COUNT, right = fill_one(p, n);
    for (int i = 0; i < n; i++) right = right && p[i] == i + 1;
    good += right;
  }
  return good;
}

static void *launch_many(void *result) {
  *(int *)result = good_launches();
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int good[THREADS], all = 0;
  for (int i = 0; i < 3; i++) {
    rex_offload_init();
    int p[10];
    if (!fill_one(p, 10)) return 1;
    rex_offload_fini();
  }
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, launch_many, &good[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    all += good[i];
  }
  printf("%d of %d launches right\n", all, THREADS * LAUNCHES);
  return all != THREADS * LAUNCHES;
}
