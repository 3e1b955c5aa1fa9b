/* C's complex types in regions and device functions: declared in every way, mixed with real numbers and integers, in
 * arrays, structures, unions, tables, reductions, scans and function pointers; values that C converts to real ones. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 48
#define REAL float
#define CPLX complex double
#define RC REAL complex
#define COMPLEX complex
#define OF(T) T complex
#define SQUARE(z) ((z) * (z))
#define HALF_I 0.5i
typedef complex REAL narrow;
typedef const double _Complex constant;
typedef struct {
  REAL x;
  complex float z;
  RC w;
  union {
    double complex u;
    double d[2];
  };
} mixture;
typedef struct {
  int n;
  float complex *v;
} vector;
#pragma omp declare mapper(vector s) map(s, s.v[0 : s.n])
#pragma omp declare reduction(times : double complex : omp_out = omp_out * omp_in) initializer(omp_priv = 1)

static const double complex roots[4] = {1, I, -1, -I};
static const float complex few[] = {[2] = 1 + 2 * I, [0] = -1, 3.5f / (1.0f + 1.0f * I)};
double complex counter[2] = {1 + I, (2.0 + I) / (3 - 4 * I)};
#pragma omp declare target to(counter)

static complex /* why */ double power(complex const double z, int n) { return n ? z * power(z, n - 1) : 1; }
static double COMPLEX with(double COMPLEX z, double COMPLEX (*f)(double COMPLEX)) { return f(z); }
static double real_of(double x) { return x + 1; }
static double dropping(double complex z) { return z; }
static int integral(double complex z) {
  int n = z;
  return n += z * 2;
}
static int truth(double complex z) {
  _Bool b = z;
  if (z && !(z - 1)) return 2;
  return b ? 1 : z == 0 ? 5 : 6;
}
static double complex twice(double complex z) { return 2 * z; }
static double complex minus(double complex z) { return -z; }
#pragma omp declare target to(twice, minus) indirect
double complex shifted(double complex z, float complex w) {
  static const double complex shift = 3 * I;
  return z * w + shift;
}
#pragma omp declare target to(shifted)

static void transform(double complex *x, int n) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      double complex t = x[i];
      x[i] = x[j];
      x[j] = t;
    }
  }
  for (int length = 2; length <= n; length <<= 1) {
    const double complex step = cexp(-2 * M_PI * I / length);
    for (int i = 0; i < n; i += length) {
      double complex w = 1;
      for (int j = i; j < i + length / 2; j++, w *= step) {
        double complex u = x[j], v = x[j + length / 2] * w;
        x[j] = u + v, x[j + length / 2] = u - v;
      }
    }
  }
}

static void multiply(int n, double complex a[n][n], double complex (*b)[n], double complex *restrict c) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : n], b[0 : n]) map(from : c[0 : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double complex s = 0;
      for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
      c[i * n + j] = s;
    }
}

static int escapes(double complex c) {
  double complex z = 0;
  int n = 0;
  while (cabs(z) <= 2 && n < 60) z = z * z + c, n++;
  return n;
}

static void show(const char *what, int n, const double complex *z) {
  for (int i = 0; i < n; i++) printf("%s %d: %.6g %.6g\n", what, i, creal(z[i]) + 0.0, cimag(z[i]) + 0.0);
}

static void sets_and_sums(void) {
  int pixels[16][16], n = 32;
#pragma omp target teams distribute parallel for collapse(2) map(from : pixels)
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x++) pixels[y][x] = escapes((x - 11) / 6.0 + (y - 8) / 6.5 * I);
  int all = 0;
  for (int i = 0; i < 256; i++) all = all * 3 + pixels[i / 16][i % 16], all %= 1000003;
  printf("%d\n", all);
  double complex a[N][N], b[N][N], c[N * N], x[128];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i + j * I, b[i][j] = 1.0 / (1 + i) - j * I;
  multiply(N, a, b, c);
  show("product", 5, c + 700);
  for (int i = 0; i < 128; i++) x[i] = sin(i) + I * cos(2 * i);
  CPLX total = 0, product = 1, user = 1;
  OF(float) sum = 0;
  float complex small = 1.5f - 2.5f * I;
  double complex big = -1.25 + 0.5 * I;
