#include <cstdio>
#include "shapes.h"
#pragma omp declare reduction(merge : int : omp_out += omp_in) initializer(omp_priv = 0)
#pragma omp declare target
static int counter = 3;
namespace {
int hidden = 7;
struct Own { int get() const { return 30 + hidden; } };
int of_own(const Own &o) { return o.get(); }
}
namespace space {
static int space = 9;
namespace { int deeper = 11; }
}
static constexpr int limits[2] = {3, 33};
static int by_pointer(int x) { return x + 3; }
int third(int x) {
  static int calls;
  counter++, hidden++, space::space++, space::deeper++, calls += 3, common += 1;
  return x + counter + hidden + space::space + space::deeper + limits[1] + calls + common + of_own(Own());
}
#pragma omp end declare target
#pragma omp declare target enter(by_pointer) indirect
struct Square : Shape { int side = 4; int area() const override { return side * side; } };
static int run() {
  struct Local { int v; int get() const { return v + 3; } };
  int r = 0;
#pragma omp target map(r)
  { Local l{1}; r = l.get(); }
  return r;
}
void use_third() {
  int r = 0, merged = 0;
  int (*call)(int) = by_pointer;
  Square square;
  const Shape *shape = &square;
#pragma omp target data map(square)
#pragma omp target map(r)
  r = first(3) + fourth(3) + third(3) + fourth(0) + of_table(3) + merge_of<int>(1) + shape->area() + call(1);
#pragma omp target parallel for reduction(merge : merged)
  for (int i = 0; i < 10; i++) merged += i;
#pragma omp target update from(counter, space::space)
  std::printf("third %d %d %d %d %d\n", r, run(), merged, counter, space::space);
}
