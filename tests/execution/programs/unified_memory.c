/* Unified shared memory: regions follow pointers to host memory that nothing maps. */
#include <stdio.h>
#include <stdlib.h>
#pragma omp requires unified_shared_memory atomic_default_mem_order(acq_rel)
struct node { int value; struct node *next; };
static int table[4] = {1, 2, 3, 4};
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 5; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i; n->next = list; list = n;
  }
  int stack[3] = {5, 6, 7}, *p = stack, sum[1] = {0};
#pragma omp target
  {
    for (struct node *n = list; n; n = n->next) sum[0] += n->value *= 2;
    p[1] = 60;
    table[2] = 30;
  }
  printf("%d %d %d %d\n", sum[0], list->value, stack[1], table[2]);
#pragma omp target map(from: sum[0:1])
  { sum[0] = 0; for (struct node *n = list; n; n = n->next) sum[0] += n->value; }
  printf("%d\n", sum[0]);
}
