// Pointers that are attached on the device, and that the host changes: what comes home leaves them as they are.
#include <cstdio>
#include <utility>

struct Field {
  int n;
  double *values;
  int tag;
};
#pragma omp declare mapper(all: Field f) map(tofrom: f) map(tofrom: f.values[0:f.n])

struct Pair {
  double *now, *next;
  int steps;
  explicit Pair(int n) : now(new double[n]()), next(new double[n]()), steps(0) {
#pragma omp target enter data map(to: this[0:1]) map(to: now[0:n], next[0:n])
  }
  void step() {
    std::swap(now, next);
#pragma omp target map(tofrom: this[0:1])
    steps++;
#pragma omp target update from(steps)
  }
};

static double first[8], second[8];

static const char *name_of(const double *values) {
  return values == first ? "first" : values == second ? "second" : values == nullptr ? "none" : "?";
}

static void tell(const char *what, const Field &f) { std::printf("%s: %s %d\n", what, name_of(f.values), f.tag); }

static void changed() {
  Field f = {8, first, 1};
#pragma omp target enter data map(to: f)
#pragma omp target enter data map(to: f.values[0:8])
  f.values = second;
#pragma omp target map(tofrom: f)
  f.tag = 2;
  std::printf("%s\n", name_of(f.values));
#pragma omp target update from(f.tag)
  tell("a member comes home", f);
#pragma omp target map(always, from: f)
  f.tag = 3;
  tell("always", f);
#pragma omp target data map(tofrom: f)
  { f.n = 8; }
  std::printf("%s\n", name_of(f.values));
  f.values = nullptr;
#pragma omp target update from(f)
  tell("all comes home", f);
  f.values = first;
#pragma omp target exit data map(release: f.values[0:8])
  f.values = second;
#pragma omp target exit data map(from: f)
  tell("the end", f);
}

// What is mapped next may get the place on the device that this one had.
static void attached_again() {
  Field f = {8, first, 1};
  for (int i = 0; i < 8; i++) first[i] = i, second[i] = 10 * i;
#pragma omp target enter data map(to: f)
#pragma omp target enter data map(to: f.values[0:8])
#pragma omp target exit data map(release: f.values[0:8])
  f.values = second;
#pragma omp target enter data map(to: f.values[0:8])
#pragma omp target map(tofrom: f)
  f.values[1] = ++f.tag;
  std::printf("%s\n", name_of(f.values));
#pragma omp target update from(f.values[0:8], f.tag)
  tell("again", f);
  std::printf("%g %g %g\n", first[1], second[1], second[2]);
#pragma omp target exit data map(release: f.values[0:8])
#pragma omp target exit data map(from: f)
  tell("again, the end", f);
}

// Without the pointer's data it is a number like others.
static void not_attached() {
  Field f = {8, first, 1};
#pragma omp target data map(tofrom: f) map(tofrom: f.values[0:8])
  { f.n = 8; }
  double *other = nullptr;
#pragma omp target map(tofrom: f) firstprivate(other)
  {
    f.values = other;
    f.tag = 7;
  }
  tell("a number", f);
}

static void mapped_by_mapper() {
  Field f[3] = {{8, first, 1}, {8, second, 2}, {4, second + 4, 3}};
#pragma omp target enter data map(mapper(all), to: f[0:2])
  f[0].values = second;
#pragma omp target update from(mapper(all): f[1:1])
  tell("by a mapper", f[0]);
  tell("by a mapper", f[1]);
  f[0].values = first;
#pragma omp target exit data map(mapper(all), from: f[0:2])
  tell("by a mapper, the end", f[0]);
}

int main() {
  changed();
  attached_again();
  not_attached();
  mapped_by_mapper();
  Pair pair(8);
  const double *was = pair.now;
  for (int i = 0; i < 3; i++) {
    pair.step();
    std::printf("%d %d\n", pair.steps, pair.now == was);
  }
  return 0;
}
