/* Long ways to the storage: arrays of structs of arrays, pointers in arrays in structs, several levels of pointers. */
#include "shape.h"

#define N 6

struct leaf {
  int x;
  double v[N];
  int *p;
};

struct branch {
  struct leaf leaves[3];
  int m[3][4];
  int *rows[3];
  struct leaf *far;
  struct branch *next;
  int **table;
};

static int data[N], more[N], lines[3][N];
static struct leaf far_leaves[3];
static int *line_table[3];

static void prepare(struct branch *b) {
  for (int i = 0; i < N; i++) data[i] = i, more[i] = 10 * i;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < N; k++) lines[i][k] = 100 * i + k, b->leaves[i].v[k] = far_leaves[i].v[k] = k;
    for (int k = 0; k < 4; k++) b->m[i][k] = 4 * i + k;
    b->leaves[i].x = far_leaves[i].x = i, b->leaves[i].p = data, far_leaves[i].p = more;
    b->rows[i] = line_table[i] = lines[i];
  }
  b->far = far_leaves, b->next = b, b->table = line_table;
}

static void begin(const char *id, const char *name, struct branch *b) {
  prepare(b);
  shape(id);
  note(name, b, sizeof *b);
  note("data", data, sizeof data), note("more", more, sizeof more), note("lines", lines, sizeof lines);
  note("far", far_leaves, sizeof far_leaves), note("line_table", line_table, sizeof line_table);
}

static void member_of_element(void) {
  static struct branch s;
  begin("s.leaves[i].x", "s", &s);
#pragma omp target map(tofrom : s.leaves[1].x)
  s.leaves[1].x += 10;
  check(s.leaves[1].x == 11 && s.leaves[2].x == 2);
}

static void section_of_element(void) {
  static struct branch s;
  begin("s.leaves[i].v[l:n]", "s", &s);
#pragma omp target map(tofrom : s.leaves[1].v[2 : 3])
  s.leaves[1].v[3] += 10;
  check(s.leaves[1].v[3] == 13);
}

static void elements_of_member(void) {
  static struct branch s;
  begin("s.leaves[l:n]", "s", &s);
#pragma omp target map(tofrom : s.leaves[1 : 2])
  s.leaves[2].v[3] += s.leaves[1].x;
  check(s.leaves[2].v[3] == 4);
}

static void pointer_of_element(void) {
  static struct branch s;
  begin("s.leaves[i].p[0:n]", "s", &s);
#pragma omp target map(tofrom : s.leaves[2].p[0 : N])
  s.leaves[2].p[3] += 10;
  check(data[3] == 13 && s.leaves[2].p == data);
}

static void two_members_of_elements(void) {
  static struct branch s;
  begin("s.leaves[0].x and s.leaves[2].x", "s", &s);
#pragma omp target map(tofrom : s.leaves[0].x, s.leaves[2].x)
  s.leaves[2].x += s.leaves[0].x + 5;
  check(s.leaves[2].x == 7);
}

static void row_of_member(void) {
  static struct branch s;
  begin("s.m[i][l:n]", "s", &s);
#pragma omp target map(tofrom : s.m[1][1 : 2])
  s.m[1][2] += 10;
  check(s.m[1][2] == 16 && s.m[1][3] == 7);
}

static void rows_of_member(void) {
  static struct branch s;
  begin("s.m[l:n][:]", "s", &s);
#pragma omp target map(tofrom : s.m[1 : 2][:])
  s.m[2][2] += 10;
  check(s.m[2][2] == 20);
}

static void pointer_in_array_member(void) {
  static struct branch s;
  begin("s.rows[i][l:n]", "s", &s);
#pragma omp target map(tofrom : s.rows[1][2 : 3])
  s.rows[1][3] += 10;
  check(lines[1][3] == 113 && s.rows[1] == lines[1]);
}

static void pointers_of_member(struct branch *b) {
  begin("b->rows[i][0:n] behind a pointer", "*b", b);
  NOTE(b);
#pragma omp target map(tofrom : b->rows[2][0 : N])
  b->rows[2][3] += 10;
  check(lines[2][3] == 213);
}

static void elements_behind_pointer(void) {
  static struct branch s;
  begin("s.far[l:n]", "s", &s);
#pragma omp target map(tofrom : s.far[1 : 2])
  s.far[2].x += 10;
  check(far_leaves[2].x == 12 && s.far == far_leaves);
}

static void member_of_element_behind_pointer(void) {
  static struct branch s;
  begin("s.far[i].x", "s", &s);
#pragma omp target map(tofrom : s.far[1].x)
  s.far[1].x += 10;
  check(far_leaves[1].x == 11 && s.far == far_leaves);
}

