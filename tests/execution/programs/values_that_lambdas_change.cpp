/* Variables that are mapped 'to' and that a lambda in front of the region changes there: a value is not enough. */
#include <cstdio>

struct Pair { int a, b; };
struct Deep { Pair pair; int n; };
struct Taking { int n; template <class T> Taking(T &&) : n(-1) {} Taking(const Taking &) = default; Taking(int n, int) : n(n) {} };

static int fetched(int &x) {
  int old;
#pragma omp atomic capture
  old = x++;
  return old;
}
static void set(Pair &pair, int value) { pair.a = value; }
static void step(int *&p) { ++p; }

template <class T> T added(T value) {
  Pair pair{1, 2};
  T out = 0;
  auto add = [&] { pair.a += value; };
#pragma omp target map(to : pair) map(tofrom : out)
  {
    add();
    out = pair.a;
  }
  return out;
}

static void objects() {
  int member = 0, inner = 0, outer = 0, passed = 0, named = 0, read = 0;
  Pair first{1, 2}, third{1, 2}, fourth{1, 2}, fifth{1, 2}, sixth{1, 2};
  Deep second{{1, 2}, 3};
  auto count = [&] { first.a++; };
#pragma omp target map(to : first) map(tofrom : member)
  {
    count();
    member = first.a;
  }
  auto deep = [&second] {
    auto more = [&second] { second.pair.a++; };
    more();
    more();
  };
#pragma omp target map(to : second) map(tofrom : inner)
  {
    deep();
    inner = second.pair.a;
  }
  auto once = [&] { third.a++; };
  auto twice = [&] {
    once();
    once();
  };
#pragma omp target map(to : third) map(tofrom : outer)
  {
    twice();
    outer = third.a;
  }
  auto give = [&] { set(fourth, 9); };
#pragma omp target map(to : fourth) map(tofrom : passed)
  {
    give();
    passed = fourth.a;
  }
  auto other = [&r = fifth] { r.a++; };
#pragma omp target map(to : fifth) map(tofrom : named)
  {
    other();
    named = fifth.a;
  }
  auto look = [&] { return sixth.a + 5; };
#pragma omp target map(to : sixth) map(tofrom : read)
  read = look() + sixth.b;
  std::printf("%d %d %d %d %d %d\n", member, inner, outer, passed, named, read);
}

static void scalars() {
  int next = 0, seen[64] = {0}, taken = 0, values[3] = {1, 2, 3}, moved = 0;
  int *p = values;
  auto ticket = [&] { return fetched(next); };
#pragma omp target teams distribute parallel for map(to : next) map(tofrom : seen)
  for (int i = 0; i < 64; i++) seen[ticket()] += 1;
  for (int i = 0; i < 64; i++) taken += seen[i] == 1;
  auto advance = [&] { step(p); };
#pragma omp target map(to : p) map(tofrom : moved)
  {
    int *before = p;
    advance();
    moved = p - before;
  }
  std::printf("%d %d\n", taken, moved);
}

static void templates_of_constructors() {
  int found = 0;
  Taking changing(14, 0);
  const Taking fixed(15, 0);
#pragma omp target map(to : changing, fixed) map(tofrom : found)
  found = changing.n * 100 + fixed.n;
  std::printf("%d\n", found);
}

int main() {
  objects();
  scalars();
  templates_of_constructors();
  std::printf("%d %g\n", added(3), added(2.5));
  return 0;
}
