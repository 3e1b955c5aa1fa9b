// Bounds and steps of combined constructs that read objects on the device: the loop runs by the device's value, which a
// region has changed; by the host's where the device does not have the object, or has another part of it.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <vector>

static bool on_device() {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  return !host;
}

static void check(const char *what, int value, int right) {
  if (value == right)
    std::printf("%s: right\n", what);
  else
    std::printf("%s: %d\n", what, value);
}

enum Kind { FEW = 3, MANY = 7 };
struct Object {
  int n;
  unsigned short few;
  bool more;
  Kind kind;
  unsigned bits : 5;
  int below : 6;
  long long wide;
  double real;
  int at[4];
  struct {
    int n;
  } in;
  const int fixed = 5;
};
#pragma pack(push, 1)
struct Packed {
  char c;
  int n;
};
#pragma pack(pop)
struct Grid {
  int n;
  int size() const { return n; }
};
struct Partial {
  int *p;
  int n;
  int size() const { return n; }
};
static int count(const Grid &grid) { return 2 * grid.n; }
struct Counted {
  mutable int n;
  int room;
};
static int following(int a) {
  static int calls = 0;
  return a + 0 * ++calls;
}
static int lesser(int a, const int &b) { return a < b ? a : b; }
#pragma omp declare target
static int on_both = 3;
#pragma omp end declare target

template <class T> struct Column {
  T n;
  T size() const { return n; }
  int own() {
    int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
    for (T i = 0; i < n; i++) r += 1;
    return r;
  }
  int twice() {
    int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
    for (T i = 0; i < this->n * 2; i++) r += 1;
    return r;
  }
  int sized() {
    int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
    for (T i = 0; i < size(); i++) r += 1;
    return r;
  }
};

static int through(Object *q) {
  int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < q->n; i++) r += 1;
  return r;
}

#define N(s) s.n
#define COUNT(s) s.n + 1
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define RUN(what, right, header)                                                                                       \
  {                                                                                                                    \
    int r = 0;                                                                                                         \
    _Pragma("omp target teams distribute parallel for reduction(+ : r)") header r += 1;                                \
    check(what, r, right);                                                                                             \
  }

static void members() {
  Object s{1, 2, false, FEW, 3, -4, 5, 6, {1, 2, 3, 4}, {1}};
  Object *q = &s;
  Packed p{0, 3};
  int two = 2, other[4] = {5, 6, 7, 8};
#pragma omp target data map(tofrom : s, p)
  {
#pragma omp target
    {
      s.n = 8, s.few = 9, s.more = true, s.kind = MANY, s.bits = 17, s.below = -9, s.wide = 11, s.real = 12;
      s.at[2] = 13, s.in.n = 14, p.n = 15;
    }
    RUN("a member", 8, for (int i = 0; i < s.n; i++))
    RUN("a short member", 9, for (int i = 0; i < s.few; i++))
    RUN("a truth value", 2, for (int i = 0; i <= s.more; i++))
    RUN("an enumerator", 7, for (int i = 0; i < s.kind; i++))
    RUN("a bit-field", 17, for (unsigned i = 0; i < s.bits; i++))
    RUN("a signed bit-field", 9, for (int i = s.below; i < 0; i++))
    RUN("a wide member", 11, for (long long i = 0; i < s.wide; i++))
    RUN("a real member", 12, for (int i = 0; i < (int)s.real; i++))
    RUN("an element", 13, for (int i = 0; i < s.at[two]; i++))
    RUN("a member's member", 14, for (int i = 0; i < s.in.n; i++))
    RUN("a packed member", 15, for (int i = 0; i < p.n; i++))
    RUN("a constant member", 5, for (int i = 0; i < s.fixed; i++))
    RUN("through a pointer", 8, for (int i = 0; i < q->n; i++))
    RUN("a product", 74, for (int i = 0; i < s.n * s.few + two; i++))
    RUN("a macro", 8, for (int i = 0; i < N(s); i++))
    RUN("a macro's sum", 9, for (int i = 0; i < COUNT(s); i++))
    RUN("twice in a macro", 8, for (int i = 0; i < GREATER(s.n, 3); i++))
    RUN("a step", 13, for (int i = 0; i < 100; i += s.n))
    RUN("a negative step", 12, for (int i = 100; i > 0; i -= s.n + 1))
    RUN("a product as step", 7, for (int i = 0; i < 100; i += s.n * two))
    RUN("a lower bound", 92, for (int i = s.n; i < 100; i++))
    RUN("not mapped", 6, for (int i = 0; i < other[1]; i++))
    check("a parameter", through(&s), 8);
  }
}

