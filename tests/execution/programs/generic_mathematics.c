/* Type-generic mathematics of C: the functions of <tgmath.h> are those of the arguments' types on the device, too. */
#include <complex.h>
#include <stdio.h>
#include <tgmath.h>

#define N 12
#define HALF_OF(x) (sqrt(x) / 2)

static double widened(float x) { return cos(x); }
#pragma omp declare target to(widened)

int main(void) {
  float f[N];
  double d[N], wide[N][6];
  long rounded[N];
  int wrong = 0, sizes = 0;
  for (int i = 0; i < N; i++) f[i] = 0.3f + i, d[i] = 0.7 + i;
#pragma omp target teams distribute parallel for map(tofrom : f, d) map(from : wide, rounded) reduction(+ : sizes)
  for (int i = 0; i < N; i++) {
    wide[i][0] = sqrt(f[i]), wide[i][1] = sqrt(d[i]); /* a float's root is a float */
    wide[i][2] = pow(f[i], 2.0f) + fabs(-f[i]), wide[i][3] = pow(f[i], 2);
    wide[i][4] = HALF_OF(f[i]) + fmax(f[i], 2), wide[i][5] = widened(f[i]);
    rounded[i] = lround(f[i]) + ilogb(d[i]);
    sizes += sizeof(exp(f[i])) == sizeof(float) && sizeof(exp(i)) == sizeof(double);
    f[i] = ldexp(floor(f[i]), 2), d[i] = copysign(d[i], -f[i]);
  }
  for (int i = 0; i < N; i++) {
    const float before = 0.3f + i;
    wrong += f[i] != floorf(before) * 4 || d[i] != -(0.7 + i);
    wrong += wide[i][0] != (double)sqrtf(before) || wide[i][1] != sqrt(0.7 + i);
    wrong += fabs(wide[i][3] - (double)before * before) > 1e-12 * wide[i][3];
    wrong += wide[i][4] != (double)(sqrtf(before) / 2) + (before > 2 ? before : 2);
    wrong += wide[i][2] != (double)(float)wide[i][2] || wide[i][5] != (double)(float)wide[i][5];
    wrong += rounded[i] != lroundf(before) + (i < 1 ? -1 : i < 2 ? 0 : i < 4 ? 1 : i < 8 ? 2 : 3);
  }
  const double complex root = sqrt((double complex)-4); /* the host has complex arguments as well */
  printf("%d %d %g\n", wrong, sizes, cimag(root));
  return wrong;
}
