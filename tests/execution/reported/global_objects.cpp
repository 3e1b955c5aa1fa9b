// A global object whose constructor nobody has written is on the device from the beginning.
#include <cstdio>

struct part { int v; };
struct object { double a; float b[3][3]; part c[2]; };

object g;
#pragma omp declare target enter(g)

int main() {
  g.c[1].v = 4;
  g.a = 2;
  int x = 0;
#pragma omp target enter data map(alloc : g.c[1].v)
#pragma omp target update to(g)
#pragma omp target data map(always, tofrom : g.c[1].v) map(alloc : g.a)
  {
#pragma omp target map(tofrom : x)
    {
      x += g.c[1].v + (int)g.a;
      g.c[1].v = 9;
    }
  }
  std::printf("%d %d\n", x, g.c[1].v);
  return 0;
}
