// declare target in C++: static members, variables with first values of all kinds, classes with and without constructors.
#include <stdio.h>

static int computed() { return 6 * 7; }

#pragma omp begin declare target
int zero;
static int constant = 2 + 3;
const int limit = 40;
constexpr double factor = 0.25;
int dynamic = computed();
const int fixed = computed() + 1;
double series[3] = {1.5, factor, 2 * factor};
int later[2] = {computed(), 1};

struct Plain {
  int x, y;
  int sum() const { return x + y + offset; }
  static int offset;
  static double scale[3];
  static const int size = 3;
};
int Plain::offset = 11;
double Plain::scale[3] = {1, 2, 3};
Plain plain = {1, 2};

class Counter {
  int value;
  static long made;

public:
  Counter(int v) : value(v * 2) {}
  constexpr Counter() : value(9) {}
  int next() {
    made++;
    return ++value;
  }
  static long all() { return made; }
};
long Counter::made = 100;
Counter counter(4), preset;

struct Defaults {
  int a = 3;
  int b = 4;
} defaults;

namespace lib {
struct Base {
  int id = 5;
  virtual int who() const { return id; }
};
struct Derived : Base {
  int who() const override { return id * 2; }
};
static int hidden[3] = {7, 8, 9};
extern "C" int exported;
int exported = 6;
static const char *words[2] = {"static int", "an inline one"};
template <typename T> T shared = T(2.5);
} // namespace lib

namespace {
int unnamed[2] = {70, 80};
}
int *address = &constant;

static int use(int i) {
  static int calls = 10;
  calls++;
  dynamic++;
  return plain.sum() + Plain::offset + later[i] + lib::hidden[i] + unnamed[i] + calls + (int)Plain::scale[i] + Plain::size;
}
static int length(const char *text) { return *text == 0 ? 0 : 1 + length(text + 1); }
static int virtually() {
  lib::Derived d;
  const lib::Base &b = d;
  return b.who();
}
#pragma omp end declare target

int main() {
  int r = 0, s = 0;
  double d = 0;
#pragma omp target map(from : r, s, d)
  {
    zero = constant + limit + dynamic + fixed;
    d = series[0] + series[1] + series[2] + factor + lib::shared<double>;
    Plain::offset++;
    r = use(1) + use(0);
    s = counter.next() + preset.next() + (int)Counter::all() + defaults.a * defaults.b;
  }
  printf("%d %d %g\n", r, s, d);
#pragma omp target update from(zero, dynamic, Plain::offset)
  printf("%d %d %d\n", zero, dynamic, Plain::offset);
  Plain::scale[1] = 50;
  lib::hidden[1] = 1000;
  unnamed[1] = 2000;
  later[0] = -1;
#pragma omp target update to(Plain::scale, later, lib::hidden, unnamed)
#pragma omp target map(from : r, s)
  {
    r = use(1);
    s = virtually() + (address == &constant) + *address;
  }
  printf("%d %d %ld\n", r, s, (long)(Plain::size));
  lib::exported = 60;
#pragma omp target update to(lib::exported)
#pragma omp target map(from : r, s)
  r = lib::exported++, s = length(lib::words[0]) * 100 + length(lib::words[1]);
  printf("%d %d\n", r, s);
}
