/* Members of structs: one and several, nested, through pointers, with what pointer members point to. */
#include "shape.h"

#define N 8

struct inner {
  int x;
  double r[4];
  int *q;
};

struct outer {
  int a;
  double b[N];
  int *p;
  struct inner in;
  struct inner *far;
  int c;
};

static struct outer s;
static struct inner far_inner;
static int data[N], more[N];

static void prepare(struct outer *o) {
  for (int i = 0; i < N; i++) data[i] = i, more[i] = 10 * i, o->b[i] = i;
  for (int i = 0; i < 4; i++) o->in.r[i] = i, far_inner.r[i] = 100 + i;
  o->a = 1, o->c = 2, o->p = data, o->in.x = 3, o->in.q = more, o->far = &far_inner;
  far_inner.x = 4, far_inner.q = more;
}

static void begin(const char *id, const char *name, struct outer *o) {
  prepare(o);
  shape(id);
  note(name, o, sizeof *o);
  note("data", data, sizeof data), note("more", more, sizeof more), note("far", &far_inner, sizeof far_inner);
}

static void scalar_member(void) {
  struct outer s;
  begin("s.a", "s", &s);
#pragma omp target map(tofrom : s.a)
  s.a += 10;
  check(s.a == 11 && s.c == 2);
}

static void scalar_member_to(void) {
  struct outer s;
  int r = 0;
  begin("s.a to", "s", &s);
  NOTE(r);
#pragma omp target map(to : s.a) map(from : r)
  r = s.a;
  check(r == 1);
}

static void array_member(void) {
  struct outer s;
  begin("s.b", "s", &s);
#pragma omp target map(tofrom : s.b)
  s.b[3] += 10;
  check(s.b[3] == 13);
}

static void array_member_section(void) {
  struct outer s;
  begin("s.b[l:n]", "s", &s);
#pragma omp target map(tofrom : s.b[2 : 3])
  s.b[3] += 10;
  check(s.b[3] == 13);
}

static void array_member_element(void) {
  struct outer s;
  begin("s.b[i]", "s", &s);
#pragma omp target map(tofrom : s.b[3])
  s.b[3] += 10;
  check(s.b[3] == 13);
}

static void pointer_member(void) {
  struct outer s;
  int r = 0;
  begin("s.p, the pointer itself", "s", &s);
  NOTE(r);
#pragma omp target map(to : s.p) map(from : r)
  r = s.p != 0;
  check(r);
}

static void pointer_member_section(void) {
  struct outer s;
  begin("s.p[0:n]", "s", &s);
#pragma omp target map(tofrom : s.p[0 : N])
  s.p[3] += 10;
  check(data[3] == 13 && s.p == data);
}

static void pointer_member_section_with_bound(void) {
  struct outer s;
  begin("s.p[l:n]", "s", &s);
#pragma omp target map(tofrom : s.p[2 : 3])
  s.p[3] += 10;
  check(data[3] == 13 && data[1] == 1);
}

static void pointer_member_empty(void) {
  struct outer s;
  begin("s.p[:0], attached to what is mapped", "s", &s);
#pragma omp target data map(tofrom : data)
#pragma omp target map(tofrom : s.p[:0])
  s.p[3] += 10;
  check(data[3] == 13 && s.p == data);
}

static void two_members(void) {
  struct outer s;
  begin("s.a and s.c in one clause", "s", &s);
#pragma omp target map(tofrom : s.a, s.c)
  {
    s.a += 10;
    s.c += s.a;
  }
  check(s.a == 11 && s.c == 13);
}

static void two_members_in_reverse(void) {
  struct outer s;
  begin("s.c and s.b[l:n], last member first", "s", &s);
#pragma omp target map(tofrom : s.c, s.b[2 : 3])
  s.c += (int)s.b[3];
  check(s.c == 5);
}

static void members_in_several_clauses(void) {
  struct outer s;
  begin("s.a to, s.c from, s.b always tofrom", "s", &s);
#pragma omp target map(to : s.a) map(from : s.c) map(always, tofrom : s.b)
  {
    s.c = s.a + 40;
    s.b[1] = 9;
  }
  check(s.a == 1 && s.c == 41 && s.b[1] == 9);
}

static void members_with_section(void) {
  struct outer s;
  begin("s.a, s.p[0:n], s.c", "s", &s);
#pragma omp target map(tofrom : s.a, s.p[0 : N], s.c)
  {
    s.p[2] += s.a;
    s.c = 6;
  }
  check(data[2] == 3 && s.c == 6);
}

