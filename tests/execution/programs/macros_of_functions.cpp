// Macros that a function defines, in lambdas and classes that move in front of it: what they expand to goes along. Uses
// of macros that are found behind such a move stand where the user wrote them.
#include <cstdio>

#define TWICE(F) F(1) F(2)
#define OLD 5
#define SAME 50
#define TEXT(x) ((x) ? #x : "")

static int global = 1;

template <class Body> void each(int n, Body body) {
#pragma omp target teams distribute parallel for map(to : body)
  for (int i = 0; i < n; i++) body(i);
}
template <class Body> void again(int n, Body body) {
  body(n);
  body(n);
}
static void shown(const char *name, const long *p) { printf("%s %ld %ld\n", name, p[0], p[3]); }

static void lambdas(int n, long *p) {
#define TERM(k) +k
#define BOTH(F) F(1) F(2)
#define AT(p, i) p[i]
#undef OLD
#define OLD 6
#pragma omp target data map(tofrom : p[ : n])
  {
    each(n, [=](int i) { p[i] = 0 BOTH(TERM); });
    each(n, [=](int i) { p[i] += 0 TWICE(TERM) + OLD + SAME; });
#undef TERM
#define TERM(k) -k
    each(n, [=](int i) { AT(p, i) += 0 TWICE(TERM); });
  }
  shown("lambdas", p);
}

static void classes(int n, long *p) {
#define SCALE 3
  struct Add {
    int value;
    int operator()(int i) const { return value * SCALE + i; }
  };
#undef SCALE
#define SCALE 4
#pragma omp target data map(tofrom : p[ : n])
  each(n, [p, f = Add{4}](int i) { p[i] = f(i) * SCALE; });
  shown("classes", p);
}

static void nested(int n, long *p) {
#define OFFSET 7
#pragma omp target data map(tofrom : p[ : n])
  again(n, [=](int m) {
#define INNER (OFFSET + m)
    each(m, [=](int i) { p[i] += INNER; });
  });
  shown("nested", p);
}

static void strings(int n, long *p) {
  char first = 0;
  each(n, [=](int i) { (void)i; });
#pragma omp target map(tofrom : first, global) map(to : p[ : n])
  first = TEXT(global + p[0])[0];
  printf("strings %c\n", first);
}

int main() {
  long p[4] = {};
  lambdas(4, p);
  classes(4, p);
  nested(4, p);
  strings(4, p);
}
