// Unified shared memory with declare target: one storage for host and device, in regions and in called functions.
#include <stdio.h>
#pragma omp requires unified_shared_memory

#pragma omp begin declare target
int counter = 5;
static double table[4] = {1, 2, 3, 4};
namespace inner {
struct Node {
  int value;
  Node *next;
} first = {1, nullptr};
} // namespace inner
const int limit = 3;
template <typename T> T twice(T x) { return x * 2 + (T)counter; }
int chain() {
  int sum = 0;
  for (inner::Node *n = &inner::first; n; n = n->next) sum += n->value;
  return sum + limit;
}
struct Adder {
  int by;
  int to(int x) const { return x + by + (int)table[by]; }
};
#pragma omp end declare target
float linked[3] = {1.5f, 2.5f, 3.5f};
#pragma omp declare target link(linked)
static float half(int i) { return linked[i] / 2; }
int undeclared = 40;
static int next() { return ++undeclared; }

int main() {
  inner::Node second = {20, nullptr};
  inner::first.next = &second;
  int r = 0;
  double d = 0;
  counter = 10;
#pragma omp target map(from : r, d)
  {
    counter++;
    second.value++;
    r = chain() + twice(3);
    table[1] = 20;
    d = half(1) + twice(0.5) + Adder{1}.to(2);
    inner::first.value = 7;
  }
  printf("%d %g %d %g %d %d\n", r, d, counter, table[1], second.value, inner::first.value);
#pragma omp target
  {
    linked[2] = 4;
    r = next();
  }
  printf("%g %d\n", linked[2], undeclared);
}