static void constructs() {
  Object s{1, 2, false, FEW, 3, -4, 5, 6, {1, 2, 13, 4}, {1}};
  const bool there = on_device();
  int r = 0, i;
#pragma omp target data map(tofrom : s)
  {
#pragma omp target
    s.n = 8, s.kind = MANY;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : r)
    for (int i = 0; i < s.n; i++)
      for (int j = s.kind; j < s.at[2]; j++) r += 1;
    check("collapsed", r, 48);
    r = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : r)
    for (int i = 0; i < s.n; i++)
      for (int j = 0; j <= i; j++) r += 1;
    check("a triangle", r, 36);
    r = 0;
#pragma omp target teams distribute reduction(+ : r)
    for (int i = 0; i < s.n; i++) {
      int m = 0;
#pragma omp parallel for reduction(+ : m)
      for (int j = 0; j < s.few; j++) m += 1;
      r += m;
    }
    check("distribute", r, 16);
#pragma omp target teams distribute parallel for lastprivate(r)
    for (int i = 0; i < s.n; i++) r = i;
    check("the last value", r, 7);
#pragma omp target teams distribute parallel for simd lastprivate(i)
    for (i = 0; i < s.n; i += s.kind)
      ;
    check("the last index", i, 14);
    r = 0;
#pragma omp target parallel for map(tofrom : r) reduction(+ : r) schedule(dynamic, 2)
    for (int i = 0; i < s.n; i++) r += 1;
    check("parallel for", r, 8);
    r = 0;
#pragma omp target teams loop reduction(+ : r)
    for (int i = 0; i < s.n; i++) r += 1;
    check("loop", r, 8);
    r = 0;
#pragma omp target nowait
    s.n = 6;
#pragma omp taskwait
#pragma omp target teams distribute parallel for nowait map(tofrom : r)
    for (int i = 0; i < s.n; i++) {
#pragma omp atomic
      r += 1;
    }
#pragma omp taskwait
    check("nowait", r, 6);
    r = 0;
#pragma omp target teams distribute parallel for firstprivate(s) reduction(+ : r)
    for (int i = 0; i < s.n; i++) r += 1;
    check("a first-private copy", r, there ? 1 : 6);
    r = 0;
#pragma omp target teams distribute parallel for defaultmap(firstprivate : aggregate) reduction(+ : r)
    for (int i = 0; i < s.n; i++) r += 1;
    check("an implicit one", r, there ? 1 : 6);
    const Object *none = nullptr;
    r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
    for (int i = 0; i < (none ? none->n : 5); i++) r += 1;
    check("a pointer that leads nowhere", r, 5);
    s.n = 4, r = 0;
#pragma omp target teams distribute parallel for map(always, to : s) reduction(+ : r)
    for (int i = 0; i < s.n; i++) r += 1;
    check("always", r, 4);
  }
}

enum Truth : bool { NO, YES };
struct First {
  long first;
};
struct Bits {
  unsigned before : 7, bits : 5;
};
struct Small : First, Bits {
  unsigned low : 5;
  bool flag : 1;
  Kind kind;
  Truth truth;
  int n, zero;
  struct {
    long wide;
    unsigned before : 6, nameless : 7;
  };
  int derived() {
    int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
    for (unsigned i = 0; i < bits; i++) r += 1;
    return r;
  }
};
#define CHARACTER (signed char)s.n
#define SUM(a, b) a + b

