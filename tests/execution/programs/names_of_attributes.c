/* Macros with the names of the attributes that words of CUDA's stand for. */
#include <stdio.h>
#define device 1
#define shared 2
#define host 3
#define constant 4
#define global 5
#define noinline 6
#define launch_bounds 7
#define always_inline 8
#pragma omp declare target
static int base = host + global;
static int sum(int x) { return x + base + device * shared + constant; }
#pragma omp end declare target
int main(void) {
  int r[8] = {0}, total = 0;
#pragma omp target teams distribute num_teams(2) map(tofrom : r) reduction(+ : total)
  for (int t = 0; t < 2; t++) {
    int part[4];
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 4; i++) part[i] = sum(i) + noinline;
    for (int i = 0; i < 4; i++) r[t * 4 + i] = part[i] + launch_bounds;
    total += r[t * 4] + always_inline;
  }
  printf("%d %d %d\n", r[0], r[7], total);
  return 0;
}