#pragma omp target data map(tofrom : x)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 4; i++) transform(x + i * n, n);
#pragma omp target update from(x[3 : 2])
    show("transformed", 2, x + 3);
#pragma omp target teams distribute parallel for reduction(+ : total, sum) reduction(* : product) \
    reduction(times : user) firstprivate(small, big)
    for (int i = 0; i < 4 * n; i++) {
      double complex row[n];
      for (int j = 0; j < n; j++) row[j] = j + I;
      small *= 1.0f;
      total += x[i] * row[i % n] + small;
      sum += (narrow)(x[i] / 64);
      product *= cexp(x[i] * 0.001);
      user *= cexp(x[i] * 0.001);
      x[i] = SQUARE(x[i]) / (big + HALF_I) + 1 / x[i] + x[i] / 2;
    }
  }
  printf("%.5g %.5g, %.3g %.3g\n", creal(total), cimag(total), crealf(sum), cimagf(sum));
  printf("%.6g %.6g, %.6g %.6g\n", creal(product), cimag(product), creal(user), cimag(user));
  show("x", 128, x);
}

static void constructs(void) {
  double complex parts[4] = {0}, last = 0, run = 0, scan[N], out[10] = {0};
  float complex one = 0;
  vector v = {N, malloc(N * sizeof(float complex))};
  for (int i = 0; i < N; i++) v.v[i] = i * 0.5f - I;
#pragma omp target teams distribute parallel for reduction(+ : parts[ : 4]) lastprivate(last) map(tofrom : v)
  for (int i = 0; i < N; i++) {
    parts[i % 4] += roots[i % 4] * v.v[i] + few[i % 3];
    v.v[i] *= 2;
    last = v.v[i];
  }
#pragma omp target teams distribute parallel for reduction(inscan, + : run) map(from : scan)
  for (int i = 0; i < N; i++) {
    run += i + I;
#pragma omp scan inclusive(run)
    scan[i] = run;
  }
  double complex (*chosen)(double complex) = minus;
#pragma omp target map(tofrom : out, one) firstprivate(chosen)
  {
    double complex sum = 0, product = 1, every = 2 * I;
    int any = 0;
#pragma omp parallel for reduction(+ : sum) reduction(* : product)
    for (int i = 0; i < N; i++) sum += roots[i % 4] * i, product *= 1 + I / (i + 1);
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += -i;
#pragma omp parallel for reduction(|| : any) reduction(&& : every)
    for (int i = 0; i < N; i++) any = any || roots[i % 4], every = every && roots[i % 4];
    out[0] = sum, out[1] = product, out[2] = any, out[3] = every, out[4] = shifted(sum, 2 + I), out[5] = chosen(sum);
    out[6] = counter[0], out[7] = counter[1];
    counter[0] *= I;
    one = few[1];
#pragma omp atomic
    __imag__ out[8] += 4;
  }
#pragma omp target update from(counter)
  show("counter", 2, counter), show("parts", 4, parts), show("scan", 3, scan + 20), show("out", 10, out);
  printf("%g %g %g %g\n", creal(last), creal(run), crealf(one), cimagf(v.v[7]));
  free(v.v);
}