static void section_of_element_behind_pointer(struct branch *b) {
  begin("b->far[i].v[l:n]", "*b", b);
  NOTE(b);
#pragma omp target map(tofrom : b->far[1].v[2 : 3])
  b->far[1].v[3] += 10;
  check(far_leaves[1].v[3] == 13);
}

static void pointer_of_element_behind_pointer(struct branch *b) {
  static struct leaf own[3];
  begin("b->far[i].p[0:n]", "*b", b);
  b->far = own, own[1].p = more;
  NOTE(b), NOTE(own);
#pragma omp target map(tofrom : b->far[1].p[0 : N])
  b->far[1].p[3] += 10;
  check(more[3] == 40 && b->far == own);
}

static void two_levels_of_pointers(struct branch *b) {
  begin("b->next->m[i][0:n]", "*b", b);
  static struct branch other;
  prepare(&other);
  b->next = &other;
  NOTE(b), NOTE(other);
#pragma omp target map(tofrom : b->next->m[1][0 : 4])
  b->next->m[1][2] += 10;
  check(other.m[1][2] == 16);
}

static void table_of_pointers(struct branch *b) {
  static int *own[3];
  begin("b->table[i][l:n], two levels of pointers", "*b", b);
  b->table = own, own[1] = lines[1];
  NOTE(b), NOTE(own);
#pragma omp target map(tofrom : b->table[1][2 : 3])
  b->table[1][3] += 10;
  check(lines[1][3] == 113 && b->table == own && own[1] == lines[1]);
}

static void mixed(void) {
  static struct branch s;
  begin("s.leaves[0].x, s.m[1][0:2], s.leaves[2].p[0:n], s.far[0:1]", "s", &s);
#pragma omp target map(tofrom : s.leaves[0].x, s.m[1][0 : 2]) map(to : s.leaves[2].p[0 : N]) map(tofrom : s.far[0 : 1])
  {
    s.leaves[0].x = s.leaves[2].p[3];
    s.m[1][1] = 8;
    s.far[0].x = 9;
  }
  check(s.leaves[0].x == 3 && s.m[1][1] == 8 && far_leaves[0].x == 9 && s.far == far_leaves);
}

static void element_of_parameter(struct branch *b) {
  begin("b[i].leaves[k].x and b[i].m", "*b", b);
  NOTE(b);
#pragma omp target map(tofrom : b[0].leaves[1].x) map(to : b[0].m)
  b[0].leaves[1].x += b[0].m[2][3];
  check(b->leaves[1].x == 12);
}

static void pointer_to_pointer(int **pp, int *p) {
  shape("(*pp)[l:n] of a pointer to a pointer");
  NOTE(p), note("*pp", pp, sizeof *pp), note("data", data, sizeof data);
  for (int i = 0; i < N; i++) data[i] = i;
#pragma omp target map(tofrom : (*pp)[1 : 3])
  (*pp)[2] += 10;
  check(data[2] == 12);
}

static void entered(void) {
  static struct branch s;
  begin("enter data s, s.rows[i][0:n] twice; update; exit data", "s", &s);
#pragma omp target enter data map(to : s)
#pragma omp target enter data map(to : s.rows[0][0 : N], s.rows[2][0 : N])
#pragma omp target
  s.rows[2][1] = s.rows[0][1] + s.m[0][1];
#pragma omp target update from(s.rows[2][0 : 3])
  check(lines[2][1] == 2 && s.rows[2] == lines[2]);
#pragma omp target exit data map(release : s.rows[0][0 : N], s.rows[2][0 : N])
#pragma omp target exit data map(release : s)
}

static void updated(void) {
  static struct branch s;
  begin("update of members of elements", "s", &s);
#pragma omp target data map(to : s)
  {
#pragma omp target
    {
      s.leaves[1].x = 50;
      s.m[1][2] = 60;
    }
#pragma omp target update from(s.leaves[1].x) from(s.m[1][1 : 2])
  }
  check(s.leaves[1].x == 50 && s.m[1][2] == 60 && s.leaves[0].x == 0);
}

int main(void) {
  static struct branch b;
  static int *p = data;
  RUN(member_of_element());
  RUN(section_of_element());
  RUN(elements_of_member());
  RUN(pointer_of_element());
  RUN(two_members_of_elements());
  RUN(row_of_member());
  RUN(rows_of_member());
  RUN(pointer_in_array_member());
  RUN(pointers_of_member(&b));
  RUN(elements_behind_pointer());
  RUN(member_of_element_behind_pointer());
  RUN(section_of_element_behind_pointer(&b));
  RUN(pointer_of_element_behind_pointer(&b));
  RUN(two_levels_of_pointers(&b));
  RUN(table_of_pointers(&b));
  RUN(mixed());
  RUN(element_of_parameter(&b));
  RUN(pointer_to_pointer(&p, p));
  RUN(entered());
  RUN(updated());
  return 0;
}
