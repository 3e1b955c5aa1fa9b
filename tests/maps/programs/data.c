/* target data, enter data, exit data and update: each type and modifier, with items of several kinds. */
#include "shape.h"

#include <omp.h>

#define N 12

struct box {
  int a;
  double b[N];
  int *p;
  int c;
};

static int copy_of_first(const int *a) {
  int r = -1;
#pragma omp target map(present, alloc : a[0 : 1]) map(from : r)
  r = a[0];
  return r;
}

static void region_tofrom(void) {
  int a[N] = {1};
  shape("target data: array tofrom");
  NOTE(a);
#pragma omp target data map(tofrom : a)
  {
#pragma omp target
    a[0]++;
  }
  check(a[0] == 2);
}

static void region_to_from_alloc(void) {
  int a[N] = {1}, b[N], c[N];
  shape("target data: to, from, alloc in three clauses");
  NOTE(a), NOTE(b), NOTE(c);
#pragma omp target data map(to : a) map(from : b) map(alloc : c)
  {
#pragma omp target
    for (int i = 0; i < N; i++) {
      c[i] = a[i] + 1;
      b[i] = c[i];
    }
  }
  check(b[0] == 2 && b[5] == 1 && a[0] == 1);
}

static void region_scalar_always(void) {
  int x = 1, y = 0;
  shape("target data: scalar always tofrom, inside another");
  NOTE(x), NOTE(y);
#pragma omp target data map(to : x)
  {
    x = 5;
#pragma omp target data map(always, tofrom : x)
    {
#pragma omp target map(from : y) map(x)
      y = x++;
    }
  }
  check(y == 5 && x == 6);
}

static void region_close(void) {
  int x = 1;
  shape("target data: scalar close tofrom");
  NOTE(x);
#pragma omp target data map(close, tofrom : x)
  {
#pragma omp target map(x)
    x++;
  }
  check(x == 2);
}

static void region_present(void) {
  int a[N] = {1};
  shape("target data: section present, mapped before");
  NOTE(a);
#pragma omp target enter data map(to : a)
#pragma omp target data map(present, from : a[2 : 4])
  {
#pragma omp target
    a[2] = 7;
  }
#pragma omp target exit data map(from : a)
  check(a[2] == 7);
}

static void region_hold(void) {
  int a[N] = {1};
  shape("target data: array ompx_hold tofrom");
  NOTE(a);
#pragma omp target data map(ompx_hold, tofrom : a)
  {
#pragma omp target
    a[0]++;
#pragma omp target exit data map(delete : a)
  }
  check(a[0] == 2);
}

static void region_members(void) {
  int data[N] = {4};
  struct box s = {1, {2}, data, 3};
  shape("target data: s.a to, s.p[0:n] tofrom, s.c from");
  NOTE(s), NOTE(data);
#pragma omp target data map(to : s.a) map(tofrom : s.p[0 : N]) map(from : s.c)
  {
#pragma omp target map(alloc : s.a, s.c, s.p[0 : N])
    {
      s.p[0] += s.a;
      s.c = 9;
    }
  }
  check(data[0] == 5 && s.c == 9 && s.p == data);
}

static void region_struct_and_section(void) {
  int data[N] = {4};
  struct box s = {1, {2}, data, 3};
  shape("target data: s and s.p[l:n]");
  NOTE(s), NOTE(data);
#pragma omp target data map(tofrom : s, s.p[0 : 6])
  {
#pragma omp target
    {
      s.p[0] += s.a;
      s.c = 9;
    }
  }
  check(data[0] == 5 && s.c == 9 && s.p == data);
}

static void region_pointer_section(int n) {
  int *p = malloc((size_t)n * sizeof *p);
  p[0] = 1;
  shape("target data: p[0:n]");
  NOTE(p), note("*p", p, (size_t)n * sizeof *p);
#pragma omp target data map(tofrom : p[0 : n])
  {
#pragma omp target map(p[0 : n])
    p[0]++;
  }
  check(p[0] == 2);
  free(p);
}

static void region_empty_section(void) {
  int x = 1, *p = &x;
  shape("target data: p[0:0]");
  NOTE(x), NOTE(p);
#pragma omp target data map(alloc : p[0 : 0]) map(tofrom : x)
  {
#pragma omp target map(x)
    x++;
  }
  check(x == 2);
}

