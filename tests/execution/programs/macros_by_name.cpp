// Macros whose arguments are names of macros, which make functions, types, tables, members and templates.
#include <stdio.h>
#define FN(t, n) static t n##_##t(t a) { return a + 1; }
#define ALL(t) FN(t, up) FN(t, more)
#define TYPES(Y) Y(int) Y(double)
#define PAIR(t) struct pair_##t { t a, b; t sum() const { return a + b; } };
#define ALIAS(t) typedef t t##_alias;
#define TABLE(t) static const t t##_table[2] = {1, 2};
#define NAMES(Y) Y(RED) Y(GREEN)
#define AS_VALUE(n) n,
#define KINDS(Y) enum kind { NAMES(Y) COUNT };
#define DEV(t) _Pragma("omp begin declare target") t t##_state = 4; _Pragma("omp end declare target")
#define TEMPLATES(t) template <class U> t t##_of(U u) { return t(u) * 2; }
TYPES(ALL)
TYPES(PAIR)
TYPES(ALIAS)
TYPES(TABLE)
KINDS(AS_VALUE)
TYPES(DEV)
TYPES(TEMPLATES)
struct box {
#define METHOD(t) t get_##t() const { return v; } static t of_##t(t x) { return x * 3; }
#define FIELD(t) t f_##t = 6;
  int v = 5;
  TYPES(METHOD)
  TYPES(FIELD)
};
namespace space { TYPES(ALL) }
int main(void) {
  double r = 0;
#pragma omp target map(r)
  {
    pair_int p = {1, 2};
    pair_double q = {0.5, 2};
    int_alias i = int_table[1];
    double_alias d = double_table[0];
    box b;
    int_state++;
    r = up_int(3) + more_double(2) + p.sum() + q.sum() + i + d + GREEN * 100 + COUNT + int_state + double_state + b.get_double() + box::of_int(3) + b.f_double
      + space::up_double(2) + int_of(2.5) + double_of(1);
  }
  printf("%g\n", r);
}