static void conversions(void) {
  double r[34] = {0};
  int n = N;
  mixture m[3] = {{1, 2 + I, 3, {4 * I}}, {0}};
  double complex c[44] = {0};
#pragma omp target map(tofrom : r, m, c)
  {
    narrow q = 1.25 + 2.0fi * 0.5, q2 = 1.0f + n * I;
    constant k = -3.5 + 1.0 * I;
    double complex z = 1 + 2 * I, *p = &z, table[2][2] = {{1, 2}, {3, 4 * I}}, ordered[3] = {[2] = I, [0] = 2};
    r[0] = dropping(z), r[1] = integral(z), r[2] = truth(z), r[3] = truth(0), r[4] = truth(1), r[5] = truth(I);
    r[6] = real_of(z), r[7] = sqrt(z + 3), r[8] = (float)z, r[9] = (int)(z * 3), r[10] = z == 1 + 2 * I, r[11] = z != 1;
    int ints[2] = {z, z * 4};
    r[12] = ints[1], r[13] = sizeof(double complex) + sizeof z * 2 + sizeof(z + q);
    r[14] = fmin(q2, 3), r[15] = cabs(q2), r[16] = cabsf(q), r[17] = carg(z), r[18] = __real__ z + __imag__ *p + __imag__ q2;
    float f = z;
    r[19] = f, r[20] = fmax(z, 0.5), f *= z, r[21] = f, r[22] = 1.0 == z, r[23] = creal(3) + cimag(2.5f);
    z++, r[24] = z, ++z, r[25] = creal(z--), r[26] = creal(--z);
    unsigned u = 7;
    u -= z, r[27] = u, r[28] = z ? 3 : 4;
    while (z) z = 0, r[29]++;
    for (z = 3; z; z -= 1) r[30]++;
    r[31] = _Generic(z, float complex: 1, double _Complex: 2, default: 3);
    switch (n) {
    case N: {
      double complex here = n;
      r[32] = here;
    }
    }
    z = 1 + 2 * I, __real__ c[40] = 7, __imag__ c[40] -= r[0];
    c[0] = power(z, 3), c[1] = with(z, twice), c[2] = ~z, c[3] = -z, c[4] = +z, c[5] = q * z, c[6] = q + q2, c[7] = k / z;
    c[8] = table[1][1] + table[0][1], c[9] = csqrt(-1), c[10] = clog(z), c[11] = cpow(z, 2), c[12] = csin(z), c[13] = ccos(z);
    c[14] = ctan(z), c[15] = csinh(z), c[16] = ccosh(z), c[17] = ctanh(z), c[18] = casin(z), c[19] = cacos(z);
    c[20] = catan(z), c[21] = casinh(z), c[22] = cacosh(z), c[23] = catanh(z), c[24] = cproj(z), c[25] = conj(z);
    c[26] = r[0] > 0 ? 1 : z, c[27] = r[0] < 0 ? q : z, c[28] = (double complex)3, c[29] = (float complex)k, c[30] = 3 - z;
    c[31] = 3 / z, c[32] = 2.0f / q, c[33] = z / 0.0, c[34] = r[3] > 0 ? q : 0.1, c[35] = q - q ?: 0.1;
    c[36] = ({
      double complex t = z;
      t * 2;
    });
    c[37] = *(double complex[]){z, 2}, c[38] = *&(double complex){5}, c[39] = cexpf(q) + csqrtf(q2) + ordered[0];
    c[41] = INFINITY + I * 0.0, c[41] = creal(c[41] * c[41]) > 1e300;
    memcpy(&c[42], &z, sizeof z);
    double *of_parts = (double *)&c[43];
    of_parts[1] = 5;
    m[1] = m[0], m[1].u *= 2, m[1].z += m[1].w, m[2] = (mixture){.z = 7 * I, .d = {1, 2}}, m[2].w = m[2].u;
    __auto_type made = z * q;
    typeof(z) same = made;
    m[2].u = same + made;
  }
  for (int i = 0; i < 34; i++) printf("r %d: %.6g\n", i, r[i]);
  show("c", 44, c);
  for (int i = 0; i < 3; i++) {
    printf("%g %g %g %g ", m[i].x, crealf(m[i].z), cimagf(m[i].z), crealf(m[i].w));
    printf("%g %g %g\n", cimagf(m[i].w), m[i].d[0], m[i].d[1]);
  }
}

int main(void) {
  sets_and_sums();
  constructs();
  conversions();
  return 0;
}
