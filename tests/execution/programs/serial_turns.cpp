// Loops of a team's sequential code that load in turns: sums of what the team has counted, both ways, and loops whose
// elements change meanwhile.
#include <cstdio>

static const int TEAMS = 5, MOST = 70;
static int from[TEAMS * MOST], to[TEAMS * MOST], last[TEAMS];
static double wide[TEAMS];

static long sum_of() {
  long sum = 0;
  for (int i = 0; i < TEAMS * MOST; i++) sum += (long)to[i] * (i % 7 + 1);
  for (int t = 0; t < TEAMS; t++) sum += last[t] + (long)(wide[t] * 4);
  return sum;
}

static void scans(int n) {
#pragma omp target teams distribute map(to : from) map(tofrom : to, last)
  for (int t = 0; t < TEAMS; t++) {
    int counts[MOST], sums[MOST];
    unsigned char flags[MOST];
    int total = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      counts[i] = from[t * MOST + i];
      flags[i] = counts[i] % 3;
      sums[i] = i;
    }
    for (int i = 0; i < n; i++) {
      total += counts[i] + (flags[i] ? 1 : -1);
      sums[i] = total;
    }
    for (int i = n - 1; i >= 0; i -= 2) {
      const int e = n - 1 - i;
      total ^= sums[e] + sums[i];
      counts[i] = total;
    }
    for (int i = 1; i < n; i++) { // what one iteration stores the next one loads
      sums[i] += sums[i - 1] / 2;
      total += sums[i];
    }
    for (int i = 0; i < n; i++) counts[i] = counts[n - 1 - i] + flags[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++) to[t * MOST + i] = sums[i] + counts[i] + flags[i];
    last[t] = total;
  }
}

static void of_tables(int rows) {
#pragma omp target teams distribute map(to : from) map(from : wide)
  for (int t = 0; t < TEAMS; t++) {
    double table[8][9], ends[80], sum = 0;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 9; j++) table[i][j] = from[t * MOST + i + j] * 0.25;
#pragma omp parallel for
    for (int i = 0; i < 80; i++) ends[i] = 0;
    for (int k = 0; k < rows; k++) {
      int *none = nullptr;
      for (unsigned j = 0; j < 8u + rows - rows; j++) {
        sum = sum / 2 + table[k][j] - table[k][j + 1];
        ends[k * 9 + j] = none ? *none : sum;
      }
    }
    sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 72; i++) sum += ends[i];
    wide[t] = sum;
  }
}

int main() {
  for (int i = 0; i < TEAMS * MOST; i++) from[i] = i * 7919 % 1013 % 29;
  for (int n = 0; n <= MOST; n++) {
    scans(n);
    of_tables(n % 9);
    printf("%d %ld\n", n, sum_of());
  }
}
