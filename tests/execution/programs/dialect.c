/* C that is not C++: conversions from void *, names that are keywords there, designators, and the preprocessor. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 32
#define SQUARE(x) ((x) * (x))
#define SUM3(a, b, c) (SQUARE(a) + SQUARE(b) + SQUARE(c))
#define PRAGMA(x) _Pragma(#x)
#define OFFLOAD PRAGMA(omp target teams distribute parallel for)
#define OFFLOAD_MAP(m) PRAGMA(omp target teams distribute parallel for map m)
#define STEP 2
#define BOUNDS n - 1
#define ELEMENT(i) data[(i)]

enum kind { FIRST, SECOND = 4, THIRD };
typedef enum { LOW = -1, HIGH = 1 } Level;
struct class {
  int private, public;
};
typedef struct tree {
  struct tree *left;
  int new;
} tree;
typedef int array_of_four[4];
typedef double (*matrix)[4];

static void *identity(void *p) { return p; }
static int template(int this) { return this + 1; }
static inline int operator_(const int *restrict p, size_t n) {
  int s = 0;
  for (size_t i = 0; i < n; i++) s += p[i];
  return s;
}

static void conversions(void) {
  int data[N];
  for (int i = 0; i < N; i++) data[i] = i;
  void *raw = data;
  long s = 0;
#pragma omp target map(tofrom : data, s)
  {
    void *v = data;
    int *p = v;
    const int *q = (void *)data;
    int *t = identity(p + 1);
    unsigned char *bytes = v;
    enum kind k = 4;
    Level level = 0;
    k = p[5];
    level = -1;
    s = p[3] + q[4] + t[0] + bytes[0] + k + level;
    p = p ? v : 0;
    s += *p + operator_(v, 4);
    int *none = NULL;
    s += none == 0;
  }
  printf("conversions: %ld %d\n", s, raw == data);
}

static void keywords(int new, int *delete, int class) {
  struct class private = {1, 2};
  tree leaf = {0, 5};
  int concept = 3, using = 0, try = 4, friend[3] = {1, 2, 3};
#pragma omp target teams distribute parallel for map(tofrom : delete[0 : new]) firstprivate(private) reduction(+ : using)
  for (int this = 0; this < new; this++) {
    int template_ = template(this);
    delete[this] = class + concept + private.public + template_ + leaf.new + try + friend[this % 3];
    using += delete[this];
  }
  printf("keywords: %d %d %d\n", using, delete[0], delete[new - 1]);
}

static void initialisers(void) {
  int out[6] = {0};
#pragma omp target map(tofrom : out)
  {
    struct class c = {.public = 7, .private = 8};
    int a[6] = {[2] = 5, [4] = 6};
    int sum = 0;
    array_of_four four = {1, 2, 3, 4};
    struct class copy = (struct class){.private = 1, .public = 2};
    int *literal = (int[]){10, 20, 30};
    for (int i = 0; i < 6; i++) sum += a[i];
    out[0] = c.public * 10 + c.private;
    out[1] = sum;
    out[2] = four[3];
    out[3] = copy.private + copy.public;
    out[4] = literal[2];
    out[5] = sizeof(struct class) + _Alignof(double);
  }
  for (int i = 0; i < 6; i++) printf("%d ", out[i]);
  printf("\n");
}

static void preprocessor(int n) {
  int data[N] = {0}, r[3] = {0};
  OFFLOAD
  for (int i = 0; i < BOUNDS; i += STEP) data[i] = SUM3(i, 1, 2);
  OFFLOAD_MAP((tofrom : data[0 : N]))
  for (int i = 0; i < N; i++) ELEMENT(i) += 1;
#pragma omp target teams distribute parallel for \
    map(tofrom : data) /* a comment, and a \
    continuation */    \
    num_teams(2)       // the last words
  for (int i = 0; i < N; i++) {
#if STEP > 1
    data[i] += STEP;
#else
    data[i] += "not compiled";
#pragma omp bogus directive
#endif
#ifdef NOT_DEFINED
    data[i] = 0;
#else
    data[i] += N; // #pragma omp target
#endif
  }
  _Pragma("omp target map(tofrom : r)") { r[0] = data[0] + __LINE__ * 0; }
#ifdef _OPENMP
#pragma omp target map(tofrom : r)
#endif
  {
    r[1] = SUM3(n, n + 1, n - 1);
    const char *s = "#pragma omp target \" // not a comment";
    r[2] = s[0] + '"' + '\'' + '/';
  }
  long sum = 0;
  for (int i = 0; i < N; i++) sum += data[i] * (i + 1);
  printf("preprocessor: %ld %d %d %d\n", sum, r[0], r[1], r[2]);
}

