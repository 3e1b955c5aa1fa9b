/* Two kernels called twice each; pointers come in implicitly, one array is tofrom. */
#include <stdio.h>
#define KEYS 8

typedef struct {
  int keys[KEYS], next[KEYS];
} Knode;

static void find_k(int count, const Knode *knodes, const int *wanted, int *answer, int *tries) {
#pragma omp target teams distribute parallel for num_teams(3) map(tofrom : answer[0 : count])
  for (int q = 0; q < count; q++) {
    int at = 0;
    for (int t = 0; t < KEYS; t++)
      if (knodes[at].keys[t] <= wanted[q]) answer[q] = knodes[at].next[t], tries[q]++;
  }
}

static void find_range(int count, const Knode *knodes, const int *lower, const int *upper, int *length) {
#pragma omp target teams distribute parallel for map(tofrom : length[0 : count])
  for (int q = 0; q < count; q++)
    for (int t = 0; t < KEYS; t++) length[q] += knodes[0].keys[t] >= lower[q] && knodes[0].keys[t] < upper[q];
}

int main(void) {
  Knode node;
  int wanted[5] = {3, 9, 14, 60, 0}, upper[5] = {20, 30, 40, 70, 80}, answer[5], length[5], tries[5] = {0};
  for (int i = 0; i < KEYS; i++) node.keys[i] = i * 5, node.next[i] = i + 100;
  for (int i = 0; i < 5; i++) answer[i] = length[i] = 0;
  Knode *knodes = &node;
#pragma omp target data map(to : knodes[0 : 1], wanted, upper) map(tofrom : tries)
  {
    find_k(5, knodes, wanted, answer, tries);
    find_range(5, knodes, wanted, upper, length);
    find_k(5, knodes, wanted, answer, tries);
    find_range(5, knodes, wanted, upper, length);
  }
  for (int i = 0; i < 5; i++) printf("%d %d %d ", answer[i], length[i], tries[i]);
  printf("\n");
  return 0;
} // main
