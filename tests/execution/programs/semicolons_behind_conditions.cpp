// Statements of which a condition of the preprocessor stands in front of the semicolon.
#include <cstdio>

#define SHORT 1

static int doubled(int k) { return 2 * k; }

int main() {
  int r = 0;
#pragma omp target map(from: r)
#ifndef SHORT
  r = 1
#else
  r = 2
#endif
      ;
  std::printf("%d\n", r);
#pragma omp target map(from: r)
  r = 1
#if defined LONG
      + 2
#elif defined SHORT
      + 3
# if defined LONG
      + 4
# else
      + 5 // #endif
# endif
#else
      + 6
#endif
      ;
  std::printf("%d\n", r);
#pragma omp target map(from: r)
  r = 7
#if defined LONG
      + 2
#if 1
#endif
#endif
#undef LONG
      ;
  std::printf("%d\n", r);
#pragma omp target teams distribute parallel for map(from: r)
  for (int i = 0; i < 1; i++)
    r = doubled(4)
#ifdef LONG
        + 1
#endif
        /* # */;
  std::printf("%d\n", r);
#pragma omp target map(tofrom: r)
  {
    int k;
#pragma omp atomic
    r += 1
#ifdef LONG
        + 7
#endif
        ;
#pragma omp parallel for reduction(+: r)
    for (int i = 0; i < 3; i++)
      r += i
#ifdef SHORT
           + 1
#endif
          ;
    if (r > 0)
      k = 5
#ifdef LONG
          + 1
#endif
          ;
    else
      k = 6;
    r += k;
  }
  std::printf("%d\n", r);
#pragma omp target update to(r)
#ifdef LONG
  r = 1;
#endif
  return 0;
}
