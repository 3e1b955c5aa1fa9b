// Explicit tasks of target regions share what is mapped where they say so, in the host version too.
#include <stdio.h>
struct point { int x, y; };
int count;
static void plain(int n, int *p) {
  int s = 0, a[2] = {0}, first = 7;
  struct point q = {1, 2};
#pragma omp target map(tofrom: s, a, q, p[0:n]) firstprivate(first)
  {
    int own = 3;
#pragma omp task shared(s, a, q)
    {
      s += own;
      a[0]++;
      q.y += first;
      p[1] = 9;
    }
#pragma omp taskwait
#pragma omp taskloop num_tasks(2) shared(s, a)
    for (int i = 0; i < 4; i++) {
#pragma omp atomic
      s += i;
#pragma omp task if(0) shared(a)
      {
#pragma omp atomic
        a[1] += i;
      }
    }
#pragma omp taskloop simd grainsize(2)
    for (int i = 0; i < 2; i++) p[2 + i] = i + q.x;
#pragma omp task default(shared) final(1)
    s += 100;
#pragma omp taskwait
  }
  printf("%d %d %d %d %d %d %d\n", s, a[0], a[1], q.y, p[1], p[2], p[3]);
}
static void around(void) {
  int total = 0;
#pragma omp parallel num_threads(2) reduction(+: total)
  {
    int mine = 1;
#pragma omp target map(tofrom: mine)
    {
#pragma omp task shared(mine)
      mine += 4;
#pragma omp taskwait
    }
#pragma omp single
    total += mine;
  }
  printf("%d\n", total);
}
static void threads(void) {
  int s = 0;
#pragma omp target parallel map(tofrom: s) num_threads(3)
#pragma omp single
  {
#pragma omp task
    s += 5;
#pragma omp taskwait
  }
  printf("%d\n", s);
}
int main(void) {
  int p[4] = {0};
  plain(4, p);
  around();
  threads();
}