static void pointer_and_section(void) {
  struct outer s;
  begin("s.p and s.p[0:n]", "s", &s);
#pragma omp target map(to : s.p) map(tofrom : s.p[0 : N])
  s.p[2] += 10;
  check(data[2] == 12);
}

static void whole_and_section(void) {
  struct outer s;
  begin("s and s.p[0:n]", "s", &s);
#pragma omp target map(tofrom : s) map(tofrom : s.p[0 : N])
  {
    s.a = 9;
    s.p[2] += 10;
  }
  check(data[2] == 12 && s.a == 9 && s.p == data);
}

static void section_before_whole(void) {
  struct outer s;
  begin("s.p[0:n] from, then s to", "s", &s);
#pragma omp target map(from : s.p[0 : N]) map(to : s)
  for (int i = 0; i < N; i++) s.p[i] = s.a;
  check(data[2] == 1 && s.a == 1 && s.p == data);
}

static void whole_and_two_sections(void) {
  struct outer s;
  begin("s, s.p[0:n] and s.in.q[l:n]", "s", &s);
#pragma omp target map(tofrom : s, s.p[0 : N], s.in.q[1 : 4])
  s.p[2] += s.in.q[1];
  check(data[2] == 12);
}

static void whole_and_member(void) {
  struct outer s;
  begin("s and s.a", "s", &s);
#pragma omp target map(tofrom : s, s.a)
  s.a += 10;
  check(s.a == 11);
}

static void nested_scalar(void) {
  struct outer s;
  begin("s.in.x", "s", &s);
#pragma omp target map(tofrom : s.in.x)
  s.in.x += 10;
  check(s.in.x == 13);
}

static void nested_array(void) {
  struct outer s;
  begin("s.in.r[l:n]", "s", &s);
#pragma omp target map(tofrom : s.in.r[1 : 2])
  s.in.r[2] += 10;
  check(s.in.r[2] == 12);
}

static void nested_pointer(void) {
  struct outer s;
  begin("s.in.q[l:n]", "s", &s);
#pragma omp target map(tofrom : s.in.q[1 : 2])
  s.in.q[2] += 10;
  check(more[2] == 30);
}

static void nested_struct(void) {
  struct outer s;
  begin("s.in", "s", &s);
#pragma omp target map(tofrom : s.in)
  s.in.r[2] += s.in.x;
  check(s.in.r[2] == 5 && s.in.q == more);
}

static void nested_struct_and_pointer(void) {
  struct outer s;
  begin("s.in and s.in.q[0:n]", "s", &s);
#pragma omp target map(tofrom : s.in, s.in.q[0 : N])
  s.in.q[2] += s.in.x;
  check(more[2] == 23 && s.in.q == more);
}

static void nested_and_flat(void) {
  struct outer s;
  begin("s.in.x, s.c and s.in.q[0:n] between them", "s", &s);
#pragma omp target map(tofrom : s.c) map(to : s.in.x) map(tofrom : s.in.q[0 : N])
  s.c = s.in.q[2] += s.in.x;
  check(more[2] == 23 && s.c == 23);
}

static void member_of_pointee_in_struct(void) {
  struct outer s;
  begin("s.far->x", "s", &s);
#pragma omp target map(tofrom : s.far->x)
  s.far->x += 10;
  check(far_inner.x == 14);
}

static void section_of_pointee_in_struct(void) {
  struct outer s;
  static struct inner own;
  begin("s.far->q[l:n]", "s", &s);
  s.far = &own, own.q = more;
  NOTE(own);
#pragma omp target map(tofrom : s.far->q[1 : 3])
  s.far->q[2] += 10;
  check(more[2] == 30 && s.far == &own && own.q == more);
}

static void static_struct(void) {
  begin("members of a global struct", "s", &s);
#pragma omp target map(tofrom : s.a, s.p[0 : N])
  s.p[2] += s.a;
  check(data[2] == 3);
}

static void arrow_scalar(struct outer *p) {
  begin("p->a", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : p->a)
  p->a += 10;
  check(p->a == 11);
}

static void arrow_array(struct outer *p) {
  begin("p->b[l:n]", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : p->b[2 : 3])
  p->b[3] += 10;
  check(p->b[3] == 13);
}

static void arrow_section(struct outer *p) {
  begin("p->p[0:n]", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : p->p[0 : N])
  p->p[3] += 10;
  check(data[3] == 13 && p->p == data);
}

static void arrow_several(struct outer *p) {
  begin("p->a, p->c, p->p[l:n] in three clauses", "*p", p);
  NOTE(p);
#pragma omp target map(to : p->a) map(from : p->c) map(tofrom : p->p[1 : 4])
  {
    p->p[3] += p->a;
    p->c = p->p[3];
  }
  check(data[3] == 4 && p->c == 4);
}

