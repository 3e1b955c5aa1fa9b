#include <cstdio>
#include "shapes.h"
#pragma omp declare reduction(merge : int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = 0)
#pragma omp declare target
static int counter = 300;
namespace {
int hidden = 700;
struct Own { int get() const { return 3000 + hidden; } };
int of_own(const Own &o) { return o.get(); }
}
namespace space {
static int space = 900;
namespace { int deeper = 1100; }
}
static constexpr int limits[2] = {4, 44};
static int by_pointer(int x) { return x + 4; }
int fourth(int x) {
  static int calls;
  counter++, hidden++, space::space++, space::deeper++, calls += 4, common += 1;
  return x + counter + hidden + space::space + space::deeper + limits[1] + calls + common + of_own(Own());
}
#pragma omp end declare target
#pragma omp declare target enter(by_pointer) indirect
struct Oblong : Shape { int x = 1, side = 5; int area() const override { return side + side; } };
static int run() {
  struct Local { int v; int get() const { return v + 4; } };
  int r = 0;
#pragma omp target map(r)
  { Local l{1}; r = l.get(); }
  return r;
}
void use_fourth() {
  int r = 0, merged = 0;
  int (*call)(int) = by_pointer;
  Oblong oblong;
  const Shape *shape = &oblong;
#pragma omp target data map(oblong)
#pragma omp target map(r)
  r = first(3) + fourth(3) + second(3) + third(0) + of_table(3) + merge_of<int>(1) + shape->area() + call(1);
#pragma omp target parallel for reduction(merge : merged)
  for (int i = 0; i < 10; i++) merged = i > merged ? i : merged;
#pragma omp target update from(counter, space::space)
  std::printf("fourth %d %d %d %d %d\n", r, run(), merged, counter, space::space);
}
