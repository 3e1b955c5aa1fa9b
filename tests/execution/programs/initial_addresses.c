/* Variables whose addresses declare target variables begin with are on the device too, and are the same there. */
#include <stdio.h>

struct pair {
  int a, *p;
};

int store = 1, row[4] = {1, 2, 3, 4}, size_only[3] = {7, 8, 9};
static struct pair whole = {3, &store};
int *at = &store;
int **at_at = &at;
struct pair *pairs[2] = {&whole, 0};
int *inside[3] = {row + 1, &row[3], &whole.a};
unsigned long bytes = sizeof size_only;
int twice(int x) { return 2 * x; }
#pragma omp declare target to(at_at, pairs, inside, bytes, twice)

int main(void) {
  int same[8] = {0}, sum = 0;
#pragma omp target map(tofrom : same, sum)
  {
    int **p = at_at;
    same[0] = p == &at && *p == &store && at == &store;
    same[1] = pairs[0] == &whole && pairs[0]->p == &store && whole.p == at;
    same[2] = inside[0] == &row[1] && inside[1] == row + 3 && inside[2] == &whole.a;
    **at_at += 10;
    *inside[0] = twice(*inside[1]);
    pairs[0]->a = 30;
    sum = store + row[1] + whole.a + *inside[2] + (int)(bytes / sizeof(int));
  }
#pragma omp target update from(store, row)
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < 3; i++) sum += row[i];
  printf("%d %d %d %d %d %d\n", same[0], same[1], same[2], sum, store, row[1]);
  return 0;
}
