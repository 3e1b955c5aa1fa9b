// Lambdas and classes of functions whose text moves in front of a declaration that something belongs to: attributes,
// directives, linkage, template headers; and what names in lambdas mean where the types of captured objects decide.
#include <cstdio>

template <class Body> void each(int n, Body body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) body(i);
}

[[nodiscard]] int nodiscard(int n, int *p) {
  each(n, [=](int i) { p[i] += 1; });
  return 1;
}
[[deprecated("]] [[")]] /* two */
[[gnu::noinline]] static int attributes(int n, int *p) {
  each(n, [=](int i) { p[i] += 2; });
  return 1;
}
template <class> struct Empty {};
template <template <class> class Kind> int template_parameter(int n, int *p, Kind<int> *) {
  each(n, [=](int i) { p[i] += 3; });
  return 1;
}
template <int Step> int steps(int, int *) { return 0; }
template <> int steps<4>(int n, int *p) {
  each(n, [=](int i) { p[i] += 4; });
  return 1;
}
extern "C" int linkage(int n, int *p) {
  each(n, [=](int i) { p[i] += 5; });
  return 1;
}
extern "C" {
namespace inner {
int braced(int n, int *p) {
  each(n, [=](int i) { p[i] += 6; });
  return 1;
}
}
int local_class(int n) { struct Local { int value; void operator()(int i) const { (void)(value + i); } }; each(n, Local{n}); return 1; }
}
#pragma omp declare simd
int of_simd(int n, int *p) {
  each(n, [=](int i) { p[i] += 7; });
  return 1;
}
int chosen(int n, int *p);
#pragma omp declare variant(chosen) match(user = {condition(true)})
// A comment between them.
int base(int n, int *p) {
  each(n, [=](int i) { p[i] += 8; });
  return 1;
}
int chosen(int n, int *p) {
  each(n, [=](int i) { p[i] += 8; });
  return 1;
}
#define TWO(p, e) \
  _Pragma("omp target data map(tofrom: p[0:n])") \
  { each(n, [=](int i) { p[i] += e; }); } \
  _Pragma("omp target data map(tofrom: p[0:n])") \
  { each(n, [=](int i) { p[i] *= e; }); }
void of_macro(int n, int *p) { TWO(p, 2) TWO(p, 3) }

namespace late {
struct Number {
  int value;
  operator int() const { return value; }
  template <int K> int plus() const { return value + K; }
};
enum Kind { small = 2, large };
}
int found(int x) { return x; }
int found_kind(int x) { return x; }
class Owner {
  struct Hidden {
    int value;
    friend int value_of(Hidden h) { return h.value; }
  };

public:
  Hidden hidden() const { return Hidden{9}; }
};
template <class T> void of_template(int n, int *p, T value) {
  late::Number number{3};
  const late::Number *const none = nullptr;
  each(n, [=](int i) { p[i] = found(number) + (none == nullptr) + value; });
}
void lookups(int n, int *p) {
  late::Number number{5};
  const late::Number &same = number;
  late::Kind kind = late::large;
  auto hidden = Owner().hidden();
  const volatile int often = 4;
  of_template(n, p, 1);
  each(n, [=](int i) { p[i] += found(number) * 10 + same.plus<2>() + found_kind(kind); });
  each(n, [=](int i) { p[i] += value_of(hidden) + often; });
  each(n, [=](int i) { (void)(number.value + i); });  // all types have names
}
namespace late {
int found(Number) { return 1000; }
int found_kind(Kind) { return 1000; }
}

int main() {
  int a[8] = {}, calls = 0;
  Empty<int> empty;
#pragma omp target data map(tofrom: a)
  {
    calls += nodiscard(8, a) + attributes(8, a) + template_parameter(8, a, &empty) + steps<4>(8, a) + linkage(8, a);
    calls += inner::braced(8, a) + local_class(8) + of_simd(8, a) + base(8, a);
  }
  printf("%d %d %d\n", calls, a[0], a[7]);
  of_macro(8, a);
  printf("%d\n", a[3]);
#pragma omp target data map(tofrom: a)
  lookups(8, a);
  printf("%d %d\n", a[0], a[7]);
  return 0;
}
