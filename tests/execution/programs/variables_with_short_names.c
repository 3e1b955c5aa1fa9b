// Variables of devices with the names that registers and labels have in assembly.
#include <stdio.h>
#define N 480
#pragma omp declare target
double p[N], r[N], rd[N], f, low, high, out[8];
int pred[N], b32, q, lane, tid, done;
#pragma omp end declare target

int main(void) {
  double products = 0, least = 1e9;
  long total = 0;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) p[i] = 1 + i % 3, r[i] = i % 7, rd[i] = -i, pred[i] = i;
#pragma omp target
  f = 2, low = 3, high = 4, b32 = 5, q = 6, lane = 7, tid = 8, done = 9;
#pragma omp target teams distribute parallel for reduction(+ : products, total) reduction(min : least) map(tofrom : products, least, total)
  for (int i = 0; i < N; i++) {
    products += p[i] * r[i] + f * low - high;
    total += pred[i] + b32 * q + lane - tid - done;
    least = rd[i] < least ? rd[i] : least;
  }
  printf("%g %ld %g\n", products, total, least);
#pragma omp target teams distribute num_teams(8) map(from : products)
  for (int t = 0; t < 8; t++) {
    double sum = 0, parts[4] = {0};
#pragma omp parallel for reduction(+ : sum, parts)
    for (int i = 0; i < N; i++) {
      sum += p[i] * t;
      parts[i % 4] += r[i];
#pragma omp atomic
      rd[t] += p[i];
    }
    out[t] = sum + parts[1] - parts[3];
  }
#pragma omp target update from(out, rd)
  for (int t = 0; t < 8; t++) printf("%g %g ", out[t], rd[t]);
  puts("");
}