static void arrow_nested(struct outer *p) {
  begin("p->in.r[l:n]", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : p->in.r[1 : 2])
  p->in.r[2] += 10;
  check(p->in.r[2] == 12);
}

static void arrow_nested_pointer(struct outer *p) {
  begin("p->in.q[l:n]", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : p->in.q[1 : 2])
  p->in.q[2] += 10;
  check(more[2] == 30);
}

static void arrow_arrow_scalar(struct outer *p) {
  begin("p->far->x", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : p->far->x)
  p->far->x += 10;
  check(far_inner.x == 14);
}

static void arrow_arrow_section(struct outer *p) {
  static struct inner own;
  begin("p->far->q[0:n]", "*p", p);
  p->far = &own, own.q = more;
  NOTE(p), NOTE(own);
#pragma omp target map(tofrom : p->far->q[0 : N])
  p->far->q[2] += 10;
  check(more[2] == 30);
}

static void arrow_arrow_array(struct outer *p) {
  begin("p->far->r[l:n]", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : p->far->r[1 : 3])
  p->far->r[2] += 10;
  check(far_inner.r[2] == 112);
}

static void pointee_and_section(struct outer *p) {
  begin("*p and p->p[0:n]", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : *p) map(tofrom : p->p[0 : N])
  p->p[3] += p->a;
  check(data[3] == 4 && p->p == data);
}

static void element_and_section(struct outer *p) {
  begin("p[0:1] and p->p[0:n]", "*p", p);
  NOTE(p);
#pragma omp target map(to : p[0 : 1]) map(tofrom : p->p[0 : N])
  p->p[3] += p->a;
  check(data[3] == 4 && p->p == data);
}

static void member_of_array_element(void) {
  struct outer t[3];
  for (int i = 0; i < 3; i++) prepare(&t[i]);
  begin("t[i].a", "t", &t[1]);
  NOTE(t);
#pragma omp target map(tofrom : t[1].a)
  t[1].a += 10;
  check(t[1].a == 11 && t[0].a == 1);
}

static void section_of_array_element(void) {
  struct outer t[3];
  for (int i = 0; i < 3; i++) prepare(&t[i]);
  begin("t[i].p[l:n]", "t", &t[1]);
  NOTE(t);
#pragma omp target map(tofrom : t[1].p[1 : 4])
  t[1].p[2] += 10;
  check(data[2] == 12);
}

static void members_of_array_element(void) {
  struct outer t[3];
  for (int i = 0; i < 3; i++) prepare(&t[i]);
  begin("t[i].a and t[i].p[0:n]", "t", &t[2]);
  NOTE(t);
#pragma omp target map(tofrom : t[2].a, t[2].p[0 : N])
  t[2].p[2] += t[2].a;
  check(data[2] == 3);
}

static void array_and_section_of_element(void) {
  struct outer t[2];
  for (int i = 0; i < 2; i++) prepare(&t[i]);
  begin("t and t[i].p[0:n]", "t", &t[1]);
  NOTE(t);
#pragma omp target map(tofrom : t) map(tofrom : t[1].p[0 : N])
  {
    t[0].a = 5;
    t[1].p[2] += 10;
  }
  check(data[2] == 12 && t[0].a == 5);
}

static void members_always(void) {
  struct outer s;
  begin("s.a always to, s.p[0:n] always tofrom", "s", &s);
#pragma omp target map(always, to : s.a) map(always, tofrom : s.p[0 : N])
  s.p[2] += s.a;
  check(data[2] == 3);
}

static void members_close_present(void) {
  struct outer s;
  begin("s.a close, s.c present, struct mapped before", "s", &s);
#pragma omp target data map(tofrom : s)
#pragma omp target map(close, tofrom : s.a) map(present, tofrom : s.c)
  s.c += s.a;
  check(s.c == 3);
}

static void pointee_present(void) {
  struct outer s;
  begin("s.p[0:n] present, only what it points to mapped before", "s", &s);
#pragma omp target enter data map(to : data)
#pragma omp target enter data map(present, to : s.p[0 : N])
#pragma omp target data map(present, alloc : s.p[0 : N])
#pragma omp target
  data[2] += 10;
#pragma omp target exit data map(present, release : s.p[0 : N])
#pragma omp target exit data map(present, from : s.p[0 : N])
  check(data[2] == 12);
}

static void members_hold(void) {
  struct outer s;
  begin("s.a and s.p[0:n] ompx_hold", "s", &s);
#pragma omp target map(ompx_hold, tofrom : s.a, s.p[0 : N])
  s.p[2] += s.a;
  check(data[2] == 3);
}

