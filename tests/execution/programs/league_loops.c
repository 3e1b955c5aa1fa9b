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
}
