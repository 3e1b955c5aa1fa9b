/* nowait and depend on kernels and data constructs: tasks that are slow enough to be overtaken where a dependence, or the
   value of when the task was made, is not heeded. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
static int a[N], b[N], c[N];
static int step = 1, last = N;
struct point { int x, y; double weights[3]; };

#pragma omp begin declare target
static int slowly(int value) {
  volatile int spent = 0;
  for (int i = 0; i < 400000; i++) spent += i & 1;
  return value + (spent < 0);
}
#pragma omp end declare target

static long sum_of(const int *p) {
  long s = 0;
  for (int i = 0; i < N; i++) s += (i + 1L) * p[i];
  return s;
}

static void reset(void) {
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 2 * i, c[i] = 0;
}

static void chains(int n) {
  reset();
#pragma omp target enter data map(to : a[0 : n]) map(alloc : c) nowait depend(out : a, c)
#pragma omp target teams distribute parallel for map(a[0 : n]) nowait depend(inout : a)
  for (int i = 0; i < n; i++) a[i] = slowly(a[i]) * 2;
#pragma omp target parallel for nowait depend(in : a[0 : n]) depend(out : c) map(a[0 : n], c)
  for (int i = 0; i < n; i++) c[i] = a[i] + 1;
#pragma omp target nowait depend(inout : c) map(c)
  for (int i = n - 1; i > 0; i--) c[i] += c[i - 1];
#pragma omp target update from(c) nowait depend(inout : c)
#pragma omp target update from(a[0 : n]) nowait depend(in : a)
#pragma omp taskwait
  printf("chain: %ld %ld\n", sum_of(a), sum_of(c));
  for (int i = 0; i < n; i++) a[i] = 5;
#pragma omp target update to(a) nowait depend(inout : a)
#pragma omp target teams distribute map(a) nowait depend(inout : a)
  for (int i = 0; i < n; i++) a[i] += slowly(i);
#pragma omp target exit data map(from : a[0 : n]) map(delete : c) nowait depend(inout : a, c)
#pragma omp target enter data map(to : a) depend(inout : a)
#pragma omp target update from(a) depend(in : a)
  printf("undeferred: %ld\n", sum_of(a));
#pragma omp target exit data map(release : a) depend(inout : a)
}

static void values_of_then(void) {
  int at[N] = {0}, i, k = 3, block = 8;
  struct point p = {1, 2, {0.5, 0.25, 0.125}};
  int table[4] = {1, 2, 3, 4}, *row = b;
  reset();
  for (i = 0; i < N; i += block) {
#pragma omp target nowait map(tofrom : at[i : block], row[i : step]) map(to : table)
    {
      for (int j = i; j < i + block; j++) at[j] = slowly(j) + table[j % 4];
      row[i] += 1;
    }
  }
#pragma omp taskwait
  i = 7;
#pragma omp target nowait firstprivate(p, table) map(tofrom : at[0 : 4])
  for (int j = 0; j < 4; j++) at[j] = slowly(table[j]) * p.y + (int)(p.weights[j % 3] * 8) + i + k + step;
  i = 1000, k = 2000, step = 3000;
  p.y = 4000, p.weights[0] = 5000;
  table[0] = table[3] = 6000;
#pragma omp taskwait
  step = 1;
  printf("values: %ld %ld\n", sum_of(at), sum_of(b));
#pragma omp parallel num_threads(4) shared(at, k, row, p)
#pragma omp single
  {
    k = 11, row = a, p.x = 5;
#pragma omp target nowait map(tofrom : at[0 : last / 2], row[0 : 4]) firstprivate(p)
    {
      for (int j = 0; j < N / 2; j++) at[j] = slowly(k) + p.x + j + last;
      row[3] = k;
    }
    k = 12, row = b, p.x = 6, last = 8;
#pragma omp target nowait map(tofrom : at[N / 2 : N / 2], row[0 : last / 2]) firstprivate(p) device(0 * k)
    {
      for (int j = N / 2; j < N; j++) at[j] = slowly(k) + p.x + j + last;
      row[3] = k;
    }
    k = 13, row = c, p.x = 7, last = N;
  }
  printf("values in a team: %ld %d %d %d\n", sum_of(at), a[3], b[3], c[3]);
}

static void deferred_or_not(int yes, int no) {
  int now = 0, later = 0;
#pragma omp target nowait(no) map(tofrom : now)
  now = slowly(4);
  printf("nowait: %d", now);
#pragma omp target nowait(yes) map(tofrom : later) depend(out : later)
  later = slowly(5);
#pragma omp target update to(now) nowait(no) depend(in : later)
  printf(" %d\n", later);
}

static void in_final_tasks(void) {
  int x = 0, seen = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task final(1) shared(x, seen)
  {
#pragma omp target nowait map(tofrom : x)
    x = slowly(1);
    seen = x;
  }
  printf("final: %d\n", seen);
}

static void pointers_themselves(void) {
  int *p = a, moved = 0;
  reset();
#pragma omp target nowait map(tofrom : p, moved) depend(out : p)
  {
    moved = slowly(1);
    p = p + 2;
  }
#pragma omp taskwait depend(in : p)
  printf("pointer: %d %d\n", (int)(p - a), moved);
}

static void kinds(int n) {
  int x = 1, y = 0, z = 0;
  omp_depend_t wait_for_x, set;
  reset();
#pragma omp depobj(wait_for_x) depend(inout : x)
#pragma omp depobj(set) depend(mutexinoutset : y)
#pragma omp target nowait depend(out : x) map(x)
  x = slowly(5);
#pragma omp target nowait depend(depobj : wait_for_x) map(x)
  x = slowly(x) * 7;
#pragma omp target data map(tofrom : y)
  {
#pragma omp target nowait depend(mutexinoutset : y) map(y)
    y += slowly(1);
#pragma omp target nowait depend(depobj : set) map(y)
    y += slowly(2);
#pragma omp target depend(mutexinoutset : y) map(y)
    y += 4;
#pragma omp target depend(in : y) map(always, from : y)
    y += 0;
  }
#pragma omp taskwait
  printf("objects and sets: %d %d\n", x, y);
  for (int i = 0; i < 8; i++) {
#pragma omp target nowait depend(out : a[i]) map(a[i])
    a[i] = slowly(i) + 100;
  }
#pragma omp target nowait depend(iterator(i = 0 : 8), in : a[i]) map(to : a[0 : 8]) map(z)
  for (int i = 0; i < 8; i++) z += a[i];
#pragma omp target nowait depend(iterator(int i = 7 : -1 : -1, j = 0 : n), inout : a[i - i % 2 + j]) depend(inout : z) map(a) map(z)
  for (int i = 0; i < 8; i++) a[i] = z + i;
#pragma omp taskwait depend(in : a[3]) depend(in : z)
  printf("iterators: %d %ld\n", z, sum_of(a));
#pragma omp depobj(wait_for_x) update(in)
#pragma omp target update to(x) if (0) nowait depend(depobj : wait_for_x)
#pragma omp depobj(wait_for_x) destroy
#pragma omp depobj(set) destroy
#pragma omp taskwait
}

static void links_of_nothing(void) {
  int x = 0, y = 0, never = 0;
  reset();
#pragma omp target nowait depend(out : x) map(tofrom : x)
  x = slowly(3);
#pragma omp target enter data map(to : b) if (never) nowait depend(in : x) depend(out : y)
#pragma omp target nowait depend(inout : y) map(to : x) map(from : y) if (target : !never)
  y = x + 1;
#pragma omp target nowait depend(inout : y) map(tofrom : x, y) if (never)
  y += x;
#pragma omp target depend(inout : x, y) map(x) if (never) depend(iterator(i = 0 : 2), in : a[i])
  x += 100;
#pragma omp taskwait
  printf("if: %d %d\n", x, y);
}

static void teams_and_groups(int n) {
  int parts[4] = {0}, total = 0;
  reset();
#pragma omp taskgroup
  {
    for (int t = 0; t < 4; t++) {
#pragma omp target nowait map(tofrom : parts[t])
      parts[t] = slowly(t + 1);
    }
  }
  printf("group: %d\n", parts[0] + parts[1] + parts[2] + parts[3]);
#pragma omp parallel num_threads(3)
  {
#pragma omp single nowait
    for (int t = 0; t < 4; t++) {
#pragma omp target teams distribute parallel for nowait map(tofrom : parts[t]) map(to : a[0 : n]) reduction(+ : parts[t : 1])
      for (int i = 0; i < n; i++) parts[t] += a[i] + (i == 0 ? slowly(0) : 0);
    }
#pragma omp barrier
#pragma omp master
    total = parts[0] + parts[1] + parts[2] + parts[3];
  }
  printf("barrier: %d\n", total);
#pragma omp parallel num_threads(3)
#pragma omp for
  for (int t = 0; t < 4; t++) {
#pragma omp target nowait map(tofrom : parts[t]) firstprivate(t)
    parts[t] = slowly(t) * 3;
  }
  printf("end of a parallel: %d\n", parts[0] + parts[1] + parts[2] + parts[3]);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(parts)
  {
#pragma omp target nowait map(tofrom : parts[0]) depend(out : parts[0])
    parts[0] = slowly(50);
#pragma omp task shared(parts) depend(in : parts[0]) depend(out : parts[1])
    parts[1] = parts[0] + 1;
#pragma omp target nowait map(tofrom : parts) depend(in : parts[0], parts[1])
    parts[2] = parts[1] + 1;
#pragma omp taskwait
  }
  printf("with tasks of the host: %d %d %d\n", parts[0], parts[1], parts[2]);
}

static void newer_kinds(void) {
  int x = 0, y = 0, z = 0, host = 1;
#pragma omp target nowait map(x) depend(out : z)
  x = slowly(1);
#pragma omp target nowait map(y) map(to : x) depend(inoutset : z)
  y = slowly(2) + x;
#pragma omp target nowait map(tofrom : a[0 : 1]) map(to : x) depend(inoutset : z)
  a[0] = slowly(3) + x;
#pragma omp target nowait map(z) map(to : x, y) depend(out : omp_all_memory)
  z = 100 * x + 10 * y;
#pragma omp target nowait map(z) map(to : a) if (!host) depend(out : omp_all_memory)
  z += slowly(a[0]);
#pragma omp target nowait map(x) map(to : z) depend(inout : z)
  x = z;
#pragma omp taskwait
  printf("OpenMP 5.1: %d %d %d\n", x, y, z);
}

static void device_addresses(int n) {
  int x = 3, *p = a;
  reset();
#pragma omp target data map(tofrom : p[0 : n], x) use_device_ptr(p) use_device_addr(x)
  {
#pragma omp target nowait is_device_ptr(p) depend(out : a)
    for (int i = 0; i < n; i++) p[i] = slowly(p[i]);
#pragma omp target nowait is_device_ptr(p) has_device_addr(x) depend(inout : a)
    for (int i = 0; i < n; i++) p[i] *= ++x;
#pragma omp taskwait
  }
  printf("device addresses: %ld %d\n", sum_of(a), x);
}

/* A task has its own copy of an array whose extent the run knows. */
static void runtime_arrays(int n) {
  int v[n], w[3][n], s = 0, d = 0;
  for (int i = 0; i < n; i++) v[i] = w[0][i] = w[1][i] = w[2][i] = i;
#pragma omp target nowait firstprivate(v) map(tofrom : s)
  for (int i = 0; i < n; i++) s += slowly(++v[i]) + (int)(sizeof(v) / sizeof(int));
  for (int i = 0; i < n; i++) v[i] = 100;
#pragma omp target nowait firstprivate(w) map(tofrom : d) depend(out : d)
  for (int i = 0; i < n; i++) d += slowly(++w[1][i]);
  for (int i = 0; i < n; i++) w[1][i] = 100;
#pragma omp target nowait firstprivate(w) map(tofrom : d) depend(inout : d)
  d += w[1][3] + w[2][4];
  for (int i = 0; i < n; i++) w[1][i] = 5;
#pragma omp taskwait
  printf("arrays: %d %d %d %d\n", s, v[3], d, w[1][1]);
}

int main(void) {
  runtime_arrays(10);
  chains(N);
  values_of_then();
  deferred_or_not(1, 0);
  in_final_tasks();
  pointers_themselves();
  kinds(2);
  links_of_nothing();
  teams_and_groups(N);
  device_addresses(N);
  newer_kinds();
  return 0;
}
