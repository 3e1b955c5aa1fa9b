/* List items of every shape: the region finds the memory that each names, and what it writes comes back. */
#include <stdio.h>
#include <stdlib.h>

struct inner { int i; double f[6]; double *p; };
struct outer {
  int head;
  double f[8];
  struct inner in;
  struct inner many[4];
  double *p;
  struct outer *next;
  struct inner *q;
  double **rows;
  int tail;
};

static double *numbers(int count, double first) {
  double *made = malloc(count * sizeof *made);
  for (int i = 0; i < count; i++) made[i] = first + i;
  return made;
}

static struct outer *make(double first, struct outer *next) {
  struct outer *made = calloc(1, sizeof *made);
  made->head = (int)first;
  made->tail = -(int)first;
  made->p = numbers(10, first);
  made->next = next;
  made->q = calloc(5, sizeof *made->q);
  made->rows = calloc(3, sizeof *made->rows);
  made->in.p = numbers(10, first + 50);
  for (int i = 0; i < 3; i++) made->rows[i] = numbers(6, first * 10 + i);
  for (int i = 0; i < 8; i++) made->f[i] = first * i;
  for (int i = 0; i < 5; i++) made->q[i].p = numbers(4, first + i);
  for (int i = 0; i < 4; i++) made->many[i].p = numbers(4, first - i);
  return made;
}

static double sum(const double *from, int count) {
  double total = 0;
  for (int i = 0; i < count; i++) total += from[i] * (i + 1);
  return total;
}

static void show(const char *what, const struct outer *s) {
  double total = sum(s->f, 8) + sum(s->p, 10) + sum(s->in.f, 6) + sum(s->in.p, 10);
  for (int i = 0; i < 5; i++) total += sum(s->q[i].p, 4) + sum(s->q[i].f, 6) + s->q[i].i;
  for (int i = 0; i < 4; i++) total += sum(s->many[i].p, 4) + sum(s->many[i].f, 6) + s->many[i].i;
  for (int i = 0; i < 3; i++) total += sum(s->rows[i], 6);
  printf("%s: %d %d %d %g\n", what, s->head, s->tail, s->in.i, total);
}

static void members_of_a_variable(struct outer s, int n) {
#pragma omp target map(s.head)
  s.head += 1;
#pragma omp target map(s.f[2 : 3], s.tail)
  { s.f[3] += s.tail; s.tail++; }
#pragma omp target map(tofrom : s.p[1 : n])
  for (int i = 1; i <= n; i++) s.p[i] *= 2;
#pragma omp target map(s.in.f[1 : n], s.in.i) map(to : s.head)
  { s.in.f[2] = s.head; s.in.i = 7; }
#pragma omp target map(s.in.p[0 : n], s.p[2 : 2], s.tail)
  { s.in.p[n - 1] = s.p[3] + s.tail; s.tail = 5; }
#pragma omp target map(s.many[n - 2].i, s.many[n - 2].f)
  { s.many[n - 2].i = n; s.many[n - 2].f[5] = 3; }
#pragma omp target map(s.many[1].p[0 : n])
  s.many[1].p[2] = 11;
#pragma omp target map(s.many[2 : 2])
  { s.many[3].i = 4; s.many[2].f[1] = 2; }
#pragma omp target map(s.rows[1][1 : n])
  s.rows[1][2] = 9;
  show("variable", &s);
}

static void members_of_a_target(struct outer *s, int n, int k) {
#pragma omp target map(s->head)
  s->head += 1;
#pragma omp target map((*s).f[0 : n], (*s).tail)
  { s->f[1] += s->tail; (*s).tail++; }
#pragma omp target map(tofrom : s->p[1 : n], s->f)
  for (int i = 1; i <= n; i++) s->p[i] *= s->f[i];
#pragma omp target map(s[0].in.i, s[0].in.f[2 : 2])
  { s->in.f[2] = 4; s[0].in.i = 8; }
#pragma omp target map(s->q[k].f[1 : 2], s->q[k].i)
  { s->q[k].f[2] = 6; s->q[k].i = k; }
#pragma omp target map(s->q[k].p[0 : n])
  s->q[k].p[1] = 12;
#pragma omp target map(s->q[0 : 5])
  { s->q[4].i = 3; s->q[1].f[0] = 2; }
  show("target", s);
}

