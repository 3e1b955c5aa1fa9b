// Lambdas at namespace scope in regions and in functions of the device, static members of their own class's type.
#include <cstdio>

static const int factor = 10;
const auto twice = [](int x) { return 2 * x; };
#pragma omp begin declare target
int offset = 7;
auto plus = [](int x) { return x + offset * factor; };
static auto nothing = [] { return 4; };
namespace lib {
const auto chosen = [](int x, bool up) -> int {
  if (up) return plus(x);
  return twice(x);
};
namespace {
auto generic = [](auto x) { return x + 1; };
}
} // namespace lib
static int calls(int x) { return plus(x) + twice(x) + nothing() + lib::chosen(x, x > 2) + lib::generic(x); }

struct Point {
  int x, y;
  static const Point zero;
  static Point last;
  Point(int a, int b) : x(a), y(b) {}
  int sum() const { return x + y; }
};
inline const Point Point::zero(1, 2);
inline Point Point::last(3, 4);
namespace lib {
class Named {
public:
  int n;
  static Named first[2];
  Named(int m) : n(m + 1) {}
  static int get(int i) { return first[i].n; }
};
Named Named::first[2] = {Named(1), Named(2)};
} // namespace lib
#pragma omp end declare target

struct Value {
  int v;
  constexpr Value(int x) : v(x) {}
  static const Value nil, other;
  int get() const { return v + nil.v; }
};
constexpr Value Value::nil(5);
const Value Value::other(6);
static int constants() {
  const Value &found = Value::other;
  return Value::nil.v + found.get();
}

int main() {
  int r = 0;
#pragma omp target map(tofrom : r)
  {
    r += plus(1) + twice(2) + nothing() + lib::chosen(1, true) + lib::generic(3);
    for (int i = 0; i < 4; i++) r += calls(i);
  }
  int k = 3;
  auto by_reference = [&](int x) { return twice(x) + lib::generic(k); };
  auto by_value = [=](int x) { return twice(x) + plus(k); };
#pragma omp target map(tofrom : r) map(to : k)
  r += by_reference(2) + by_value(3);
  printf("%d\n", r);
#pragma omp target map(tofrom : r)
  {
    r += Point::zero.sum() + Point::last.x + lib::Named::get(1) + lib::Named::first[0].n;
    const Value &nil = Value::nil;
    r += nil.get() + constants() + Value::nil.v;
  }
  printf("%d\n", r);
}
