/* target data, enter data, exit data, update, if, device, nowait, depend, device pointers. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 100
static int a[N], b[N], c[N];

static void reset(void) {
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 2 * i, c[i] = 0;
}

static void show(const char *what) {
  long long s = 0;
  for (int i = 0; i < N; i++) s += (i + 1LL) * (a[i] + 3 * b[i] + 7 * c[i]);
  printf("%s: %lld\n", what, s);
  reset();
}

static void add(int n) {
#pragma omp target teams distribute parallel for map(to : a[0 : n], b[0 : n]) map(from : c[0 : n])
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}

static void regions(void) {
#pragma omp target data map(to : a, b) map(tofrom : c)
  {
    add(N);
#pragma omp target teams distribute parallel for map(tofrom : c)
    for (int i = 0; i < N; i++) c[i] *= 2;
  }
  show("two kernels in one target data");
#pragma omp target data map(tofrom : a)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) a[i] += 1;
  show("a body without braces");
#pragma omp target data map(to : a) map(alloc : b)
  {
#pragma omp target data map(from : c)
    {
#pragma omp target map(alloc : a, b, c)
      for (int i = 0; i < N; i++) b[i] = a[i] * 5;
#pragma omp target map(alloc : b, c)
      for (int i = 0; i < N; i++) c[i] = b[i];
    }
  }
  for (int i = 0; i < N; i++) b[i] = 0;
  show("nested target data");
  int *p = a;
#pragma omp target data map(tofrom : p[0 : N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) p[i] += 4;
#pragma omp target teams distribute parallel for map(tofrom : p[10 : 20])
    for (int i = 10; i < 30; i++) p[i] += 4;
  }
  show("pointers find their mapping");
  int k = 3;
#pragma omp target data map(tofrom : k)
  {
#pragma omp target map(tofrom : k)
    k += 4;
#pragma omp target map(always, from : k)
    k += 4;
  }
  printf("scalar: %d\n", k);
}

static void unstructured(int n) {
#pragma omp target enter data map(to : a[0 : n], b[0 : n]) map(alloc : c[0 : n])
  add(n);
#pragma omp target teams distribute parallel for map(tofrom : c[0 : n])
  for (int i = 0; i < n; i++) c[i] -= 1;
#pragma omp target exit data map(from : c[0 : n]) map(release : a[0 : n], b[0 : n])
  show("enter data, exit data");
  int *h = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) h[i] = i;
#pragma omp target enter data map(to : h[0 : n])
#pragma omp target teams distribute parallel for map(h[0 : n])
  for (int i = 0; i < n; i++) h[i] *= 3;
#pragma omp target update from(h[0 : n])
  long long s = 0;
  for (int i = 0; i < n; i++) s += h[i], h[i] = 1;
#pragma omp target exit data map(delete : h[0 : n])
  for (int i = 0; i < n; i++) s += h[i];
  printf("update from: %lld\n", s);
  if (n > 0)
#pragma omp target enter data map(to : h[0 : n])
  for (int i = 0; i < 1; i++) s++;
#pragma omp target exit data map(from : h[0 : n])
  printf("after an if: %lld\n", s);
  free(h);
}

static void updates(int n, int lo) {
#pragma omp target data map(to : a) map(from : c)
  {
    for (int i = 0; i < N; i++) a[i] += 1000;
#pragma omp target update to(a[lo : n])
#pragma omp target teams distribute parallel for map(to : a) map(from : c)
    for (int i = 0; i < N; i++) c[i] = i >= 5 && i < 45 ? a[i] : 1;
  }
  show("update to");
#pragma omp target data map(tofrom : b)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) b[i] += 7;
#pragma omp target update from(b[lo : n]) if (n > 3)
    for (int i = 0; i < N; i++) a[i] += i >= lo && i < lo + n ? b[i] : 0;
#pragma omp target update from(b) if (n < 0)
#pragma omp target update to(b[0 : 0])
  }
  show("update from and if");
  int x = 1, y = 2;
#pragma omp target data map(to : x, y)
  {
    x = 10, y = 20;
#pragma omp target update to(x) to(y)
#pragma omp target map(to : x, y) map(from : c[0 : 1])
    c[0] = x + y;
  }
  show("update scalars");
}

static void conditions(int n) {
  int where[4] = {-1, -1, -1, -1};
#pragma omp target if (n > 1000) map(tofrom : where[0 : 1])
  where[0] = omp_is_initial_device();
#pragma omp target teams distribute parallel for if (target : n > 1000) map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += 3;
#pragma omp target teams distribute parallel for if (n) map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += 3;
#pragma omp target parallel for if (parallel : n > 1000) map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += 3;
#pragma omp target data if (n > 1000) map(tofrom : a[0 : n])
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += 3;
  show("if");
  printf("initial device: %d\n", where[0]);
#pragma omp target device(0) map(tofrom : a)
  for (int i = 0; i < N; i++) a[i] += 1;
  int dev = omp_get_default_device();
#pragma omp target data map(tofrom : b) device(dev)
#pragma omp target teams distribute parallel for device(dev) map(tofrom : b)
  for (int i = 0; i < N; i++) b[i] += 1;
  show("device");
}

static void tasks(int n) {
#pragma omp target teams distribute parallel for nowait map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp target teams distribute parallel for nowait map(tofrom : b[0 : n])
  for (int i = 0; i < n; i++) b[i] += 1;
#pragma omp taskwait
  show("nowait");
  int x = 1;
#pragma omp target enter data map(to : a[0 : n]) nowait depend(out : a)
#pragma omp target teams distribute parallel for nowait depend(inout : a) map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] = a[i] * 2;
#pragma omp target teams distribute parallel for nowait depend(inout : a) map(tofrom : a[0 : n]) firstprivate(x)
  for (int i = 0; i < n; i++) a[i] = a[i] + x;
#pragma omp target update from(a[0 : n]) nowait depend(inout : a)
#pragma omp target exit data map(release : a[0 : n]) nowait depend(inout : a)
#pragma omp taskwait
  show("a chain of tasks");
#pragma omp target depend(out : x) map(tofrom : x)
  x = 5;
#pragma omp target depend(in : x) map(tofrom : x) nowait
  x *= 3;
#pragma omp taskwait
  printf("depend without nowait: %d\n", x);
  int sum = 0;
#pragma omp target teams distribute parallel for nowait reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < n; i++) sum += i;
#pragma omp taskwait
  printf("nowait reduction: %d\n", sum);
}

static void device_pointers(int n) {
  int device = omp_get_default_device(), host = omp_get_initial_device();
  int *d = omp_target_alloc(n * sizeof(int), device);
  omp_target_memcpy(d, a, n * sizeof(int), 0, 0, device, host);
#pragma omp target teams distribute parallel for is_device_ptr(d)
  for (int i = 0; i < n; i++) d[i] *= 2;
#pragma omp target teams distribute parallel for is_device_ptr(d) map(from : c[0 : n])
  for (int i = 0; i < n; i++) c[i] = d[i];
  omp_target_free(d, device);
  show("is_device_ptr");
  int *p = b;
#pragma omp target data map(tofrom : p[0 : n]) use_device_ptr(p)
  {
    int *q = p;
#pragma omp target teams distribute parallel for is_device_ptr(q)
    for (int i = 0; i < n; i++) q[i] += 11;
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < n; i++) p[i] += 11;
  }
  show("use_device_ptr");
  int x = 4;
#pragma omp target data map(tofrom : b, x) use_device_addr(b, x)
  {
    int *q = b, *r = &x;
#pragma omp target is_device_ptr(q, r)
    {
      q[3] += 9;
      *r += 1;
    }
#pragma omp target has_device_addr(b, x)
    {
      b[4] += 9;
      x += 1;
    }
  }
  printf("x: %d\n", x);
  show("use_device_addr");
  printf("present: %d\n", omp_target_is_present(&x, device) >= 0);
}

int main(void) {
  reset();
  regions();
  unstructured(N);
  updates(40, 5);
  conditions(60);
  tasks(N);
  device_pointers(50);
  return 0;
}
