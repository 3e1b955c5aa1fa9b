// Structures without a size, and types that a function's declaration defines.
#include <stdio.h>
struct none {};
struct holds { int x; char c; };
static struct big { char pad[100]; int v; } make(int v) { struct big b = {.v = v}; return b; }
static enum level { LOW = 3, HIGH } raise(enum level l) { return l + 1; }
static struct { int a, b; } *second(void *p) { return p; }
static struct none nothing(struct none n) { return n; }
static union word { int i; char c[4]; } first(int i);
static union word first(int i) { union word w = {i}; return w; }
int main(void) {
  int r[16] = {0};
  struct holds h = {.x = 3};
#pragma omp target map(tofrom: r, h)
  {
    struct {} e = {};
    struct none list[4], *p = &list[1];
    struct local { const int a; int b; } l;
    l.b = 4;
    typedef struct {} nil;
    r[0] = sizeof e + sizeof list + sizeof(struct none) + sizeof(nil);
    r[1] = sizeof(struct holds);
    r[2] = sizeof l + l.b;
    *p = nothing(list[0]);
    h.x += make(5).v + raise(LOW);
    h.c = first(0x41).c[0];
    int two[2] = {7, 8};
    r[3] = ((struct { int a, b; } *)two)->b;
    r[4] = sizeof(struct big) + HIGH;
    auto int after = 3;
    r[5] = after;
  }
  for (int i = 0; i < 16; i++) printf("%d ", r[i]);
  printf("%d %c\n", h.x, h.c);
  return 0;
}
