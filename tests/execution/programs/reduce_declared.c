/* User-defined reductions in C: at file scope and in blocks, of scalars, structs, arrays and pointers. */
#include <stdio.h>

#define N 300

struct range { int low, high; };
typedef struct { double re, im; } complex;
enum colour { RED = 1, GREEN = 2, BLUE = 4 };

static void widen(struct range *into, const struct range *from) {
  if (from->low < into->low) into->low = from->low;
  if (from->high > into->high) into->high = from->high;
}
static void start(struct range *r, const struct range *first) { *r = *first; }
static complex times(complex a, complex b) {
  complex c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return c;
}

#pragma omp declare reduction(widen : struct range : widen(&omp_out, &omp_in)) initializer(start(&omp_priv, &omp_orig))
#pragma omp declare reduction(+ : complex : omp_out.re += omp_in.re, omp_out.im += omp_in.im)
#pragma omp declare reduction(* : complex : omp_out = times(omp_out, omp_in)) initializer(omp_priv = {.im = 0, .re = 1})
#pragma omp declare reduction(furthest : int, long, double : omp_out = (omp_in > 0 ? omp_in : -omp_in) > \
                                (omp_out > 0 ? omp_out : -omp_out) ? omp_in : omp_out) initializer(omp_priv = 0)
#pragma omp declare reduction(mix : enum colour : omp_out = (enum colour)(omp_out | omp_in)) initializer(omp_priv = 0)

static void structs(void) {
  struct range r = {50, 60};
  complex sum = {0.5, 0.25}, product = {1, 0};
#pragma omp target teams distribute parallel for reduction(widen : r)
  for (int i = 0; i < N; i++) {
    int v = (i * 37) % 101 - 20;
    if (v < r.low) r.low = v;
    if (v > r.high) r.high = v;
  }
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(* : product)
  for (int i = 0; i < N; i++) {
    sum.re += i;
    sum.im -= 0.5;
    if (i % 50 == 3) {
      complex quarter = {0, 1};
      product = times(product, quarter);
    }
  }
  printf("%d %d  %g %g  %g %g\n", r.low, r.high, sum.re, sum.im, product.re, product.im);
}

static void scalars(void) {
  int i0 = 3;
  long l0 = -4;
  double d0 = 0;
  enum colour c = RED, plain = RED;
#pragma omp target parallel for reduction(furthest : i0, l0, d0) reduction(mix : c) reduction(| : plain)
  for (int i = 0; i < N; i++) {
    if (i * 2 - 390 < -i0 && i0 >= 0) i0 = i * 2 - 390;
    if (i == 200) l0 = 77;
    if (i == 100) d0 = -2.5;
    if (i == 5) c = (enum colour)(c | BLUE);
    if (i == 6) plain = (enum colour)(plain | GREEN);
  }
  printf("%d %ld %g %d %d\n", i0, l0, d0, c, plain);
}

static complex sums[3];

static void arrays(complex *p, int n) {
#pragma omp target teams distribute parallel for reduction(+ : sums) reduction(+ : p[1 : 2]) map(tofrom : p[0 : 4])
  for (int i = 0; i < n; i++) {
    sums[i % 3].re += 1;
    p[1 + i % 2].im += i;
  }
  struct range ranges[2] = {{0, 0}, {10, 10}};
#pragma omp target teams distribute parallel for reduction(widen : ranges)
  for (int i = 0; i < n; i++) {
    if (i > ranges[i % 2].high) ranges[i % 2].high = i;
    if (-i < ranges[i % 2].low) ranges[i % 2].low = -i;
  }
  for (int i = 0; i < 3; i++) printf("%g %g %g %g ", sums[i].re, sums[i].im, p[i].re, p[i].im);
  printf("%d %d %d %d\n", ranges[0].low, ranges[0].high, ranges[1].low, ranges[1].high);
}

static int in_blocks(int n) {
  struct pair { int a, b; } p = {1, 2};
  int least = 1000, most = 0;
#pragma omp declare reduction(pick : struct pair : omp_out.a += omp_in.a, omp_out.b ^= omp_in.b)                       \
    initializer(omp_priv = {0, 0})
#pragma omp declare reduction(pick : int : omp_out = omp_in < omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)
#pragma omp target teams distribute parallel for reduction(pick : p) reduction(pick : least)
  for (int i = 0; i < n; i++) {
    p.a += i;
    p.b ^= i;
    if (1000 - i < least) least = 1000 - i;
  }
  {
#pragma omp declare reduction(pick : int : omp_out = omp_in > omp_out ? omp_in : omp_out)
#pragma omp target teams distribute parallel for reduction(pick : most)
    for (int i = 0; i < n; i++)
      if (i * 3 > most) most = i * 3;
  }
  printf("%d %d %d %d\n", p.a, p.b, least, most);
  return most;
}

int main(void) {
  structs();
  scalars();
  complex p[4] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}};
  arrays(p, N);
  return in_blocks(N) != 3 * (N - 1);
}
