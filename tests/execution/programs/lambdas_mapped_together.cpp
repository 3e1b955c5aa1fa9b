// Lambdas whose pointers, references and `this` lead to what the same construct maps.
#include <cstdio>

template <class Body> void section(int n, long *p, Body body) {
#pragma omp target teams distribute parallel for map(to : body) map(tofrom : p[ : n])
  for (int i = 0; i < n; i++) body(i);
}
template <class Body> void reference(int n, long (&p)[4], Body body) {
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (int i = 0; i < n; i++) body(i);
}
template <class Body> void implied(int n, long (&p)[4], Body body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) body(i + (p[0] < -100));
}
template <class Body> void conditional(bool is_wanted, int n, long *p, Body body) {
#pragma omp target teams distribute parallel for if (is_wanted) map(from : p[ : n])
  for (int i = 0; i < n; i++) body(i);
}
template <class Body> void deferred(int n, long *p, Body body) {
#pragma omp target teams distribute parallel for nowait firstprivate(body) depend(inout : p[0]) \
    map(tofrom : p[ : n])
  for (int i = 0; i < n; i++) body(i);
}
template <class... Bodies> void several(int n, long *p, Bodies... bodies) {
#pragma omp target map(tofrom : p[ : n])
  for (int i = 0; i < n; i++) (bodies(i), ...);
}
template <class T> struct List {
  T *data;
  int size;
  template <class Body> void each(Body body) {
#pragma omp target teams distribute parallel for map(tofrom : data[ : size])
    for (int i = 0; i < size; i++) body(i);
  }
  void fill(T value) {
    each([=](int i) { data[i] = value; });
  }
};
struct Functor {
  long value;
  void operator()(int) const {}
};

static void show(const char *name, const long *p) { printf("%s %ld %ld\n", name, p[0], p[3]); }

int main() {
  long a[4] = {1, 2, 3, 4}, big[70] = {}, *p = a;
  int n = 4;
  section(n, p, [=](int i) { p[i] += 10; });
  section(n, p, Functor{1});
  show("section", p);
  for (int i = 0; i < 70; i++) big[i] = i;
  section(n, p, [=](int i) { p[i] += big[i + 60]; });
  show("large", p);
  reference(n, a, [&](int i) { a[i] *= 2; });
  show("reference", p);
  implied(n, a, [&a](int i) { a[i] += 7; });
  show("implied", p);
  for (int k = 0; k < 2; k++) conditional(k, n, p, [=](int i) { p[i] = 100 * (k + 1) + i; });
  show("conditional", p);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    deferred(n, p, [=](int i) { p[i] += 1; });
    deferred(n, p, [=](int i) { p[i] *= 2; });
#pragma omp taskwait
  }
  show("deferred", p);
  several(n, p, [=](int i) { p[i] += 3; }, [p](int i) { p[i] *= 3; });
  show("several", p);
  List<long> list{p, n};
  list.fill(5);
  show("member", p);
#pragma omp target data map(tofrom : p[ : n])
  section(n, p, [=](int i) { p[i] += 6; });
  show("present", p);
}