static void region_if(int on) {
  int x = 1;
  shape("target data: if, true in the run");
  NOTE(x);
#pragma omp target data map(tofrom : x) if (on)
  {
#pragma omp target map(x)
    x++;
  }
  check(x == 2);
}

static void region_device(int device) {
  int x = 1;
  shape("target data: device(n)");
  NOTE(x);
#pragma omp target data map(tofrom : x) device(device)
  {
#pragma omp target map(x) device(device)
    x++;
  }
  check(x == 2);
}

static void region_use_device_ptr(void) {
  int a[N] = {1}, *p = a;
  shape("target data: use_device_ptr of a section's pointer");
  NOTE(a), NOTE(p);
#pragma omp target data map(tofrom : p[0 : N]) use_device_ptr(p)
  {
#pragma omp target is_device_ptr(p)
    p[0]++;
  }
  check(a[0] == 2);
}

static void region_use_device_ptr_alone(void) {
  int a[N] = {1}, *p = a;
  shape("target data: use_device_ptr of what is mapped before");
  NOTE(a), NOTE(p);
#pragma omp target enter data map(to : a)
#pragma omp target data use_device_ptr(p)
  {
#pragma omp target is_device_ptr(p)
    p[0]++;
  }
#pragma omp target exit data map(from : a)
  check(a[0] == 2);
}

static void region_use_device_addr(void) {
  int a[N] = {1};
  shape("target data: use_device_addr of an array");
  NOTE(a);
#pragma omp target data map(tofrom : a) use_device_addr(a)
  {
#pragma omp target has_device_addr(a)
    a[0]++;
  }
  check(a[0] == 2);
}

static void region_use_device_addr_scalar(void) {
  int x = 1;
  shape("target data: use_device_addr of a scalar");
  NOTE(x);
#pragma omp target data map(tofrom : x) use_device_addr(x)
  {
#pragma omp target has_device_addr(x)
    x++;
  }
  check(x == 2);
}

static void region_use_device_addr_alone(void) {
  int a[N] = {1}, x = 3;
  shape("target data: use_device_addr of what is mapped before");
  NOTE(a), NOTE(x);
#pragma omp target enter data map(to : a, x)
#pragma omp target data use_device_addr(a, x)
  {
#pragma omp target has_device_addr(a, x)
    a[0] += x;
  }
#pragma omp target exit data map(from : a) map(release : x)
  check(a[0] == 4);
}

static void region_use_device_both(void) {
  int a[N] = {1}, b[N] = {2}, *p = b;
  shape("target data: use_device_addr and use_device_ptr with maps");
  NOTE(a), NOTE(b), NOTE(p);
#pragma omp target data map(tofrom : a, b) use_device_addr(a) use_device_ptr(p)
  {
#pragma omp target has_device_addr(a) is_device_ptr(p)
    a[0] += p[0];
  }
  check(a[0] == 3);
}

static void enter_exit_to_from(void) {
  int a[N] = {1};
  shape("enter data to, exit data from: array");
  NOTE(a);
#pragma omp target enter data map(to : a)
#pragma omp target
  a[0]++;
#pragma omp target exit data map(from : a)
  check(a[0] == 2);
}

static void enter_alloc_exit_release(void) {
  int a[N] = {1}, r = 0;
  shape("enter data alloc, exit data release: array");
  NOTE(a), NOTE(r);
#pragma omp target enter data map(alloc : a)
#pragma omp target map(from : r)
  {
    a[0] = 6;
    r = a[0];
  }
#pragma omp target exit data map(release : a)
  check(a[0] == 1 && r == 6);
}

static void enter_twice_exit_delete(void) {
  int a[N] = {1};
  shape("enter data twice, exit data delete: section");
  NOTE(a);
#pragma omp target enter data map(to : a[2 : 4])
#pragma omp target enter data map(to : a[2 : 4])
#pragma omp target exit data map(delete : a[2 : 4])
  check(!omp_target_is_present(&a[2], omp_get_default_device()));
}

