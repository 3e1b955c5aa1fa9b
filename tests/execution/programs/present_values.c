/* Scalars and variables that are on the device with another value than the host's: which of the two a region uses, and
   which of the two it assigns. Each check says what must be seen on a device and on the host. */
#include <omp.h>
#include <stdio.h>

struct pair {
  int n, k;
};

#pragma omp declare target
int dev = 5;
struct pair there = {3, 4};
double values[4] = {1, 2, 3, 4};
int use(void) { return dev * 100 + there.n; }
#pragma omp end declare target

static int on_device(void) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  return !host;
}

static void check(const char *what, long value, long device, long host) {
  if (value == (on_device() ? device : host))
    printf("%s: right\n", what);
  else
    printf("%s: %ld\n", what, value);
}

static void reductions(void) {
  int s = 1;
  double sum = 1;
#pragma omp target enter data map(to : s, sum)
  s = 100;
  sum = 100;
#pragma omp target teams distribute parallel for reduction(+ : s, sum)
  for (int i = 0; i < 10; i++) {
    s += i;
    sum += i;
  }
  check("reduction, the host's", s, 100, 145);
#pragma omp target update from(s, sum)
  check("reduction, the device's", s + (long)sum, 92, 290);
#pragma omp target exit data map(delete : s, sum)
}

static void last_values(void) {
  int last = 3;
#pragma omp target enter data map(to : last)
  last = 50;
#pragma omp target teams distribute parallel for lastprivate(last)
  for (int i = 0; i < 10; i++) last = i;
  check("last value, the host's", last, 50, 9);
#pragma omp target update from(last)
  check("last value, the device's", last, 9, 9);
#pragma omp target exit data map(delete : last)
}

static void scalars(void) {
  int n = 10, counted[40] = {0}, sum = 0, r = 0;
#pragma omp target enter data map(to : n)
  n = 20;
#pragma omp target teams distribute parallel for map(to : n) map(tofrom : counted)
  for (int i = 0; i < n; i++) counted[i] = 1;
  for (int i = 0; i < 40; i++) sum += counted[i];
  check("a bound that is mapped", sum, 10, 20);
#pragma omp target map(always, to : n) map(from : r)
  r = n;
  check("always", r, 20, 20);
  n = 21;
#pragma omp target firstprivate(n) map(from : r)
  r = n;
  check("firstprivate", r, 21, 21);
#pragma omp target update from(n)
  check("the value on the device", n, 20, 21);
#pragma omp target exit data map(delete : n)
}

static void in_a_row(void) {
  int x = 5, y = 0;
#pragma omp target enter data map(to : x) map(alloc : y)
  x = 6;
#pragma omp target map(to : x) map(from : y)
  y = x;
#pragma omp target map(to : x) map(tofrom : y)
  y = y * 10 + x;
  x = 8;
#pragma omp target map(always, to : x) map(tofrom : y)
  y = y * 10 + x;
#pragma omp target update from(y)
  check("regions in a row", y, 558, 668);
#pragma omp target exit data map(delete : x, y)
}

static void tasks(void) {
  struct pair q = {1, 1};
  int out[4] = {0};
#pragma omp target data map(tofrom : out)
  {
#pragma omp target nowait firstprivate(q)
    out[0] = q.n;
    q.n = 2;
#pragma omp taskwait
    q.n = 3;
#pragma omp target
    out[2] = q.n;
  }
  check("nowait", out[0] * 10 + out[2], 13, 13);
}

static void declared(void) {
  int r = 0, q = 0;
  double d = 0;
  dev = 6;
  there.n = 9;
  values[1] = 20;
#pragma omp target firstprivate(dev, there, values) map(from : r, q, d)
  {
    r = dev * 10 + there.n;
    q = use();
    d = values[1];
  }
  check("first-private copies of variables on the device", r * 100 + (long)d, 6920, 6920);
  check("the variables that functions use", q, 503, 609);
#pragma omp target map(from : r)
#pragma omp parallel num_threads(1) firstprivate(dev)
  r = dev;
  check("copies further in", r, 5, 6);
#pragma omp target teams distribute parallel for firstprivate(dev) map(from : r)
  for (int i = 0; i < 4; i++)
    if (i == 2) r = dev;
  check("combined constructs", r, 6, 6);
#pragma omp target update to(dev, there)
#pragma omp target map(from : r)
  r = dev * 10 + there.n;
  check("updated", r, 69, 69);
}

static void counts(void) {
  int x = 1, r = 0;
#pragma omp target enter data map(to : x)
#pragma omp target enter data map(to : x)
  x = 2;
#pragma omp target exit data map(release : x)
#pragma omp target map(to : x) map(from : r)
  r = x;
  check("still there", r, 1, 2);
#pragma omp target exit data map(release : x)
#pragma omp target map(to : x) map(from : r)
  r = x;
  check("gone", r, 2, 2);
  struct pair w = {1, 2};
#pragma omp target enter data map(to : w.k)
  w.k = 50;
#pragma omp target map(w.k) map(from : r)
  {
    r = w.k;
    w.k = 9;
  }
  check("a member", r * 100 + w.k, 250, 5009);
#pragma omp target exit data map(from : w.k)
  check("the member back", w.k, 9, 9);
}

int main(void) {
  reductions();
  last_values();
  scalars();
  in_a_row();
  tasks();
  declared();
  counts();
  return 0;
}
