/* Sections of arrays and of what pointers point to, with lower bounds, in one to three dimensions. */
#include "shape.h"

#define N 12

static void fill(int *a, int n) {
  for (int i = 0; i < n; i++) a[i] = i;
}

static void from_the_start(void) {
  int a[N];
  fill(a, N);
  shape("a[0:n]");
  NOTE(a);
#pragma omp target map(tofrom : a[0 : N])
  a[2] += 10;
  check(a[2] == 12 && a[N - 1] == N - 1);
}

static void with_lower_bound(void) {
  int a[N];
  fill(a, N);
  shape("a[l:n]");
  NOTE(a);
#pragma omp target map(tofrom : a[3 : 4])
  for (int i = 3; i < 7; i++) a[i] += 10;
  check(a[2] == 2 && a[3] == 13 && a[6] == 16 && a[7] == 7);
}

static void with_bounds_of_the_run(int l, int n) {
  int a[N];
  fill(a, N);
  shape("a[l:n], bounds of the run");
  NOTE(a);
#pragma omp target map(tofrom : a[l : n])
  a[4] += 10;
  check(a[4] == 14 && a[3] == 3);
}

static void without_lower_bound(void) {
  int a[N];
  fill(a, N);
  shape("a[:n]");
  NOTE(a);
#pragma omp target map(tofrom : a[:5])
  a[4] += 10;
  check(a[4] == 14 && a[5] == 5);
}

static void without_length(void) {
  int a[N];
  fill(a, N);
  shape("a[l:]");
  NOTE(a);
#pragma omp target map(tofrom : a[5:])
  a[N - 1] += 10;
  check(a[N - 1] == N + 9 && a[4] == 4);
}

static void without_bounds(void) {
  int a[N];
  fill(a, N);
  shape("a[:]");
  NOTE(a);
#pragma omp target map(from : a[:])
  for (int i = 0; i < N; i++) a[i] = 5;
  check(a[N - 1] == 5 && a[0] == 5);
}

static void element(void) {
  int a[N];
  fill(a, N);
  shape("a[i]");
  NOTE(a);
#pragma omp target map(tofrom : a[4])
  a[4] += 10;
  check(a[4] == 14);
}

static void section_to(void) {
  int a[N], r = 0;
  fill(a, N);
  shape("a[l:n] to");
  NOTE(a), NOTE(r);
#pragma omp target map(to : a[3 : 4]) map(from : r)
  r = a[3] + a[6];
  check(r == 9);
}

static void section_alloc(void) {
  int a[N], r = 0;
  fill(a, N);
  shape("a[l:n] alloc");
  NOTE(a), NOTE(r);
#pragma omp target map(alloc : a[3 : 4]) map(from : r)
  {
    a[5] = 8;
    r = a[5];
  }
  check(r == 8 && a[5] == 5);
}

static void section_always_close(void) {
  int a[N];
  fill(a, N);
  shape("a[l:n] always close tofrom");
  NOTE(a);
#pragma omp target map(always, close, tofrom : a[3 : 4])
  a[5] = 8;
  check(a[5] == 8);
}

static void section_present(void) {
  int a[N];
  fill(a, N);
  shape("a[l:n] present, inside what is mapped");
  NOTE(a);
#pragma omp target data map(tofrom : a[2 : 8])
#pragma omp target map(present, to : a[4 : 2])
  a[5] = 8;
  check(a[5] == 8);
}

static void section_hold(void) {
  int a[N];
  fill(a, N);
  shape("a[l:n] ompx_hold");
  NOTE(a);
#pragma omp target map(ompx_hold, tofrom : a[4 : 2])
  a[5] = 8;
  check(a[5] == 8);
}

static void row(void) {
  int a[3][4];
  fill(&a[0][0], 12);
  shape("a[i][:]");
  NOTE(a);
#pragma omp target map(tofrom : a[1][:])
  a[1][2] += 10;
  check(a[1][2] == 16 && a[2][2] == 10);
}

static void part_of_a_row(void) {
  int a[3][4];
  fill(&a[0][0], 12);
  shape("a[i][l:n]");
  NOTE(a);
#pragma omp target map(tofrom : a[1][1 : 2])
  a[1][2] += 10;
  check(a[1][2] == 16 && a[2][2] == 10);
}