static void odd_statements(int n) {
  int r[8] = {0}, i;
  if (n > 3)
#pragma omp target map(tofrom : r)
    r[0] = 1;
  else
    r[0] = 2;
  if (n < 3)
#pragma omp target map(tofrom : r)
    r[1] = 1;
  else
#pragma omp target map(tofrom : r)
    r[1] = 2;
  for (i = 0; i < 3; i++)
#pragma omp target map(tofrom : r)
    r[2] += i;
  while (i--)
#pragma omp target map(tofrom : r)
    {
      r[3]++;
    }
  switch (n) {
  case 1:
#pragma omp target map(tofrom : r)
    r[4] = 5;
    break;
  default:
#pragma omp target teams distribute parallel for map(tofrom : r)
    for (int k = 0; k < 2; k++) r[4 + k] = 6;
  }
label:
#pragma omp target map(tofrom : r)
  r[6]++;
  if (r[6] < 3) goto label;
#pragma omp target map(tofrom : r)
  if (n > 2)
    r[7] = 1;
  else
    r[7] = 2;
#pragma omp target
  ;
#pragma omp target
  {
  }
  for (int k = 0; k < 8; k++) printf("%d ", r[k]);
  printf("\n");
}

static void restricted(const double *restrict a, double *restrict b, int n) {
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(from : b[0 : n])
  for (int i = 0; i < n; ++i) {
    register double t = a[i];
    _Bool big = t > 3;
    bool small = !big;
    _Static_assert(sizeof(double) == 8, "double");
    b[i] = t * (big ? 2 : 1) + small;
  }
}

static int old_style(n, p) int n;
int *p;
{
  int s = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}

typedef struct {
  int a;
  enum { RED = 2, BLUE } colour;
  struct In {
    int z;
    enum { INNER = 5 } e;
  } in;
} Nested;
struct shaped {
  enum Shape { SQUARE_ONE = 7, CIRCLE } shape;
  struct Deep {
    int q;
  } *deep;
};
#pragma omp begin declare target
static int of_shape(struct shaped n) {
  enum Shape s = SQUARE_ONE;
  struct Deep d = {3};
  return n.shape == CIRCLE ? s + d.q : INNER;
}
#pragma omp end declare target

/* Enumerators and tags that are declared in a structure belong to the scope around it. */
static void enumerators_of_members(void) {
  Nested t = {1, BLUE, {1, INNER}};
  struct shaped n = {CIRCLE, 0};
  typedef struct {
    enum { LOWEST = 3 } l;
    int z;
  } Local;
  Local local = {LOWEST, 1};
  int r = 0;
#pragma omp target map(tofrom : t, n, r, local)
  {
    struct In i = {4, INNER};
    enum Shape k = SQUARE_ONE;
    t.colour = RED, n.shape = k, t.in = i, local.z = LOWEST + RED;
    r = of_shape(n) * 100 + (int)sizeof(struct Deep) + (t.colour == BLUE);
  }
  printf("enumerators of members: %d %d %d %d %d\n", t.colour, n.shape, t.in.z + t.in.e, r, local.z);
}

/* Arrays of pointers to functions, and functions that return or take them. */
static int more(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static int apply(int (*h)(int), int x) { return h(x); }
static int (*pick(int k))(int) { return k ? twice : more; }

static void pointers_to_functions(void) {
  int r[4] = {0};
#pragma omp target map(tofrom : r)
  {
    int (*t[2])(int) = {more, twice};
    int (*const one)(int) = twice;
    int (*two)(int (*)(int), int) = apply;
    int (*(*three)(int))(int) = pick;
#pragma omp parallel for firstprivate(t, two, three)
    for (int i = 0; i < 4; i++) r[i] = t[i % 2](i + 10) + one(i) + two(more, i) + three(i % 2)(5);
  }
  printf("pointers to functions: %d %d %d %d\n", r[0], r[1], r[2], r[3]);
}

static int first_of(int n, const struct class all[]) { return all == 0 ? n : all->public; }

static int of_arrays(int a[3], const int b[][3], int n, int c[n]) { return a[0] + b[1][2] + c[n - 1]; }

static void arguments_of_array_parameters(void) {
  int r = 0;
#pragma omp target map(tofrom : r)
  {
    int a[6] = {1, 2, 3, 4, 5, 6};
    struct class one[2] = {{1, 20}, {3, 40}};
    void *any = a, *class = one;
    r = first_of(100, ((void *)0)) + first_of(100, class) + of_arrays(any, any, 4, any) + of_arrays(a + 1, any, 2, a);
  }
  printf("arguments of array parameters: %d\n", r);
}

int main(void) {
  int numbers[N];
  double a[N], b[N], s = 0;
  conversions();
  enumerators_of_members();
  arguments_of_array_parameters();
  pointers_to_functions();
  keywords(N, numbers, 9);
  initialisers();
  preprocessor(N);
  odd_statements(7);
  for (int i = 0; i < N; i++) a[i] = i * 0.25;
  restricted(a, b, N);
  for (int i = 0; i < N; i++) s += b[i] * i;
  printf("restricted: %g\n", s);
  printf("old style: %d\n", old_style(N, numbers));
  return 0;
}
