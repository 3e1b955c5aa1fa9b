/* Default and named mappers in C: files, blocks, nested, over members, arrays and sections, with every map type. */
#include "checks.h"

typedef struct { int len; double *data; double *other; } vec;
int wanted = 2;
#pragma omp declare mapper(vec v) map(v.len, v.data, v.data[0:v.len])
#pragma omp declare mapper(in : vec v) map(to : v) map(to : v.data[0:v.len]) map(alloc : v.other[0:wanted])
#pragma omp declare mapper(all : vec vec) map(vec, vec.data[0:vec.len], vec.other[0:vec.len])
#pragma omp declare mapper(ends : vec v) map(v.data[0:v.len]) map(v.other[0:v.len])
struct pair { vec a; vec b[2]; int k; vec *far; };
#pragma omp declare mapper(both : struct pair p) map(p.k) map(p.a) map(p.b, p.far[0:1])
union word { int i; float f; };
#pragma omp declare mapper(union word w) map(to : w)

static vec make(int len, double first) {
  vec v = {len, numbers(10, first), numbers(10, -first)};
  return v;
}

static void reference_counts(void) {
  vec w = make(5, 0);
#pragma omp target enter data map(to : w)
  CHECK(here(&w) && here(w.data) && here(w.data + 4) && !here(w.data + 5) && !here(w.other));
#pragma omp target data map(tofrom : w)
  {
#pragma omp target
    for (int i = 0; i < w.len; i++) w.data[i] += 100;
    CHECK(w.data[2] == 2);
#pragma omp target update from(w)
    CHECK(w.data[2] == 102 && w.data[5] == 5);
    w.data[2] = 1;
    w.len = 3;
#pragma omp target update to(w)
    w.data[4] = -1;
#pragma omp target
    for (int i = 0; i < w.len; i++) w.data[i] += 1;
    w.len = 5;
  }
  CHECK(here(&w) && here(w.data) && w.data[2] == 1 && w.data[4] == -1);
#pragma omp target exit data map(from : w)
  CHECK(!here(&w) && !here(w.data) && w.data[2] == 2 && w.data[4] == 104 && w.len == 3);
}

static void map_types(void) {
  vec w = make(5, 0);
#pragma omp target enter data map(mapper(in), to : w)
#pragma omp target enter data map(mapper(in), to : w)
  CHECK(here(&w.other) && here(w.data) && here(w.other + 1) && !here(w.other + 2));
#pragma omp target exit data map(mapper(in), release : w)
  CHECK(here(&w) && here(w.data) && here(w.other));
#pragma omp target enter data map(mapper(in), to : w)
#pragma omp target exit data map(mapper(in), delete : w)
  CHECK(!here(&w) && !here(w.data) && !here(w.other));
#pragma omp target map(mapper(in), tofrom : w)
  {
    w.other[0] = w.data[1];
    w.data[2] = -7 * w.other[0];
    w.len = 77;
  }
  CHECK(w.data[2] == 2 && w.len == 5 && w.other[0] == 0);
#pragma omp target map(mapper(all), from : w)
  {
    w.len = 4;
    w.data[1] = 11;
  }
  CHECK(w.data[1] == 11 && w.len == 4);
#pragma omp target data map(mapper(all), alloc : w)
  {
    w.data[1] = 12;
#pragma omp target map(mapper(ends), always, to : w)
    w.data[1] += 4;
    CHECK(w.data[1] == 12);
#pragma omp target map(mapper(ends), always, from : w)
    w.other[1] = 3;
    CHECK(w.data[1] == 16 && w.other[1] == 3);
  }
  CHECK(!here(&w) && !here(w.data) && !here(w.other));
}

static void sections(void) {
  vec a[4] = {make(4, 0), make(5, 10), make(6, 20), make(1, 30)};
#pragma omp target data map(mapper(default), tofrom : a[1:2])
  {
    CHECK(!here(&a[0]) && here(&a[1]) && here(a[1].data + 4) && here(a[2].data + 5) && !here(&a[3]) && !here(a[3].data));
#pragma omp target map(tofrom : a[1:2])
    for (int k = 1; k < 3; k++)
      for (int i = 0; i < a[k].len; i++) a[k].data[i] += 1000;
    CHECK(a[1].data[0] == 10);
#pragma omp target update from(a[2])
    CHECK(a[1].data[0] == 10 && a[2].data[5] == 1025);
  }
  CHECK(!here(&a[1]) && !here(a[1].data) && !here(a[2].data) && a[1].data[4] == 1014);
  vec *p = a;
  int first = 1;
#pragma omp target enter data map(to : p[first:3])
  CHECK(here(p + 3) && here(p[3].data) && !here(p));
#pragma omp target
  for (int k = 1; k < 4; k++)
    for (int i = 0; i < p[k].len; i++) p[k].data[i] += 5;
#pragma omp target exit data map(from : p[first:3])
  CHECK(!here(p + 1) && !here(p[3].data) && p[3].data[0] == 35 && p[1].data[4] == 1019);
#pragma omp target enter data map(to : p[0:0])
  CHECK(!here(p));
#pragma omp target
  for (int k = 0; k < 4; k++) a[k].data[0] = k;
  CHECK(a[0].data[0] == 0 && a[3].data[0] == 3 && !here(a) && !here(a[3].data));
}

static void nested(void) {
  vec far = make(3, 50);
  struct pair s = {make(10, 0), {make(5, 20), make(6, 30)}, 3, &far};
#pragma omp target data map(mapper(both), tofrom : s)
  {
    CHECK(here(&s.k) && here(s.a.data) && here(s.b[1].data + 5) && !here(s.a.other) && here(&far) && here(far.data));
#pragma omp target map(mapper(both), tofrom : s)
    {
      for (int i = 0; i < s.a.len; i++) s.a.data[i] *= 2;
      s.b[0].data[4] *= 3;
      s.b[1].data[5] *= 4;
      s.far->data[2] *= 5;
      s.k++;
    }
    CHECK(s.k == 3 && s.b[1].data[5] == 35);
#pragma omp target update from(mapper(both) : s)
    CHECK(s.k == 4 && s.b[1].data[5] == 140 && s.far == &far && far.data[2] == 260);
  }
  CHECK(s.a.data[9] == 18 && s.b[0].data[4] == 72);
  CHECK(!here(&s.k) && !here(&s.a) && !here(s.a.data) && !here(s.b[1].data) && !here(&far) && !here(far.data));
#pragma omp target map(tofrom : s.b[0:2])
  s.b[1].data[0] = s.b[0].data[0];
  CHECK(s.b[1].data[0] == 20 && !here(s.b[1].data) && !here(s.b));
}

static void in_a_block(void) {
  vec w = make(6, 0);
#pragma omp declare mapper(vec v) map(v) map(v.other[1:2])
  {
#pragma omp target data map(tofrom : w)
    CHECK(here(&w) && !here(w.data) && !here(w.other) && here(w.other + 2));
  }
  union word x = {3};
#pragma omp target
  x.i += 4;
  CHECK(x.i == 3);
}

int main(void) {
  reference_counts();
  map_types();
  sections();
  nested();
  in_a_block();
  vec w = make(6, 0);
#pragma omp target data map(tofrom : w)
  CHECK(here(w.data) && !here(w.other));
  printf("failures: %d\n", failures);
  return failures != 0;
}