static void rows(void) {
  int a[4][4];
  fill(&a[0][0], 16);
  shape("a[l:n][0:m]");
  NOTE(a);
#pragma omp target map(tofrom : a[1 : 2][0 : 4])
  a[2][2] += 10;
  check(a[2][2] == 20 && a[1][0] == 4);
}

static void rows_without_columns(void) {
  int a[4][4];
  fill(&a[0][0], 16);
  shape("a[l:n] of two dimensions");
  NOTE(a);
#pragma omp target map(tofrom : a[1 : 2])
  a[2][2] += 10;
  check(a[2][2] == 20 && a[1][0] == 4);
}

static void block_of_three_dimensions(void) {
  int a[3][4][5];
  fill(&a[0][0][0], 60);
  shape("a[i][l:n][:]");
  NOTE(a);
#pragma omp target map(tofrom : a[1][1 : 2][:])
  a[1][2][3] += 100;
  check(a[1][2][3] == 133);
}

static void line_of_three_dimensions(void) {
  int a[3][4][5];
  fill(&a[0][0][0], 60);
  shape("a[i][j][l:n]");
  NOTE(a);
#pragma omp target map(tofrom : a[1][2][1 : 3])
  a[1][2][3] += 100;
  check(a[1][2][3] == 133);
}

static void planes_of_three_dimensions(void) {
  int a[3][4][5];
  fill(&a[0][0][0], 60);
  shape("a[l:n][:][:]");
  NOTE(a);
#pragma omp target map(tofrom : a[1 : 2][:][:])
  a[2][2][3] += 100;
  check(a[2][2][3] == 153);
}

static void vla_section(int n) {
  int a[n];
  fill(a, n);
  shape("VLA a[l:n]");
  NOTE(a);
#pragma omp target map(tofrom : a[2 : n - 3])
  a[n - 2] += 10;
  check(a[n - 2] == n + 8 && a[n - 1] == n - 1);
}

static void vla_rows(int n, int m) {
  int a[n][m];
  fill(&a[0][0], n * m);
  shape("VLA a[l:n][:]");
  NOTE(a);
#pragma omp target map(tofrom : a[1 : n - 1][:])
  a[n - 1][m - 1] = 5;
  check(a[n - 1][m - 1] == 5 && a[0][m - 1] == m - 1);
}

static void pointer_section(void) {
  int *p = malloc(N * sizeof *p);
  fill(p, N);
  shape("p[0:n]");
  NOTE(p), note("*p", p, N * sizeof *p);
#pragma omp target map(tofrom : p[0 : N])
  p[3] += 10;
  check(p[3] == 13);
  free(p);
}

static void pointer_section_with_lower_bound(void) {
  int *p = malloc(N * sizeof *p);
  fill(p, N);
  shape("p[l:n]");
  NOTE(p), note("*p", p, N * sizeof *p);
#pragma omp target map(tofrom : p[3 : 4])
  p[3] += 10;
  check(p[3] == 13 && p[2] == 2);
  free(p);
}

static void pointer_section_without_lower_bound(void) {
  double *p = malloc(N * sizeof *p);
  for (int i = 0; i < N; i++) p[i] = i;
  shape("p[:n]");
  NOTE(p), note("*p", p, N * sizeof *p);
#pragma omp target map(tofrom : p[:4])
  p[3] += 10;
  check(p[3] == 13 && p[2] == 2);
  free(p);
}

static void pointer_element(void) {
  int *p = malloc(N * sizeof *p);
  fill(p, N);
  shape("p[i]");
  NOTE(p), note("*p", p, N * sizeof *p);
#pragma omp target map(tofrom : p[3])
  p[3] += 10;
  check(p[3] == 13);
  free(p);
}

static void pointee(void) {
  int x = 4, *p = &x;
  shape("*p");
  NOTE(p), NOTE(x);
#pragma omp target map(tofrom : *p)
  *p += 10;
  check(x == 14);
}

static void pointer_parameter(int *p, int n) {
  fill(p, n);
  shape("p[0:n] of a parameter, on a loop of teams");
  note("*p", p, (size_t)n * sizeof *p), NOTE(p);
#pragma omp target teams loop map(tofrom : p[0 : n])
  for (int i = 0; i < n / 2; i++) p[i + n / 2] = p[i];
  check(p[n / 2] == 0 && p[n - 1] == n / 2 - 1);
}

