// Types that options lay out; built with -fshort-enums -fpack-struct -fshort-wchar -fwrapv too.
#include <stddef.h>
#include <stdio.h>
enum level { LOW, HIGH };
typedef enum { RED = 3, GREEN = 300 } colour;
struct probe { enum level l; char gain; colour c; long when; };
typedef struct { char c; struct { short s; double d; } in; wchar_t w[3]; } deep;
int main(void) {
  struct probe p[4];
  deep e[2] = {{1, {2, 3}, L"ab"}, {4, {5, 6}, L"cd"}};
  long s = 0, sizes[6] = {0};
  int top = 2147483647, wrapped = 0;
  for (int i = 0; i < 4; i++) {
    p[i].l = HIGH;
    p[i].gain = i + 1;
    p[i].c = GREEN;
    p[i].when = i;
  }
#pragma omp target map(tofrom : p, s, sizes, e)
  {
    for (int i = 0; i < 4; i++) s += p[i].gain * 10 + p[i].l + p[i].c + p[i].when;
    s += e[1].in.s + (long)e[1].in.d + e[1].w[1];
    sizes[0] = sizeof(enum level);
    sizes[1] = sizeof(colour);
    sizes[2] = sizeof(struct probe);
    sizes[3] = sizeof(deep);
    sizes[4] = sizeof(wchar_t);
    sizes[5] = sizeof e[0].in;
  }
#ifdef WRAPS
#pragma omp target map(to : top) map(from : wrapped)
  wrapped = top + 1 < top;
  printf("%d\n", wrapped);
#endif
  printf("%ld:", s);
  for (int i = 0; i < 6; i++) printf(" %ld", sizes[i]);
  printf("\n");
  return top == wrapped;
}