static void operands() {
  Small s{}, *none = nullptr, *q = &s;
  int at[4] = {5, 6, 7, 8}, k = 1, three = 3;
#pragma omp target data map(tofrom : s, at, k)
  {
#pragma omp target map(tofrom : k)
    {
      s.bits = 19, s.low = 17, s.flag = true, s.kind = MANY, s.truth = YES, s.n = 300, s.zero = 5, s.nameless = 70;
      at[1] = 2, k = 3;
    }
    RUN("a bit-field is promoted", 29, for (int i = -30; i < (s.low - 20) / 2; i++))
    RUN("an enumerator is promoted", 24, for (int i = -30; i < (s.kind - 20) / 2; i++))
    RUN("a bit that is a truth value", 2, for (int i = 0; i <= s.flag; i++))
    RUN("an enumerator of truth", 2, for (int i = 0; i <= s.truth; i++))
    RUN("a bit-field of a base", 19, for (unsigned i = 0; i < s.bits; i++))
    check("one of this", s.derived(), 19);
    RUN("a bit-field without a structure's name", 70, for (unsigned i = 0; i < s.nameless; i++))
    RUN("a conversion in a macro", 44, for (int i = 0; i < CHARACTER; i++))
    RUN("arguments at both ends", 303, for (int i = 0; i < SUM(s.n, three); i++))
    RUN("not read", 4, for (int i = 0; i < (none ? none->n : 4); i++))
    RUN("not read by or", 2, for (int i = 0; i < (!none || none->n) + 1; i++))
    RUN("read on a condition", 300, for (int i = 0; i < (q ? q->n : 4); i++))
    RUN("read on the device's condition", 300, for (int i = 0; i < (s.zero > 4 ? q->n : 4); i++))
    RUN("a step that is zero on the host", 20, for (int i = 0; i < 100; i += s.zero))
    RUN("a divisor that is zero on the host", 20, for (int i = 0; i < 100 / s.zero; i++))
    int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r) map(tofrom : k)
    for (int i = 0; i < at[k]; i++) r += 1;
    check("a subscript of the device's", r, 8);
  }
}

static void functions() {
  const Counted counted{2, 0};
#pragma omp target data map(tofrom : counted)
  {
#pragma omp target
    counted.n = 8;
    RUN("a mutable member of a constant", 8, for (int i = 0; i < counted.n; i++))
  }
  RUN("a function that remembers", 4, for (int i = 0; i < following(4); i++))
  Grid grid{2}, *q = &grid;
  Column<int> column{2};
  int room[8];
  Partial partial{room, 5};
  std::vector<int> values{1, 2, 3};
#pragma omp target data map(tofrom : grid, column) map(to : partial.p[0 : 8])
  {
#pragma omp target
    grid.n = 8, column.n = 8;
    RUN("a function of the object", 8, for (int i = 0; i < grid.size(); i++))
    RUN("a function of a pointer", 8, for (int i = 0; i < q->size(); i++))
    RUN("a function with the object", 16, for (int i = 0; i < count(grid); i++))
    RUN("an object that is there in part", 5, for (int i = 0; i < partial.size(); i++))
    RUN("its member", 5, for (int i = 0; i < partial.n; i++))
    RUN("a container", 3, for (int i = 0; i < (int)values.size(); i++))
    RUN("the library's function of numbers", 8, for (int i = 0; i < std::min(grid.n, 50); i++))
    RUN("the program's", 8, for (int i = 0; i < lesser(grid.n, 50); i++))
    RUN("of a function's", 5, for (int i = 0; i < std::max(lesser(grid.n, 5), partial.n); i++))
    check("a template's member", column.own(), 8);
    check("its double", column.twice(), 16);
    check("its function", column.sized(), 8);
  }
}

static void scalars() {
  int n = 2, r = 0, local[2] = {1, 2};
  const bool there = on_device();
#pragma omp target
  on_both = 9;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < on_both; i++) r += 1;
  check("a global", r, 9);
  r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < std::min(on_both, 50) + local[0]; i++) r += 1;
  check("a global in a call", r, 10);
  r = 0;
#pragma omp target data map(tofrom : n)
  {
#pragma omp target map(tofrom : n)
    n = 8;
#pragma omp target teams distribute parallel for map(tofrom : n) reduction(+ : r)
    for (int i = 0; i < std::min(n, 50) + local[1]; i++) r += 1;
    check("a mapped scalar", r, 10);
    r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
    for (int i = 0; i < std::min(n, 50) + local[1]; i++) r += 1;
    check("one that the region has a copy of", r, there ? 4 : 10);
  }
}

int main() {
  scalars();
  members();
  constructs();
  operands();
  functions();
}