static void pointer_to_array(void) {
  int(*q)[4] = malloc(3 * sizeof *q);
  fill(&q[0][0], 12);
  shape("q[l:n] of a pointer to arrays");
  NOTE(q), note("*q", q, 3 * sizeof *q);
#pragma omp target map(tofrom : q[1 : 2])
  q[2][3] += 10;
  check(q[2][3] == 21);
  free(q);
}

static void pointer_to_array_columns(void) {
  int(*q)[4] = malloc(3 * sizeof *q);
  fill(&q[0][0], 12);
  shape("q[l:n][0:m] of a pointer to arrays");
  NOTE(q), note("*q", q, 3 * sizeof *q);
#pragma omp target map(tofrom : q[0 : 3][0 : 4])
  q[2][3] += 10;
  check(q[2][3] == 21);
  free(q);
}

static void pointer_to_array_part_of_row(void) {
  int(*q)[4] = malloc(3 * sizeof *q);
  fill(&q[0][0], 12);
  shape("q[i][l:n] of a pointer to arrays");
  NOTE(q), note("*q", q, 3 * sizeof *q);
#pragma omp target map(tofrom : q[1][1 : 2])
  q[1][2] += 10;
  check(q[1][2] == 16);
  free(q);
}

static void whole_pointed_array(void) {
  int(*q)[4] = malloc(sizeof *q);
  fill(&q[0][0], 4);
  shape("*q of a pointer to an array");
  NOTE(q), note("*q", q, sizeof *q);
#pragma omp target map(tofrom : *q)
  (*q)[2] += 10;
  check((*q)[2] == 12);
  free(q);
}

static void section_of_pointed_array(void) {
  int(*q)[4] = malloc(sizeof *q);
  fill(&q[0][0], 4);
  shape("(*q)[l:n]");
  NOTE(q), note("*q", q, sizeof *q);
#pragma omp target map(tofrom : (*q)[1 : 2])
  (*q)[2] += 10;
  check((*q)[2] == 12);
  free(q);
}

static void pointer_to_vla(int n, int m) {
  int(*q)[m] = malloc((size_t)n * sizeof *q);
  fill(&q[0][0], n * m);
  shape("q[0:n] of a pointer to VLAs");
  NOTE(q), note("*q", q, (size_t)n * sizeof *q);
#pragma omp target map(tofrom : q[0 : n])
  q[n - 1][m - 1] += 10;
  check(q[n - 1][m - 1] == n * m + 9);
  free(q);
}

static void array_of_pointers(void) {
  static int x[4], y[4], *p[2];
  p[0] = x, p[1] = y;
  fill(x, 4), fill(y, 4);
  shape("p[i][l:n] of an array of pointers");
  NOTE(p), NOTE(x), NOTE(y);
#pragma omp target map(tofrom : p[1][1 : 2])
  p[1][2] += 10;
  check(y[2] == 12 && x[2] == 2);
}

static void pointer_to_pointers(void) {
  static int x[4], y[4], *p[2];
  int **pp = p;
  p[0] = x, p[1] = y;
  fill(x, 4), fill(y, 4);
  shape("pp[i][l:n] of a pointer to pointers");
  NOTE(pp), NOTE(p), NOTE(x), NOTE(y);
#pragma omp target map(tofrom : pp[1][1 : 2])
  pp[1][2] += 10;
  check(y[2] == 12 && x[2] == 2);
}

static void pointers_and_what_they_point_to(void) {
  static int x[4], y[4], *p[2];
  p[0] = x, p[1] = y;
  fill(x, 4), fill(y, 4);
  shape("sections of two pointers of a mapped array of pointers");
  NOTE(p), NOTE(x), NOTE(y);
#pragma omp target data map(to : p)
#pragma omp target map(tofrom : p[0][0 : 4], p[1][0 : 4])
  {
    p[0][2] += 10;
    p[1][3] += 10;
  }
  check(y[3] == 13 && x[2] == 12 && p[0] == x);
}

static void empty_section(void) {
  int x[4], *p = x, r = 0;
  fill(x, 4);
  shape("p[0:0], nothing mapped");
  NOTE(p), NOTE(x), NOTE(r);
#pragma omp target map(alloc : p[0 : 0]) map(from : r)
  r = 1 + (p != 0);
  check(r > 0);
}

static void empty_section_of_mapped(void) {
  int x[4], *p = x;
  fill(x, 4);
  shape("p[:0], attached to what is mapped");
  NOTE(p), NOTE(x);
#pragma omp target data map(tofrom : x)
#pragma omp target map(tofrom : p[:0])
  p[1] = 7;
  check(x[1] == 7);
}

