// Mapped arrays are objects of their own: what leads to none of them by another name is a promise to the compiler, and
// what may (pointers, references, functions, members of unions) is none.
#include <cstdio>

const int N = 96;
double a[N], b[N], c[N];
static float rows[4][N];
double linked[N];
#pragma omp declare target link(linked)
union Either { double d[N]; int i[2 * N]; } either;
struct Held { double in[N]; double *to; } held;
#pragma omp declare target
double at(int i) { return linked[i]; }
void put(int i, double x) { linked[i] = x; }
#pragma omp end declare target

static double sum(const double *x) {
  double s = 0;
  for (int i = 0; i < N; i++) s += x[i] * (i + 1);
  return s;
}

static void start() {
  for (int i = 0; i < N; i++) {
    a[i] = i, b[i] = 2 * i, c[i] = 3 * i, linked[i] = i % 7, held.in[i] = i % 5, either.d[i] = 0;
    for (int k = 0; k < 4; k++) rows[k][i] = k + i;
  }
}

static void through_names(double *p, double (&r)[N]) {
#pragma omp target teams distribute parallel for
  for (int i = 1; i < N - 1; i++) {
    b[i] = a[i - 1] + a[i + 1] + c[i];
    c[i] = b[i] + rows[1][i] * rows[3][i - 1];
  }
  printf("apart %g %g\n", sum(b), sum(c));
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < N / 2; i++) {
    double before = a[2 * i];
    p[2 * i] = before + 1;
    a[2 * i + 1] += a[2 * i];
  }
  printf("pointer %g\n", sum(a));
#pragma omp target teams distribute parallel for map(tofrom : b)
  for (int i = 0; i < N / 2; i++) {
    double before = b[2 * i];
    r[2 * i] = before * 2;
    b[2 * i + 1] += b[2 * i] - before;
  }
  printf("reference %g\n", sum(b));
}

static void through_others() {
#pragma omp target teams distribute parallel for map(tofrom : linked)
  for (int i = 0; i < N; i++) {
    double before = linked[i];
    put(i, before + 5);
    a[i] = linked[i] - before + at(i);
  }
  printf("linked %g %g\n", sum(linked), sum(a));
#pragma omp target teams distribute parallel for map(tofrom : either)
  for (int i = 0; i < N; i++) {
    either.d[i] = 1.5;
    int high = either.i[2 * i + 1];
    either.i[2 * i + 1] = 0;
    b[i] = high + either.d[i];
  }
  printf("union %g\n", sum(b));
#pragma omp target teams distribute parallel for map(tofrom : c[16 : 64]) map(to : a[0 : 90]) map(tofrom : held.in)
  for (int i = 16; i < 80; i++) {
    double *q = c + 16;
    q[i - 16] = a[i + 9] + held.in[i];
    held.in[i] = c[i] + a[i - 16];
  }
  printf("sections %g %g\n", sum(c), sum(held.in));
}

int main() {
  double local[N] = {1, 2, 3}, result[N] = {};
  static int none[0];
  start();
#pragma omp target data map(tofrom : a, b, c)
#pragma omp target data use_device_addr(a, b)
#pragma omp target teams distribute parallel for has_device_addr(a, b)
  for (int i = 0; i < N; i++) b[i] += a[i];
  printf("addresses %g\n", sum(b));
  start();
  through_names(a, b);
  start();
  through_others();
#pragma omp target teams map(a, b) map(to : c)
  {
#pragma omp parallel for
    for (int i = 0; i < N; i++) a[i] = c[i] + 1;
#pragma omp parallel for
    for (int i = 0; i < N; i++) b[i] = a[N - 1 - i];
  }
  printf("teams %g\n", sum(b));
#pragma omp target teams distribute parallel for map(from : result) map(to : local) map(none)
  for (int i = 0; i < N; i++) {
    const int *z = none;
    double s = 0;
    for (int k = 0; k < 3; k++) s += local[k] * (z == none);
    result[i] = s + i;
  }
  printf("locals %g\n", sum(result));
}
