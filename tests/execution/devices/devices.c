/* Constructs on several devices. What is printed is told by the program itself: 1 for right. */
#include <omp.h>
#include <stdio.h>

enum { N = 8 };
static int shared_by_all[N];

#pragma omp begin declare target
static int counter = 10;
static int bump(void) { return ++counter; }
#pragma omp end declare target

static void check(const char *what, int right) { printf("%s: %d\n", what, right); }

static int where(int device) {
  int number = -1, on_host = -1;
#pragma omp target device(device) map(from : number, on_host)
  number = omp_get_device_num(), on_host = omp_is_initial_device();
  return on_host ? -1 - number : number;
}

static void numbers(int n) {
  int right = 1, all = -1, host = -1;
  for (int d = 0; d < n; d++) right &= where(d) == d;
  check("device(d)", right);
  check("device(initial)", where(omp_get_initial_device()) < 0 && where(omp_initial_device) < 0);
#pragma omp target map(from : all, host) device(device_num : n - 1)
  all = omp_get_num_devices(), host = omp_get_initial_device();
  check("omp_get_num_devices", all == n && host == omp_get_initial_device());
}

static void defaults(int n) {
  int number = -1, later = -1;
  omp_set_default_device(n - 1);
#pragma omp target map(from : number)
  number = omp_get_device_num();
#pragma omp target nowait map(from : later)
  later = omp_get_device_num();
  omp_set_default_device(0);
#pragma omp taskwait
  check("default device", number == n - 1 && later == n - 1);
#pragma omp target data map(tofrom : number)
  {
    omp_set_default_device(1);
#pragma omp target device(0) map(tofrom : number)
    number = 50;
  }
  omp_set_default_device(0);
  check("target data ends on its device", number == 50 && !omp_target_is_present(&number, 0));
  omp_set_default_device(omp_get_initial_device());
#pragma omp target map(from : number)
  number = omp_is_initial_device();
#pragma omp target nowait map(from : later)
  later = omp_is_initial_device();
#pragma omp target enter data map(to : shared_by_all)
#pragma omp taskwait
  omp_set_default_device(0);
  check("default device is the host", number == 1 && later == 1 && !omp_target_is_present(shared_by_all, 0));
}

static void mappings(int n) {
  int x[N] = {0}, right = 1;
  for (int d = 0; d < n; d++) {
    x[0] = d;
#pragma omp target enter data map(to : x) device(d)
#pragma omp target device(d)
    for (int i = 0; i < N; i++) x[i] += 10 * (i + 1);
  }
  for (int d = 0; d < n; d++) {
#pragma omp target update from(x) device(d)
    right &= x[0] == 10 + d && x[N - 1] == 10 * N;
  }
  check("a copy on each device", right);
#pragma omp target exit data map(delete : x) device(1)
  right = !omp_target_is_present(x, 1);
  for (int d = 0; d < n; d++) right &= d == 1 || omp_target_is_present(x, d);
  for (int d = 0; d < n; d++) {
#pragma omp target exit data map(release : x) device(d) if (d != 1)
    right &= !omp_target_is_present(x, d);
  }
  check("mapped on each device alone", right);
  for (int i = 0; i < N; i++) x[i] = i;
#pragma omp target data map(tofrom : x) device(0)
  {
#pragma omp target data map(to : x) device(n - 1)
    {
#pragma omp target device(n - 1)
      x[1] = 100;
      int *there = omp_get_mapped_ptr(x, n - 1), *here = omp_get_mapped_ptr(x, 0);
      right = !omp_target_memcpy(here, there, sizeof x, 0, 0, 0, n - 1);
    }
  }
  check("from device to device", right && x[1] == 100 && x[2] == 2);
}

static void globals(int n) {
  int right = 1, seen;
  for (int d = 0; d < n; d++) {
    for (int times = 0; times <= d; times++) {
#pragma omp target map(from : seen) device(d)
      seen = bump();
    }
    right &= seen == 11 + d;
  }
  check("globals of each device", right && counter == 10);
#pragma omp target map(from : seen) device(omp_get_initial_device())
  seen = bump();
  check("the host's own", seen == 11 && counter == 11);
}

static void tasks(int n) {
  int at[N] = {0}, right = 1, chain = 0;
  for (int t = 0; t < N; t++) {
#pragma omp target nowait device(t % (n + 1)) map(from : at[t])
    at[t] = 10 * omp_get_device_num() + t;
  }
#pragma omp taskwait
  for (int t = 0; t < N; t++) right &= at[t] == 10 * (t % (n + 1)) + t;
  check("tasks on all devices", right);
  for (int t = 0; t <= n; t++) {
#pragma omp target enter data map(to : chain) nowait depend(inout : chain) device(t)
#pragma omp target nowait depend(inout : chain) map(chain) device(t)
    chain = 2 * chain + t;
#pragma omp target exit data map(from : chain) nowait depend(inout : chain) device(t)
  }
#pragma omp taskwait
  int expected = 0;
  for (int t = 0; t <= n; t++) expected = 2 * expected + t;
  check("a chain through all devices", chain == expected);
}

int main(void) {
  int n = omp_get_num_devices();
  if (n < 2) return puts("too few devices"), 0;
  numbers(n);
  defaults(n);
  mappings(n);
  globals(n);
  tasks(n);
  return 0;
}
