#include <stdio.h>
struct p { int x; const int y; }; typedef const double row3[3]; struct q { const char *n; int v[2]; };
#pragma omp begin declare target
static int first(const int *v) { return v[0] + v[2]; }
static double second(const double (*m)[3]) { return m[0][1] + m[1][2]; }
static int third(const struct p *p) { return p->x * 10 + p->y; }
static int fourth(const struct q *q) { return q->n[1] + q->v[1]; }
static int strs(const char *const *s) { return s[0][0] - s[1][1]; }
#pragma omp end declare target
int main(void) {
  double r = 0;
#pragma omp target map(tofrom: r)
  {
    for (int k = 0; k < 3; k++) { r += first((const int[]){k, 8, 9}); r += second((const double[2][3]){{1, 2 + k}, {3, 4, 5}}); }
    r += third(&(struct p){3, 4}); r += third(&(const struct p){.y = 5}); r += fourth(&(const struct q){"ab", {1, 2}}); r += strs((const char *const[]){"x", "yz"});
    const int *v = (const int[4]){[3] = 7}; r += v[3] + v[0]; const double *w = (row3){1, 2, 3}; r += w[2];
    r += ((const int[]){1, 2, 3})[1] + ((const struct q){"z", {4, 5}}).v[1] + *(const int *)&(const volatile int){8};
    const struct p *pp = &(const struct p){1, 2}; r += pp->y;
  }
  printf("%g\n", r);
}