static void enter_always(void) {
  int a[N] = {1}, r = 0;
  shape("enter data always to: array, mapped before");
  NOTE(a), NOTE(r);
#pragma omp target enter data map(to : a)
  a[0] = 5;
#pragma omp target enter data map(always, to : a)
#pragma omp target map(from : r)
  r = a[0]++;
#pragma omp target exit data map(always, from : a)
  check(r == 5 && a[0] == 6);
#pragma omp target exit data map(release : a)
}

static void enter_close_exit_from(void) {
  double x = 1;
  shape("enter data close to, exit data from: scalar");
  NOTE(x);
#pragma omp target enter data map(close, to : x)
#pragma omp target map(x)
  x++;
#pragma omp target exit data map(from : x)
  check(x == 2);
}

static void enter_present(void) {
  int a[N] = {1};
  shape("enter data present alloc, exit data present release");
  NOTE(a);
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(present, alloc : a[0 : 3])
#pragma omp target exit data map(present, release : a[0 : 3])
  check(copy_of_first(a) == 1);
#pragma omp target exit data map(from : a)
}

static void enter_pointer_section(int n) {
  int *p = malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) p[i] = i;
  shape("enter data p[l:n] to, exit data p[l:n] from");
  NOTE(p), note("*p", p, (size_t)n * sizeof *p);
#pragma omp target enter data map(to : p[2 : n - 4])
#pragma omp target map(p[2 : n - 4])
  p[3] = 30;
#pragma omp target exit data map(from : p[2 : n - 4])
  check(p[3] == 30);
  free(p);
}

static void enter_members(void) {
  int data[N] = {4};
  struct box s = {1, {2}, data, 3};
  shape("enter data s.a, s.p[0:n], s.c; exit data the same");
  NOTE(s), NOTE(data);
#pragma omp target enter data map(to : s.a, s.p[0 : N]) map(alloc : s.c)
#pragma omp target map(alloc : s.a, s.c, s.p[0 : N])
  {
    s.p[0] += s.a;
    s.c = 9;
  }
#pragma omp target exit data map(from : s.p[0 : N], s.c) map(release : s.a)
  check(data[0] == 5 && s.c == 9 && s.p == data);
}

static void enter_struct_then_section(void) {
  int data[N] = {4};
  struct box s = {1, {2}, data, 3};
  shape("enter data s, then s.p[0:n]; exit data in reverse");
  NOTE(s), NOTE(data);
#pragma omp target enter data map(to : s)
#pragma omp target enter data map(to : s.p[0 : N])
#pragma omp target
  s.p[0] += s.a;
#pragma omp target exit data map(from : s.p[0 : N])
#pragma omp target exit data map(release : s)
  check(data[0] == 5 && s.p == data);
}

static void enter_arrow(struct box *q, int *data) {
  shape("enter data q[0:1] and q->p[0:n], exit data delete");
  note("*q", q, sizeof *q), NOTE(q), note("data", data, N * sizeof *data);
#pragma omp target enter data map(to : q[0 : 1]) map(to : q->p[0 : N])
#pragma omp target
  q->p[0] += q->a;
#pragma omp target update from(q->p[0 : N])
#pragma omp target exit data map(delete : q->p[0 : N]) map(delete : q[0 : 1])
  check(data[0] == 5 && q->p == data);
}

static void enter_several(void) {
  int a[N] = {1}, x = 2;
  double b[3][N];
  shape("enter data of several items, exit data release and from");
  NOTE(a), NOTE(x), NOTE(b);
#pragma omp target enter data map(to : a, x) map(alloc : b[1 : 2][0 : N])
#pragma omp target map(x)
  b[1][1] = a[0] + x;
#pragma omp target exit data map(release : a, x) map(from : b[1 : 2][0 : N])
  check(b[1][1] == 3);
}

static void enter_nowait(void) {
  int a[N] = {1};
  shape("enter data nowait, exit data nowait: array");
  NOTE(a);
#pragma omp target enter data map(to : a) nowait depend(out : a)
#pragma omp target map(a) nowait depend(inout : a)
  a[0]++;
#pragma omp target exit data map(from : a) nowait depend(inout : a)
#pragma omp taskwait
  check(a[0] == 2);
}

