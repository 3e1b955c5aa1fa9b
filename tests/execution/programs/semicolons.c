// Macros between a statement and its semicolon, or for the semicolon.
#include <stdio.h>
#define NOTHING
#define NOTHING_OF(x)
#define SEMICOLON ;
#define END_OF(x) ; x = 0;
#define INCREMENT(x) x++;
#define TWICE(x) x *= 2

#pragma omp begin declare target
static int next(int x) { return x + 1 NOTHING; }
#pragma omp end declare target

int main(void) {
  int a = 0, b = 0, c = 0, d = 0, e = 5, f = 0, g = 0, h[4] = {0};
#pragma omp target map(tofrom : a)
  a = next(1) NOTHING;
#pragma omp target map(tofrom : b)
  b = next(2) SEMICOLON
#pragma omp target map(tofrom : c)
#pragma omp teams distribute parallel for reduction(+ : c)
  for (int i = 0; i < 4; i++) c += next(i) NOTHING_OF(i + 1) ;
#pragma omp target parallel for map(tofrom : h)
  for (int i = 0; i < 4; i++)
    if (i % 2)
      h[i] = next(i) SEMICOLON
    else
      h[i] = -i NOTHING NOTHING;
#pragma omp target map(tofrom : d, e)
  {
#pragma omp parallel
#pragma omp atomic
    d += 1 NOTHING;
    d = d > 0 END_OF(e)
    e += 2 NOTHING_OF(e);
  }
#pragma omp target map(tofrom : f, g)
  {
    f = next(f) SEMICOLON
#pragma omp parallel for
    for (int i = 0; i < 1; i++) INCREMENT(f)
    TWICE(f) NOTHING;
    g = f NOTHING /* for all threads */ ;
  }
  printf("%d %d %d %d %d %d %d\n", a, b, c, d, e, f, g);
  for (int i = 0; i < 4; i++) printf("%d ", h[i]);
  printf("\n");
}
