// Classes with an operator that is written as the address is: what maps, captures and copies their objects takes the
// address of the object all the same.
#include <cstdio>
#include <cstdlib>

struct Counter {
  int n;
  Counter(int n = 4) : n(n) {}
  Counter *operator&() const { abort(); }
};
struct Wide {
  double values[4];
  Wide(double v = 0) : values{v, v, v, v} {}
  const Wide *operator&() const { return nullptr; }
  Wide *operator&() { return nullptr; }
};
template <class T> struct Box {
  T held;
  template <class U = T> U *operator&() const { abort(); }
};
struct Row {
  Counter first, others[3];
  Wide wide;
};

#pragma omp declare reduction(+ : Counter : omp_out.n += omp_in.n) initializer(omp_priv = Counter(0))
#pragma omp declare reduction(+ : Wide : omp_out.values[1] += omp_in.values[1]) initializer(omp_priv = Wide(0))
#pragma omp declare mapper(in_part : Row row) map(row.first, row.wide.values[0 : 2])

#pragma omp begin declare target
Counter kept(0);
#pragma omp end declare target

static void maps() {
  Counter c, many[4], *some = many;
  Wide w(2);
  Row row;
#pragma omp target map(tofrom : c) map(to : w)
  c.n += (int)w.values[1];
#pragma omp target map(tofrom : some[1 : 2]) map(to : row.first, row.others[1 : 1], row.wide)
  some[1].n += row.first.n + row.others[1].n + (int)row.wide.values[0];
  printf("%d %d\n", c.n, many[1].n);
#pragma omp target enter data map(to : c, w)
#pragma omp target
  {
    c.n++;
    w.values[3] = 9;
  }
#pragma omp target update from(c)
#pragma omp target exit data map(from : c, w)
  printf("%d %g\n", c.n, w.values[3]);
  row.first.n = 6;
#pragma omp target map(mapper(in_part), tofrom : row)
  row.first.n += (int)row.wide.values[1];
  printf("%d\n", row.first.n);
}

static void copies() {
  Counter c(5);
  Wide w(3);
  Wide &by_reference = w;
  int got[4] = {};
#pragma omp target map(tofrom : got)
  got[0] = c.n + (int)by_reference.values[2];
#pragma omp target map(tofrom : got) firstprivate(c, w)
  got[1] = c.n + (int)w.values[2];
#pragma omp target map(tofrom : got) firstprivate(c, w) nowait depend(inout : c)
  got[2] = c.n + (int)w.values[0];
#pragma omp taskwait
#pragma omp target teams distribute parallel for lastprivate(c)
  for (int i = 0; i < 4; i++) c.n = i;
#pragma omp target map(tofrom : got)
  {
    Counter own(1);
    Wide wide(2);
#pragma omp parallel for reduction(+ : own, wide)
    for (int i = 0; i < 10; i++) {
      own.n += i;
      wide.values[1] += i;
    }
    got[3] = own.n + (int)wide.values[1];
  }
  printf("%d %d %d %d %d\n", got[0], got[1], got[2], got[3], c.n);
}

static void reductions() {
  Counter c(1);
  Wide w(1);
  Counter bins[4];
  for (Counter &bin : bins) bin.n = 0;
#pragma omp target teams distribute parallel for map(tofrom : c, w) reduction(+ : c, w)
  for (int i = 0; i < 1000; i++) {
    c.n += i;
    w.values[1] += 1;
  }
#pragma omp target teams distribute parallel for map(tofrom : bins) reduction(+ : bins)
  for (int i = 0; i < 100; i++) bins[i % 4].n += i;
  printf("%d %g %d\n", c.n, w.values[1], bins[3].n);
}

template <class F> static void each(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
template <class T> static int of(T &object) {
  int got = 0;
#pragma omp target data map(tofrom : object)
#pragma omp target map(from : got)
  got = object.n;
  return got;
}
template <class T> static int held_in(const Box<T> &box) {
  int got = 0;
#pragma omp target map(from : got) map(to : box)
  got = (int)box.held;
  return got;
}

struct Holder {
  Counter c;
  int *operator&() { abort(); }
  int sum(int n) {
#pragma omp target teams distribute parallel for reduction(+ : c)
    for (int i = 0; i < n; i++) c.n += i;
    return c.n;
  }
  int twice() {
    int got = 0;
#pragma omp target map(from : got)
    got = 2 * c.n;
    return got;
  }
};

static void lambdas_and_templates() {
  Counter c(2);
  Wide w(1);
  int got[4] = {};
  auto local = [&](int i) { got[i] += c.n + (int)w.values[1]; };
#pragma omp target map(tofrom : got)
  local(0);
#pragma omp target data map(tofrom : got)
  {
    each(4, [&](int i) { got[i] += c.n; });
    each(4, [=, to = got](int i) { to[i] += c.n + (int)w.values[2]; });
  }
  Box<double> box = {8};
  Holder holder;
  const int sum = holder.sum(10), twice = holder.twice();
  printf("%d %d %d %d %d %d\n", got[0], got[1], of(c), held_in(box), sum, twice);
}

int main() {
  maps();
  copies();
  reductions();
  lambdas_and_templates();
  kept.n = 7;
#pragma omp target update to(kept)
  int got = 0;
#pragma omp target map(from : got)
  got = kept.n;
  printf("%d\n", got);
  return 0;
}
