// Loops of a league in functions that regions call.
#include <stdio.h>
#pragma omp begin declare target
static void fill(int *a, int n) {
#pragma omp distribute
  for (int i = 0; i < n; i++) a[i] = i;
}
void add(int *a, int n) {
#pragma omp distribute parallel for
  for (int i = 0; i < n; i++) a[i] += i;
}
static void add_again(int *a, int n) { add(a, n); }
static void count(int *a, int n) {
#pragma omp loop bind(teams)
  for (int i = 0; i < n; i++) a[i] += 1;
}
#pragma omp end declare target
static void more(int *part) {
#pragma omp target teams map(tofrom : part[0 : 50])
  add(part, 50);
}
static int sum(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
// Regions that are tasks, or stand inside of nested parallel regions of the host.
static void inside(void) {
  int a[100] = {0}, parts[3][100] = {{0}}, n = 100, teams = 0;
#pragma omp target teams map(tofrom : a) num_teams(4) nowait
  { add(a, n); }
#pragma omp taskwait
#pragma omp target depend(inout : a) map(tofrom : a) firstprivate(n)
#pragma omp teams num_teams(4)
  {
    int m = n;
    add(a, m);
  }
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : teams)
  {
#pragma omp target in_reduction(+ : teams) map(tofrom : a)
#pragma omp teams num_teams(2) reduction(+ : teams)
    {
      add(a, n);
      teams += 1;
    }
  }
#pragma omp parallel for num_threads(3)
  for (int t = 0; t < 3; t++) {
    int *part = parts[t];
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target teams map(tofrom : part[0 : n]) num_teams(4)
      { add(part, n); }
    }
  }
  printf("%d %d", sum(a, n), teams > 0);
  for (int t = 0; t < 3; t++) printf(" %d", sum(parts[t], n));
  printf("\n");
}
int main(void) {
  int a[100] = {0}, n = 100, own = 0, out = 0, s = 0;
#pragma omp target teams map(tofrom : a) num_teams(4)
  { fill(a, n); }
#pragma omp target teams map(tofrom : a) num_teams(2) firstprivate(own)
  {
    own += 1;
    add_again(a, n * own);
  }
#pragma omp target map(tofrom : a, out)
#pragma omp teams thread_limit(16) reduction(max : out)
  {
    count(a, n);
    out = 5;
  }
#pragma omp parallel for num_threads(2)
  for (int t = 0; t < 2; t++) more(a + t * 50);
  for (int i = 0; i < n; i++) s += a[i];
  printf("%d %d\n", s, out);
  inside();
}
