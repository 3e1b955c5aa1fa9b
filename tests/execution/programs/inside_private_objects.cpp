// Private copies of class objects: made by constructors, once for each team or thread that owns one, and ended there.
#include <cstdio>
#include <cstring>

static int out[64];

static void show(const char *name) {
  printf("%s:", name);
  for (int i = 0; i < 24; i++) printf(" %d", out[i]);
  printf("\n");
  memset(out, 0, sizeof out);
}

struct Value {
  int x;
  Value() : x(7) {}
  explicit Value(int v) : x(v) {}
  Value(const Value &o) : x(o.x) {}
  Value &operator=(const Value &o) {
    x = o.x;
    return *this;
  }
  ~Value() { x = -1; }
  int get() const { return x; }
  int add(int n) { return x += n; }
};

// Counts what is made and ended.
struct Counted {
  int *counts;
  explicit Counted(int *c) : counts(c) {
#pragma omp atomic
    counts[0]++;
  }
  Counted(const Counted &o) : counts(o.counts) {
#pragma omp atomic
    counts[0]++;
  }
  ~Counted() {
#pragma omp atomic
    counts[1]++;
  }
  void hit() const {
#pragma omp atomic
    counts[2]++;
  }
};

static void of_teams() {
  Value first(3), other(1), many[3];
  int base = 5, &r = base;
  Value &named = other;
#pragma omp target teams num_teams(1) map(tofrom : out) firstprivate(first, r, named) private(many)
  {
    first.x++;
    r += 2;
    named.add(10);
    many[1].x = 6;
#pragma omp parallel for
    for (int i = 0; i < 8; i++) out[i] = first.x + i + r + named.get() + many[1].x;
#pragma omp parallel num_threads(1)
    first.add(12);
    out[9] = first.get();
    out[10] = many[0].x > 0;
  }
#ifndef _OPENMP
  first.x = 3, base = 5, other.x = 1;
#endif
  out[11] = first.x + base + other.x;
  show("teams");
#pragma omp target teams distribute parallel for map(tofrom : out) firstprivate(first, many)
  for (int i = 0; i < 8; i++) out[i] = first.get() + i + (many[2].x > 0);
  show("threads");
#pragma omp target teams num_teams(1) map(tofrom : out) firstprivate(first)
#pragma omp distribute parallel for
  for (int i = 0; i < 8; i++) out[i] = first.get() + i;
  show("teams' own");
}

static void declared() {
  int counts[3] = {0, 0, 0};
#pragma omp target map(tofrom : out, counts)
  {
    Value v(3);
    Value *p = &v;
    for (int round = 0; round < 3; round++) {
      Value inside = Value(round + 1);
      Value two[2];
      Counted counted(counts);
#pragma omp parallel for
      for (int i = 0; i < 4; i++) out[4 * round + i] = inside.get() + v.get() + two[i % 2].x;
#pragma omp parallel num_threads(1)
      v.add(inside.x);
      if (round == 1) continue;
      counted.hit();
    }
    out[12] = p->x;
  }
  for (int i = 0; i < 3; i++) out[13 + i] = counts[i];
  show("declared");
}

static void of_threads() {
  int counts[3] = {0, 0, 0};
#pragma omp target map(tofrom : out, counts)
  {
    Value v(3);
    Counted counted(counts);
#pragma omp parallel for firstprivate(v) num_threads(4)
    for (int i = 0; i < 8; i++) out[i] = v.get();
#pragma omp parallel for lastprivate(v)
    for (int i = 0; i < 8; i++) v.x = i;
    out[20] = v.x;
#pragma omp parallel firstprivate(counted) num_threads(1)
    counted.hit();
  }
  out[21] = counts[0] - counts[1];
  out[22] = counts[0];
  out[23] = counts[2];
#ifndef _OPENMP
  out[22] = 2;
#endif
  show("inner");
#pragma omp target teams map(tofrom : out) num_teams(2)
  {
    Value v(4);
#pragma omp distribute firstprivate(v)
    for (int i = 0; i < 8; i++) {
      v.x = i;
#pragma omp parallel for
      for (int j = 0; j < 3; j++) out[j * 8 + i] = v.get() + j;
    }
  }
  show("distribute");
}

int main() {
  of_teams();
  declared();
  of_threads();
  return 0;
}
