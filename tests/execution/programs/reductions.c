/* Every operator, several types, several variables, every construct that reduces. */
#include <stdbool.h>
#include <stdio.h>

#define N 500
#define SUM(type, name, format)                                                                            \
  static void sum_##name(void) {                                                                           \
    type s = 3, p = 1, d = 7, low = 100, high = 0;                                                         \
    _Pragma("omp target teams distribute parallel for reduction(+ : s) reduction(* : p) reduction(- : d) reduction(min : low) reduction(max : high)") \
    for (int i = 0; i < N; i++) {                                                                          \
      type v = (type)(i % 60 + 2);                                                                         \
      s += (type)(i % 3 == 0);                                                                             \
      if (i % 100 == 7) p *= 2;                                                                            \
      d -= (type)(i % 50 == 0);                                                                            \
      if (v < low) low = v;                                                                                \
      high = high > v ? high : v;                                                                          \
    }                                                                                                      \
    printf(#name ": " format " " format " " format " " format " " format "\n", s, p, d, low, high);        \
  }

SUM(int, int, "%d")
SUM(unsigned, unsigned, "%u")
SUM(long, long, "%ld")
SUM(unsigned long long, ull, "%llu")
SUM(short, short, "%d")
SUM(unsigned char, uchar, "%d")
SUM(signed char, schar, "%d")
SUM(float, float, "%g")
SUM(double, double, "%g")

#define BITS(type, name, format)                                                                           \
  static void bits_##name(void) {                                                                          \
    type all = (type)~0, any = 0, odd = 1;                                                                 \
    int yes = 1, no = 0;                                                                                   \
    _Pragma("omp target teams distribute parallel for reduction(& : all) reduction(| : any) reduction(^ : odd) reduction(&& : yes) reduction(|| : no)") \
    for (int i = 0; i < N; i++) {                                                                          \
      all &= (type)(i | 24);                                                                               \
      any |= (type)(i & 80);                                                                               \
      odd ^= (type)i;                                                                                      \
      yes = yes && i < N;                                                                                  \
      no = no || i == 77;                                                                                  \
    }                                                                                                      \
    printf("bits " #name ": " format " " format " " format " %d %d\n", all, any, odd, yes, no);            \
  }

BITS(int, int, "%d")
BITS(unsigned char, uchar, "%d")
BITS(unsigned short, ushort, "%d")
BITS(unsigned long long, ull, "%llu")
BITS(long, long, "%ld")

static int total, data[N];

static void shapes(void) {
  int s = 1;
#pragma omp target teams distribute reduction(+ : s)
  for (int i = 0; i < N; i++) s += i;
  printf("teams distribute: %d\n", s);
#pragma omp target parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += i;
  printf("parallel for: %d\n", s);
#pragma omp target simd reduction(+ : s)
  for (int i = 0; i < N; i++) s += i;
  printf("simd: %d\n", s);
#pragma omp target map(tofrom : s)
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += i;
  printf("target + parallel for: %d\n", s);
#pragma omp target map(tofrom : s)
#pragma omp teams distribute parallel for reduction(+ : s) num_teams(3)
  for (int i = 0; i < N; i++) s += i;
  printf("target + teams distribute parallel for: %d\n", s);
#pragma omp target map(tofrom : s)
#pragma omp teams reduction(+ : s)
#pragma omp distribute parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += i;
  printf("target + teams + distribute parallel for: %d\n", s);
#pragma omp target teams distribute parallel for reduction(+ : total)
  for (int i = 0; i < N; i++) total += 2;
  printf("global: %d\n", total);
#pragma omp target parallel for simd reduction(+ : s) reduction(max : total)
  for (int i = 0; i < N; i++) {
    s += 1;
    if (total < i * 3) total = i * 3;
  }
  printf("two: %d %d\n", s, total);
}

static double by_pointer(double *result, const double *x, int n) {
  double s = *result, t = 0.5;
#pragma omp target teams distribute parallel for map(to : x[0 : n]) reduction(+ : s, t)
  for (int i = 0; i < n; i++) {
    s += x[i];
    t += 0.5;
  }
  *result = s;
  return t;
}

static void twice_in_data(void) {
  int s = 10;
  for (int i = 0; i < N; i++) data[i] = i % 7;
#pragma omp target data map(tofrom : s) map(to : data)
  {
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < N; i++) s += data[i];
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < N; i++) s += data[i];
  }
  printf("twice inside target data: %d\n", s);
}

static void logical(void) {
  bool all = true, any = false;
  long equal = 0;
#pragma omp target teams distribute parallel for reduction(&& : all) reduction(|| : any) reduction(+ : equal) collapse(2)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++) {
      all = all && (i * j >= 0);
      any = any || (i == 19 && j == 29);
      equal += i == j;
    }
  printf("bool: %d %d %ld\n", all, any, equal);
  int none = 5;
#pragma omp target teams distribute parallel for reduction(max : none)
  for (int i = 0; i < 0; i++) none = 100;
  printf("no iterations: %d\n", none);
  float low = 3.5f;
  double high = -1e300;
#pragma omp target teams distribute parallel for reduction(min : low) reduction(max : high)
  for (int i = 0; i < N; i++) {
    float v = 2.0f - i;
    if (v < low) low = v;
    if (-i * 1.5 > high) high = -i * 1.5;
  }
  printf("min max of negatives: %g %g\n", low, high);
}

int main(void) {
  sum_int(), sum_unsigned(), sum_long(), sum_ull(), sum_short(), sum_uchar(), sum_schar(), sum_float(), sum_double();
  bits_int(), bits_uchar(), bits_ushort(), bits_ull(), bits_long();
  shapes();
  double x[N], s = 1;
  for (int i = 0; i < N; i++) x[i] = i;
  double t = by_pointer(&s, x, N);
  printf("pointer: %g %g\n", s, t);
  twice_in_data();
  logical();
  return 0;
}