static void chains(struct outer *s, int n) {
#pragma omp target map(s->next->head)
  s->next->head += 3;
#pragma omp target map(s->next->p[0 : n], s->next->tail)
  { s->next->p[2] += s->next->tail; s->next->tail -= 2; }
#pragma omp target map(s->next->next->f[0 : n])
  s->next->next->f[1] = 77;
#pragma omp target map(s->next->next->p[1 : n], s->next->next->in.i, s->next->f[0 : 2], s->p[0 : 2], s->tail)
  {
    s->next->next->p[2] = 5;
    s->next->next->in.i = s->tail;
    s->next->f[1] = 6;
    s->p[1] = 7;
  }
#pragma omp target map(s->next->q[2].p[0 : n], s->next->q[2].i)
  { s->next->q[2].p[1] = 8; s->next->q[2].i = 9; }
  show("chain 1", s);
  show("chain 2", s->next);
  show("chain 3", s->next->next);
}

static void wholes(struct outer s, struct outer *t, int n) {
#pragma omp target map(s, s.p[0 : n])
  { s.p[1] = s.f[2]; s.tail = 21; }
#pragma omp target map(s.p[0 : n], s.in.p[0 : n]) map(tofrom : s)
  { s.p[2] = s.f[3]; s.in.p[0] = s.p[1]; s.tail++; }
#pragma omp target map(*t, t->p[0 : n])
  { t->p[0] = t->f[4]; t->head = 22; }
#pragma omp target map(t[0 : 1], t->next->p[0 : n], t->next->head)
  { t->next->p[0] = t->f[4]; t->tail = 23; t->next->head = 24; }
#pragma omp target map(t->in, t->in.p[0 : n])
  { t->in.p[3] = 5; t->in.f[3] = 6; }
#pragma omp target map(to : s.f) map(tofrom : s.head) map(from : s.tail)
  { s.head += (int)s.f[3]; s.tail = s.head; }
  show("whole", &s);
  show("whole target", t);
  show("behind it", t->next);
}

static void pointers(double *p, double **rows, int n) {
  double *array[3] = {rows[0], rows[1], rows[2]};
  struct outer *parts[2] = {make(3, 0), make(4, 0)};
  struct outer **all = parts;
#pragma omp target map(*p)
  *p += 1;
#pragma omp target map(*(p + 2))
  *(p + 2) += 2;
#pragma omp target map(p, p[1 : n])
  p[2] += 1;
#pragma omp target map(**rows)
  **rows += 4;
#pragma omp target map((*rows)[1 : n])
  (*rows)[2] += 5;
#pragma omp target map(rows[2][0 : n])
  rows[2][1] += 6;
#pragma omp target map(array[1][1 : n], array[2][0 : 3])
  { array[1][n] += 7; array[2][2] += array[1][1]; }
#pragma omp target map(*array[0])
  *array[0] += 8;
#pragma omp target map(array, array[1][0 : n])
  array[1][0] += 9;
#pragma omp target map(parts[1]->head, parts[1]->p[0 : n])
  { parts[1]->head += 1; parts[1]->p[1] = 3; }
#pragma omp target map(all[0]->tail, (*all)->in.p[0 : n])
  { all[0]->tail += 1; (*all)->in.p[2] = 4; }
  printf("pointers: %g %g %g %g %g\n", p[0], p[2], sum(rows[0], 6), sum(rows[1], 6), sum(rows[2], 6));
  show("parts 0", parts[0]);
  show("parts 1", parts[1]);
}