static void enter_depend(void) {
  int a[N] = {1};
  shape("enter data depend, exit data if and device");
  NOTE(a);
#pragma omp target enter data map(to : a) depend(out : a)
#pragma omp target map(a)
  a[0]++;
#pragma omp target exit data map(from : a) if (a[1] == 0) device(omp_get_default_device())
  check(a[0] == 2);
}

static void update_scalar(void) {
  int x = 1, r = 0;
  shape("update to and from: scalar");
  NOTE(x), NOTE(r);
#pragma omp target data map(alloc : x)
  {
    x = 4;
#pragma omp target update to(x)
#pragma omp target map(from : r) map(x)
    r = x++;
#pragma omp target update from(x)
  }
  check(r == 4 && x == 5);
}

static void update_array(void) {
  int a[N] = {1};
  shape("update to and from: array");
  NOTE(a);
#pragma omp target data map(alloc : a)
  {
#pragma omp target update to(a)
#pragma omp target
    a[0]++;
#pragma omp target update from(a)
  }
  check(a[0] == 2);
}

static void update_both(void) {
  int a[N] = {1}, b[N] = {2};
  shape("update to and from in one directive");
  NOTE(a), NOTE(b);
#pragma omp target data map(to : a, b)
  {
    a[0] = 5;
#pragma omp target
    b[0] = 6;
#pragma omp target update to(a) from(b)
    check(copy_of_first(a) == 5 && b[0] == 6);
  }
}

static void update_section(void) {
  int a[N], r = 0;
  for (int i = 0; i < N; i++) a[i] = i;
  shape("update from a[l:n]");
  NOTE(a), NOTE(r);
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < N; i++) a[i] = 50;
#pragma omp target update from(a[3 : 4])
    r = a[2] == 2 && a[3] == 50 && a[6] == 50 && a[7] == 7;
  }
  check(r);
}

static void update_pointer_section(int n) {
  int *p = malloc((size_t)n * sizeof *p), r = 0;
  for (int i = 0; i < n; i++) p[i] = i;
  shape("update from p[l:n], bounds of the run");
  NOTE(p), note("*p", p, (size_t)n * sizeof *p), NOTE(r);
#pragma omp target data map(to : p[0 : n])
  {
#pragma omp target
    for (int i = 0; i < n; i++) p[i] = 50;
#pragma omp target update from(p[3 : n - 5])
    r = p[2] == 2 && p[3] == 50 && p[n - 3] == 50 && p[n - 2] == n - 2;
  }
  check(r);
  free(p);
}

static void update_rows(void) {
  double a[4][5];
  int r = 0;
  for (int i = 0; i < 20; i++) a[i / 5][i % 5] = i;
  shape("update to a[l:n][:]");
  NOTE(a), NOTE(r);
#pragma omp target data map(to : a)
  {
    a[2][2] = 100, a[0][0] = 200;
#pragma omp target update to(a[1 : 2][:])
#pragma omp target map(from : r)
    r = a[2][2] == 100 && a[0][0] == 0;
  }
  check(r);
}

static void update_present(void) {
  int a[N] = {1}, r = 0;
  shape("update present to, present from");
  NOTE(a), NOTE(r);
#pragma omp target data map(alloc : a)
  {
#pragma omp target update to(present : a)
#pragma omp target map(from : r)
    r = a[0]++;
#pragma omp target update from(present : a[0 : 2])
  }
  check(r == 1 && a[0] == 2);
}

static void update_not_mapped(void) {
  int a[N] = {1}, b[N] = {2};
  shape("update of what is not mapped does nothing");
  NOTE(a), NOTE(b);
#pragma omp target update to(a) from(b[2 : 2])
  check(a[0] == 1);
}

static void update_members(void) {
  int data[N] = {4};
  struct box s = {1, {2}, data, 3};
  shape("update from s.a, s.b[l:n] and to s.c");
  NOTE(s), NOTE(data);
#pragma omp target data map(to : s)
  {
    s.c = 8;
#pragma omp target update to(s.c)
#pragma omp target
    {
      s.a = s.c;
      s.b[2] = 5;
    }
#pragma omp target update from(s.a, s.b[1 : 3])
  }
  check(s.a == 8 && s.b[2] == 5);
}