static void member_alloc(void) {
  struct outer s;
  int r = 0;
  begin("s.b alloc, s.a to", "s", &s);
  NOTE(r);
#pragma omp target map(alloc : s.b) map(to : s.a) map(from : r)
  {
    s.b[2] = s.a;
    r = (int)s.b[2];
  }
  check(r == 1 && s.b[2] == 2);
}

static void overlapping_members(void) {
  struct outer s;
  begin("s.in and s.in.r[l:n]", "s", &s);
#pragma omp target map(tofrom : s.in) map(tofrom : s.in.r[1 : 2])
  s.in.r[1] = 8;
  check(s.in.r[1] == 8);
}

static void two_structs(void) {
  struct outer s, t;
  prepare(&t);
  begin("s.a, t.c, s.c of two structs", "s", &s);
  NOTE(t);
#pragma omp target map(tofrom : s.a, t.c, s.c)
  {
    s.a += t.c;
    t.c = s.c = 7;
  }
  check(s.a == 3 && t.c == 7 && s.c == 7);
}

static void on_a_loop(void) {
  struct outer s;
  begin("s.b and s.p[0:n] on a loop of teams", "s", &s);
#pragma omp target teams loop map(tofrom : s.b) map(to : s.p[0 : N])
  for (int i = 0; i < N; i++) s.b[i] += s.p[i];
  check(s.b[3] == 6);
}

static void element_member(struct outer *p) {
  begin("p[0].a", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : p[0].a)
  p[0].a += 10;
  check(p->a == 11);
}

static void dereferenced_member(struct outer *p) {
  begin("(*p).c", "*p", p);
  NOTE(p);
#pragma omp target map(tofrom : (*p).c)
  (*p).c += 10;
  check(p->c == 12);
}

static void array_of_pointee_in_struct(void) {
  struct outer s;
  begin("s.far->r[l:n] and s.far->x", "s", &s);
#pragma omp target map(tofrom : s.far->r[1 : 3], s.far->x)
  s.far->r[2] += s.far->x;
  check(far_inner.r[2] == 106);
}

static void pointer_member_outside_the_others(void) {
  struct outer s;
  begin("s.a, s.in.x and s.in.q[0:n]", "s", &s);
#pragma omp target map(tofrom : s.a) map(to : s.in.x) map(tofrom : s.in.q[0 : N])
  s.a = s.in.q[2] += s.in.x;
  check(more[2] == 23 && s.a == 23);
}

int main(void) {
  static struct outer o;
  RUN(scalar_member());
  RUN(scalar_member_to());
  RUN(array_member());
  RUN(array_member_section());
  RUN(array_member_element());
  RUN(pointer_member());
  RUN(pointer_member_section());
  RUN(pointer_member_section_with_bound());
  RUN(pointer_member_empty());
  RUN(two_members());
  RUN(two_members_in_reverse());
  RUN(members_in_several_clauses());
  RUN(members_with_section());
  RUN(pointer_and_section());
  RUN(whole_and_section());
  RUN(section_before_whole());
  RUN(whole_and_two_sections());
  RUN(whole_and_member());
  RUN(nested_scalar());
  RUN(nested_array());
  RUN(nested_pointer());
  RUN(nested_struct());
  RUN(nested_struct_and_pointer());
  RUN(nested_and_flat());
  RUN(member_of_pointee_in_struct());
  RUN(section_of_pointee_in_struct());
  RUN(static_struct());
  RUN(arrow_scalar(&o));
  RUN(arrow_array(&o));
  RUN(arrow_section(&o));
  RUN(arrow_several(&o));
  RUN(arrow_nested(&o));
  RUN(arrow_nested_pointer(&o));
  RUN(arrow_arrow_scalar(&o));
  RUN(arrow_arrow_section(&o));
  RUN(arrow_arrow_array(&o));
  RUN(pointee_and_section(&o));
  RUN(element_and_section(&o));
  RUN(member_of_array_element());
  RUN(section_of_array_element());
  RUN(members_of_array_element());
  RUN(array_and_section_of_element());
  RUN(members_always());
  RUN(members_close_present());
  RUN(pointee_present());
  RUN(members_hold());
  RUN(member_alloc());
  RUN(overlapping_members());
  RUN(two_structs());
  RUN(on_a_loop());
  RUN(element_member(&o));
  RUN(dereferenced_member(&o));
  RUN(array_of_pointee_in_struct());
  RUN(pointer_member_outside_the_others());
  return 0;
}
