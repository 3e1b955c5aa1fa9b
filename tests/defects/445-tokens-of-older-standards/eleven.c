#include <stdio.h>
#include <math.h>
#include <inttypes.h>
#ifndef M_PI
#define M_PI 3.0
#endif
??=define THREE 3
int many??(THREE??);
int tent; int tent; extern int tent; int tent = 4;
static int st; static int st;
#pragma omp declare target to(tent, st)
inline int inl(int x) { return x + 1; }
extern inline int inl(int x);
static const char tri[] = "a??=b??/n??)";
static int spin(int n) { while (1) { if (n-- < 0) break; } return n; }
static int forscope(void) { int s = 0; for (int i = 0; i < 3; i++) { int i = 10; s += i; } return s; }
static int params(int a) { { int a = 3; return a; } }
static int strictm(void) {
#ifdef __STRICT_ANSI__
  return 1;
#else
  return 2;
#endif
}
#define STRICT __STRICT_ANSI__
int main(void) {
  int r[24] = {0}; char buf[64] = {0}; double d[2];
#pragma omp target map(tofrom: r, buf, d)
  {
    int k = 0; d[0] = M_PI; tent++; st += 2; r[k++] = tent + st; r[k++] = inl(4); r[k++] = sizeof tri; r[k++] = tri[1]; r[k++] = spin(3); r[k++] = forscope(); r[k++] = params(1); r[k++] = strictm(); r[k++] = '??/n' + '??=' + "a??/101??/"b"??(1??) + (0 ??!??! 1) + (3 ??' 1) + "??/"??("??(1??);
    const char *f = "%"PRId64"|%" PRIx32; int n = 0; while (f[n]) { buf[n] = f[n]; n++; } r[k++] = n;
    r[k++] = __STDC_VERSION__ / 100; r[k++] = sizeof(__func__); r[k++] = __func__[1]; r[k++] = __STDC__; 
#ifdef __cplusplus
    r[k++] = 100;
#else
    r[k++] = 200;
#endif
#ifdef _OPENMP
    k++;
#else
    k++;
#endif
    r[k++] = STRICT; r[k++] = _Generic(NULL, void *: 1, int: 2, long: 3); r[k++] = sizeof(u8"ab") + sizeof(L'a') + sizeof(u'a'); r[k++] = "abc"[0 ? 1 : 2]; r[k++] = ~(r[0] == 6) + (-(r[1] > 2));
    k = 23; // a comment that goes on ??/
    k = 22;
    r[k]++;
  }
  for (int i = 0; i < 24; i++) printf("%d ", r[i]); printf("%s %g\n", buf, d[0]);
}
