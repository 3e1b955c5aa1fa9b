/* simd everywhere: one thread runs the loop. Only its variables matter. (clang 19 counts the first sum several times.) */
#include <stdio.h>

#define N 60
static int a[N], b[N];

static void show(const char *what, int x, int y, int z) {
  long long sum = 0;
  for (int i = 0; i < N; i++) sum += (long long)(i + 1) * a[i];
  printf("%s: %lld %d %d %d\n", what, sum, x, y, z);
}

int main(void) {
  int last = -1, at = 4, stays = 7, sum = 1, j = 50, none = 3;
  double most = -1;
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 2 * i;
#pragma omp target teams distribute parallel for map(tofrom : a) map(to : b)
  for (int i = 0; i < N; i++) {
    int mine = 0, end = -1, step = i, k, own = 9, idle = 5;
#pragma omp simd reduction(+ : mine) lastprivate(end) linear(step : 2) private(own) safelen(4) if (i > 3)
    for (k = 0; k < 10; k++) {
      own = b[k];
      mine += own;
      end = k * i;
      step += 2;
    }
#pragma omp simd linear(idle : 3) simdlen(8) order(concurrent)
    for (int l = 0; l < 4; l++) mine += l;
#pragma omp simd collapse(2) lastprivate(end) aligned(b : 4) nontemporal(b)
    for (int l = 0; l < 2; l++)
      for (int m = 0; m < 3; m++) end = 10 * l + m;
    a[i] += mine + end + step + k;
  }
  show("inside a loop", 0, 0, 0);
#pragma omp target parallel map(tofrom : a, last, at, stays, sum, most, j, none) map(to : b) num_threads(7)
  {
    int own = 3;
#pragma omp for simd lastprivate(last) linear(at : 2) reduction(+ : sum) reduction(max : most) schedule(simd : static, 4)
    for (int i = 0; i < 20; i++) {
      a[at] += i;
      at += 2;
      last = i;
      sum += b[i];
      if (b[i] * 0.5 > most) most = b[i] * 0.5;
    }
#pragma omp for simd collapse(2) private(own)
    for (int i = 0; i < 6; i++)
      for (j = 0; j < 10; j++) {
        own = i * 10 + j;
        a[own] -= j;
      }
#pragma omp single
#pragma omp simd reduction(+ : sum) linear(stays)
    for (int i = 0; i < 5; i++) {
      sum += stays;
      stays++;
#pragma omp ordered simd
      a[i] += 2;
    }
#pragma omp for simd linear(none : 0)
    for (int i = 0; i < 30; i++) a[i] += none;
#pragma omp parallel for simd default(none) shared(a, b, sum) lastprivate(last)
    for (int i = 0; i < 1; i++) {
#pragma omp atomic
      a[i] += b[i] * (sum > 0);
      last = 19;
    }
  }
  show("in a team", last, at, stays);
  printf("%d %g %d\n", sum, most, none);
  return 0;
}
