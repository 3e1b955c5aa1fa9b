/* Labels of a switch in blocks, conditions and loops without a parallel: all threads come there. */
#include <stdio.h>
int main(void) {
  int r[64] = {0}, n = 16;
#pragma omp target teams distribute map(tofrom : r) thread_limit(8) num_teams(2)
  for (int b = 0; b < 4; b++) {
    switch (b) {
    case 0: { r[b] += 3; case 1: r[b]++; r[b + 4] += 2; }
#pragma omp parallel for num_threads(4)
      for (int i = 0; i < n; i++) r[16 + b * 8 + i % 8] += (i / 8) * r[b];
      break;
    default: r[b]--;
    }
    switch (b) {
    case 0: if (b > 3) { r[b] += 3; case 2: r[b]++; r[b + 4] += 2; }
#pragma omp parallel for num_threads(4)
      for (int i = 0; i < n; i++) r[16 + b * 8 + i % 8] += (i / 8) * r[b];
    }
    int k = 0;
    switch (b % 3) {
    case 0: do { r[b + 8]++; k++;
    case 1: r[b + 8] += 10; k++;
    case 2: r[b + 8] += 100; k++; } while (k < 7);
#pragma omp parallel for num_threads(4)
      for (int i = 0; i < n; i++) r[16 + b * 8 + i % 8] += (i / 8) * k;
    }
    switch (b) { case 1: { switch (k) { case 7: r[b]++; default: r[b] += 5; } }
#pragma omp parallel for num_threads(4)
      for (int i = 0; i < n; i++) r[16 + b * 8 + i % 8] += (i / 8) * r[b]; }
  }
  for (int i = 0; i < 64; i++) printf("%d ", r[i]);
  puts("");
}