static void arrays(int n) {
  int a[4][5][6], vla[n][n + 1], (*planes)[5][6] = a, (*vlas)[n + 1] = vla, single[20];
  struct outer many[3] = {*make(1, 0), *make(2, 0), *make(3, 0)};
  for (int i = 0; i < 120; i++) (&a[0][0][0])[i] = i;
  for (int i = 0; i < n * (n + 1); i++) (&vla[0][0])[i] = i;
  for (int i = 0; i < 20; i++) single[i] = i;
#pragma omp target map(a[1 : 2])
  a[2][1][1] = -1;
#pragma omp target map(a[3][n - 2 : 2])
  a[3][n - 1][2] = -2;
#pragma omp target map(a[0][1][2 : 3])
  a[0][1][3] = -3;
#pragma omp target map(planes[1 : n - 2], planes[0][4][1 : 2])
  { planes[1][1][1] = -4; planes[0][4][2] = -5; }
#pragma omp target map((*planes)[1 : 2])
  (*planes)[2][0] = -6;
#pragma omp target map(vla[1 : 2], vla[0][1 : n])
  { vla[2][n] = -7; vla[0][n] = -8; }
#pragma omp target map(vlas[n - 1][0 : 2])
  vlas[n - 1][1] = -9;
#pragma omp target map(single[15 : ], single[ : 3])
  { single[19] = -10; single[2] = -11; }
#pragma omp target map((single)[7])
  single[7] = -12;
#pragma omp target map(many[n - 2].p[0 : n], many[n - 2].head)
  { many[n - 2].p[1] = 1.5; many[n - 2].head = 31; }
#pragma omp target map(many[0].tail, many[2].head)
  { many[0].tail = 32; many[2].head = 33; }
  int total = 0;
  for (int i = 0; i < 120; i++) total += (&a[0][0][0])[i] * (i % 7);
  for (int i = 0; i < n * (n + 1); i++) total += (&vla[0][0])[i] * (i % 5);
  for (int i = 0; i < 20; i++) total += single[i] * i;
  printf("arrays: %d\n", total);
  for (int i = 0; i < 3; i++) show("element", &many[i]);
}

static double *global;
static struct outer *root;

static void globals(int n) {
  global = numbers(10, 1);
  root = make(6, make(7, 0));
#pragma omp target map(global[1 : n])
  global[2] = 8;
#pragma omp target map(global, global[ : n])
  global[1] = 9;
#pragma omp target map(root->p[0 : n], root->next->head)
  { root->p[1] = root->next->head; root->next->head = 10; }
  printf("global: %g\n", sum(global, 10));
  show("root", root);
  show("behind root", root->next);
}

static void data(struct outer *s, int n) {
#pragma omp target enter data map(to : s->p[0 : n], s->in.p[0 : n]) map(alloc : s->tail)
#pragma omp target map(to : s->p[0 : n]) map(s->in.p[0 : n], s->tail)
  { s->tail = 40; s->in.p[1] = s->p[1]; s->p[1] = 41; }
  s->p[2] = 42;
#pragma omp target update to(s->p[2 : 1]) from(s->tail)
#pragma omp target map(s->p[0 : n])
  s->p[3] = s->p[2];
#pragma omp target exit data map(from : s->p[0 : n], s->in.p[0 : n]) map(release : s->tail)
  show("data", s);
#pragma omp target data map(to : s[0 : 1]) map(tofrom : s->q[1 : 2])
  {
#pragma omp target map(s->q[1].i, s->q[1].f)
    { s->q[1].i = 43; s->q[1].f[0] = 2; }
#pragma omp target update from(s->q[1].i)
    printf("update: %d\n", s->q[1].i);
  }
#pragma omp target enter data map(to : s->next->p[0 : n], s->next->f)
#pragma omp target map(s->next->p[0 : n], s->next->f)
  { s->next->p[0] = 44; s->next->f[1] = 45; }
#pragma omp target exit data map(from : s->next->p[0 : n]) map(from : s->next->f)
  show("data 2", s);
  show("data 3", s->next);
}

int main(void) {
  struct outer *last = make(1, 0), *middle = make(2, last), *first = make(3, middle);
  members_of_a_variable(*make(5, 0), 3);
  members_of_a_target(make(6, 0), 3, 2);
  chains(first, 4);
  wholes(*make(7, 0), make(8, make(9, 0)), 4);
  pointers(numbers(8, 1), make(2, 0)->rows, 4);
  arrays(4);
  globals(4);
  data(first, 4);
  return 0;
}