static void empty_of_the_run(int n) {
  int x[4] = {1, 2, 3, 4}, r = 0;
  shape("a[l:n] with n zero in the run");
  NOTE(x), NOTE(r);
#pragma omp target map(to : x[2 : n]) map(from : r)
  r = 3;
  check(r == 3 && x[2] == 3);
}

static void two_sections_of_one_array(void) {
  int a[N];
  fill(a, N);
  shape("two sections of one array, mapped as a whole before");
  NOTE(a);
#pragma omp target data map(tofrom : a)
#pragma omp target map(tofrom : a[0 : 2], a[6 : 3])
  {
    a[1] += 10;
    a[8] += 10;
  }
  check(a[1] == 11 && a[8] == 18 && a[3] == 3);
}

static void overlapping_sections(void) {
  int a[N];
  fill(a, N);
  shape("overlapping sections inside what is mapped");
  NOTE(a);
#pragma omp target data map(tofrom : a)
#pragma omp target map(to : a[1 : 6]) map(tofrom : a[3 : 2])
  a[4] += 10;
  check(a[4] == 14);
}

static void same_section_twice(void) {
  int a[N];
  fill(a, N);
  shape("one section in two clauses");
  NOTE(a);
#pragma omp target data map(tofrom : a)
#pragma omp target map(to : a[1 : 6]) map(from : a[1 : 6])
  a[4] += 10;
  check(a[4] == 14);
}

static void const_pointer(void) {
  int x[4], r = 0;
  const int *const p = x;
  fill(x, 4);
  shape("p[0:n] of a constant pointer, to");
  NOTE(p), NOTE(x), NOTE(r);
#pragma omp target map(to : p[0 : 4]) map(from : r)
  r = p[3];
  check(r == 3);
}

static void pointer_and_its_section(void) {
  static int x[4], *p = x;
  fill(x, 4);
  shape("p and p[0:n]");
  NOTE(p), NOTE(x);
#pragma omp target map(to : p) map(tofrom : p[0 : 4])
  p[3] += 10;
  check(x[3] == 13 && p == x);
}

static void conditional_base(void) {
  int x[4], y[4], *p = x, *q = y;
  fill(x, 4), fill(y, 4);
  shape("sections of two pointers in one clause");
  NOTE(p), NOTE(q), NOTE(x), NOTE(y);
#pragma omp target teams loop map(tofrom : p[0 : 4], q[1 : 2])
  for (int i = 1; i < 3; i++) {
    p[i] += q[i];
    q[i] = 0;
  }
  check(x[2] == 4 && y[2] == 0 && y[3] == 3);
}

int main(void) {
  int a[N];
  RUN(from_the_start());
  RUN(with_lower_bound());
  RUN(with_bounds_of_the_run(4, 3));
  RUN(without_lower_bound());
  RUN(without_length());
  RUN(without_bounds());
  RUN(element());
  RUN(section_to());
  RUN(section_alloc());
  RUN(section_always_close());
  RUN(section_present());
  RUN(section_hold());
  RUN(row());
  RUN(part_of_a_row());
  RUN(rows());
  RUN(rows_without_columns());
  RUN(block_of_three_dimensions());
  RUN(line_of_three_dimensions());
  RUN(planes_of_three_dimensions());
  RUN(vla_section(9));
  RUN(vla_rows(3, 5));
  RUN(pointer_section());
  RUN(pointer_section_with_lower_bound());
  RUN(pointer_section_without_lower_bound());
  RUN(pointer_element());
  RUN(pointee());
  RUN(pointer_parameter(a, N));
  RUN(pointer_to_array());
  RUN(pointer_to_array_columns());
  RUN(pointer_to_array_part_of_row());
  RUN(whole_pointed_array());
  RUN(section_of_pointed_array());
  RUN(pointer_to_vla(3, 4));
  RUN(array_of_pointers());
  RUN(pointer_to_pointers());
  RUN(pointers_and_what_they_point_to());
  RUN(empty_section());
  RUN(empty_section_of_mapped());
  RUN(empty_of_the_run(0));
  RUN(two_sections_of_one_array());
  RUN(overlapping_sections());
  RUN(same_section_twice());
  RUN(const_pointer());
  RUN(pointer_and_its_section());
  RUN(conditional_base());
  return 0;
}
