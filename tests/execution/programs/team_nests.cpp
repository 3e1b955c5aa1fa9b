// Nests with `collapse` whose iterations the threads of a team share, with little to do in each.
#include <cstdio>
#include <vector>
static const int kMost = 60000;
static float from[kMost], to[kMost];
static long sum_of(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) sum += (long)to[i] * (i % 7 + 1);
  return sum;
}
struct Shape { int batch, channels, pixels; };
template <class T> static double channels(Shape s, const T *x, T *mean) {
#pragma omp target teams distribute map(to : x[0:s.batch * s.channels * s.pixels]) map(from : mean[0:s.channels])
  for (int c = 0; c < s.channels; c++) {
    T sum = 0, most = -1000;
#pragma omp parallel for collapse(2) reduction(+ : sum) reduction(max : most)
    for (int b = 0; b < s.batch; b++)
      for (int p = 0; p < s.pixels; p++) {
        T v = x[(b * s.channels + c) * s.pixels + p];
        sum += v;
        most = v > most ? v : most;
      }
    mean[c] = sum + 1000 * most;
  }
  double all = 0;
  for (int c = 0; c < s.channels; c++) all += mean[c] * (c % 5 + 1);
  return all;
}
static long transposed(int teams, int rows, int columns) {
#pragma omp target teams distribute map(to : from) map(tofrom : to)
  for (int t = 0; t < teams; t++) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++)
        to[t * rows * columns + j * rows + i] = from[t * rows * columns + i * columns + j] + 1;
  }
  return sum_of(teams * rows * columns);
}
static long sometimes(int teams, long rows, long columns) { // indices of 64 bits, other steps and bounds
#pragma omp target teams distribute map(to : from) map(tofrom : to)
  for (int t = 0; t < teams; t++) {
#pragma omp parallel for collapse(2)
    for (long i = rows - 1; i >= 0; i--)
      for (long j = 3; j <= columns; j += 4)
        if (from[i * columns + j] > 7) to[(t * rows + i) * columns + j] = from[i * columns + j] * 2 + t;
  }
  return sum_of((int)(teams * rows * columns));
}
static long deep(int teams, int a, int b, int c, int d) {
  long count = 0;
#pragma omp target teams distribute map(to : from) map(tofrom : to) reduction(+ : count)
  for (int t = 0; t < teams; t++) {
    int mine = 0;
#pragma omp parallel for collapse(4) reduction(+ : mine)
    for (int i = 0; i < a; i++)
      for (unsigned j = 1; j < (unsigned)b + 1; j++)
        for (short k = 0; k < c; k++)
          for (int l = d; l > 0; l--) mine += (int)from[((i * b + j - 1) * c + k) * d + l - 1] * (t + 1) + i * (int)j - k * l;
    count += mine;
#pragma omp parallel for collapse(3) lastprivate(mine)
    for (int i = 0; i < a; i++)
      for (int j = 0; j < b; j++)
        for (int k = 0; k < c; k++) {
          mine = i * 100 + j * 10 + k;
          to[t * a * b * c + (i * b + j) * c + k] = from[(i * b + j) * c + k] + mine;
        }
    if (a * b * c > 0) count += mine;
  }
  return count + sum_of(teams * a * b * c);
}
static long counted(int teams, int rows, int columns) {
#pragma omp target teams distribute map(to : from) map(tofrom : to)
  for (int t = 0; t < teams; t++) {
    int bins[32];
    float sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 32; i++) bins[i] = 0;
#pragma omp parallel for collapse(2)
    for (int i = t; i < rows; i++)
      for (int j = 1; j < columns; j++) {
#pragma omp atomic
        bins[(int)from[i * columns + j]]++;
        if (from[j] > 20)
#pragma omp atomic update
          sum += from[i] + 1;
      }
#pragma omp parallel for
    for (int i = 0; i < 32; i++) to[t * 32 + i] = bins[i] + sum;
  }
  return sum_of(teams * 32);
}
int main() {
  for (int i = 0; i < kMost; i++) from[i] = (float)(i * 7919 % 1013 % 29);
  std::vector<float> mean(64);
  std::vector<double> wide(from, from + 3000), means(64);
  printf("%g\n", channels<float>({4, 24, 300}, from, mean.data()));
  printf("%g\n", channels<float>({300, 24, 1}, from, mean.data()));
  printf("%g\n", channels<double>({10, 3, 100}, wide.data(), means.data()));
  printf("%g\n", channels<double>({0, 3, 100}, wide.data(), means.data()));
  for (int rows : {37, 1, 5000}) printf("%ld\n", transposed(3, rows, 5000 / rows));
  for (long rows : {61, 0, 1}) printf("%ld\n", sometimes(9, rows, 83));
  for (int a : {3, 1, 0}) printf("%ld\n", deep(7, a, 5, 7, 11));
  printf("%ld\n", deep(7, 30, 1, 1, 1));
  for (int rows : {61, 3, 1}) printf("%ld\n", counted(3, rows, 83));
}