static void update_member_section(void) {
  int data[N] = {4}, r = 0;
  struct box s = {1, {2}, data, 3};
  shape("update from s.p[l:n]");
  NOTE(s), NOTE(data), NOTE(r);
#pragma omp target data map(to : s, s.p[0 : N])
  {
#pragma omp target
    for (int i = 0; i < N; i++) s.p[i] = 60;
#pragma omp target update from(s.p[2 : 3])
    r = data[1] == 0 && data[2] == 60 && data[4] == 60 && data[5] == 0 && s.p == data;
  }
  check(r);
}

static void update_arrow(struct box *q, int *data) {
  int r = 0;
  q->a = 1, q->p = data;
  shape("update from q->a and q->p[0:n]");
  note("*q", q, sizeof *q), NOTE(q), note("data", data, N * sizeof *data), NOTE(r);
#pragma omp target data map(to : q[0 : 1], q->p[0 : N])
  {
#pragma omp target
    {
      q->a = 11;
      q->p[1] = 12;
    }
#pragma omp target update from(q->a) from(q->p[0 : N])
    r = q->a == 11 && data[1] == 12 && q->p == data;
  }
  check(r);
}

static void update_pointee(void) {
  int x = 1, *p = &x;
  shape("update from *p");
  NOTE(x), NOTE(p);
#pragma omp target data map(to : x)
  {
#pragma omp target map(x)
    x = 3;
#pragma omp target update from(*p)
  }
  check(x == 3);
}

static void update_element(void) {
  int a[N] = {1};
  shape("update from a[i]");
  NOTE(a);
#pragma omp target data map(to : a)
  {
#pragma omp target
    a[4] = 3;
#pragma omp target update from(a[4])
  }
  check(a[4] == 3);
}

static void update_if_nowait(int on) {
  int a[N] = {1};
  shape("update if, nowait, depend");
  NOTE(a);
#pragma omp target data map(to : a)
  {
#pragma omp target
    a[4] = 3;
#pragma omp target update from(a) if (on) nowait depend(inout : a)
#pragma omp taskwait
  }
  check(a[4] == 3);
}

static void update_vla(int n, int m) {
  int a[n][m];
  for (int i = 0; i < n * m; i++) a[i / m][i % m] = i;
  shape("update from VLA a[l:n][:]");
  NOTE(a);
#pragma omp target data map(to : a)
  {
#pragma omp target
    a[n - 1][m - 1] = 3;
#pragma omp target update from(a[1 : n - 1][:])
  }
  check(a[n - 1][m - 1] == 3);
}

int main(void) {
  static int data[N] = {4};
  static struct box q = {1, {2}, data, 3};
  RUN(region_tofrom());
  RUN(region_to_from_alloc());
  RUN(region_scalar_always());
  RUN(region_close());
  RUN(region_present());
  RUN(region_hold());
  RUN(region_members());
  RUN(region_struct_and_section());
  RUN(region_pointer_section(N));
  RUN(region_empty_section());
  RUN(region_if(1));
  RUN(region_device(omp_get_default_device()));
  RUN(region_use_device_ptr());
  RUN(region_use_device_ptr_alone());
  RUN(region_use_device_addr());
  RUN(region_use_device_addr_scalar());
  RUN(region_use_device_addr_alone());
  RUN(region_use_device_both());
  RUN(enter_exit_to_from());
  RUN(enter_alloc_exit_release());
  RUN(enter_twice_exit_delete());
  RUN(enter_always());
  RUN(enter_close_exit_from());
  RUN(enter_present());
  RUN(enter_pointer_section(N));
  RUN(enter_members());
  RUN(enter_struct_then_section());
  RUN(enter_arrow(&q, data));
  RUN(enter_several());
  RUN(enter_nowait());
  RUN(enter_depend());
  RUN(update_scalar());
  RUN(update_array());
  RUN(update_both());
  RUN(update_section());
  RUN(update_pointer_section(N));
  RUN(update_rows());
  RUN(update_present());
  RUN(update_not_mapped());
  RUN(update_members());
  RUN(update_member_section());
  RUN(update_arrow(&q, data));
  RUN(update_pointee());
  RUN(update_element());
  RUN(update_if_nowait(1));
  RUN(update_vla(3, 4));
  return 0;
}
