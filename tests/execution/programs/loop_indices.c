#include <stdio.h>
static int bad;
#define CHECK(c) do { if (!(c)) { printf("line %d\n", __LINE__); bad++; } } while (0)

/* The index of 'loop' is lastprivate (5.2, 5.1.1), wherever the loop stands in a region. */
static void one_thread(int n) {
  int i = -1, seen = 0, a[100] = {0};
#pragma omp target map(tofrom : i, a, seen)
  {
#pragma omp loop bind(thread)
    for (i = 0; i < n; i++) a[i] = i;
    seen = i;
  }
  CHECK(seen == n && i == n && a[n - 1] == n - 1);
}
static void threads(int n) {
  int i = -1, a[100] = {0};
#pragma omp target parallel map(tofrom : i, a)
  {
#pragma omp loop bind(parallel)
    for (i = 3; i < n; i += 2) a[i] = 1;
  }
  CHECK(i == 3 + (n - 3 + 1) / 2 * 2 && a[3] == 1 && a[4] == 0);
}
static void teams(int n) {
  int i = -1, a[100] = {0};
#pragma omp target teams map(tofrom : i, a) num_teams(4)
#pragma omp loop bind(teams)
  for (i = 0; i < n; i++) a[i] = i + 1;
  CHECK(i == n && a[n - 1] == n);
}
static void collapsed(int n) {
  int i = -1, j = -1, a[400] = {0};
#pragma omp target parallel map(tofrom : i, j, a)
  {
#pragma omp loop collapse(2)
    for (i = 0; i < n; i++)
      for (j = 1; j < 19; j += 3) a[i * 20 + j] = 1;
  }
  CHECK(i == n && j == 19 && a[(n - 1) * 20 + 16] == 1 && a[0] == 0);
}
static void used_again(int n) {
  int got = 0;
#pragma omp target parallel map(tofrom : got) num_threads(4)
  {
    int i, mine = 0;
#pragma omp loop bind(thread)
    for (i = 0; i < n; i++) mine++;
#pragma omp atomic
    got += mine == i;
  }
  CHECK(got >= 1);
}
#pragma omp declare target
static int called(int n) {
  unsigned i;
#pragma omp loop bind(thread)
  for (i = 0; i < n; i++)
    ;
  return i;
}
static int called_by_team(int n) {
  long i;
#pragma omp loop bind(parallel)
  for (i = 0; i < n; i++)
    ;
  return i;
}
#pragma omp end declare target
static void in_functions(int n) {
  int a = 0, b = 0;
#pragma omp target map(tofrom : a, b)
  {
    a = called(n);
    b = called_by_team(n);
  }
  CHECK(a == n && b == n);
}
static void grid(int n) {
  int ends[40];
#pragma omp target teams distribute parallel for map(from : ends)
  for (int k = 0; k < 40; k++) {
    int i;
#pragma omp loop bind(thread)
    for (i = 0; i < n + k; i += 2)
      ;
    ends[k] = i;
  }
  for (int k = 0; k < 40; k++) CHECK(ends[k] == (n + k + 1) / 2 * 2);
}
static void pointers(void) {
  double v[50], *p = v;
  long behind = 0;
#pragma omp target map(from : v, behind)
  {
    double *q;
#pragma omp loop bind(thread)
    for (q = v; q < v + 50; q++) *q = 2;
    behind = q - v;
  }
  CHECK(behind == 50 && *p == 2);
}
#pragma omp declare target
static int global_index;
#pragma omp end declare target
static void global(int n) {
  int seen = 0;
#pragma omp target map(from : seen)
  {
#pragma omp loop bind(thread)
    for (global_index = 0; global_index < n; global_index++)
      ;
    seen = global_index;
  }
  CHECK(seen == n);
}
static void read_before(int n) {
  int seen = 0;
#pragma omp target map(tofrom : seen)
  {
    int i = 1000;
    for (int k = 0; k < 3; k++) {
      seen += i;
#pragma omp loop bind(thread)
      for (i = 0; i < n; i++)
        ;
    }
  }
  CHECK(seen == 1000 + 2 * n);
}
static void added_to(int n) {
  int seen = 0;
#pragma omp target map(from : seen)
  {
    int i;
#pragma omp loop bind(thread)
    for (i = 0; i < n; i++)
      ;
    i += 5;
    seen = i;
  }
  CHECK(seen == n + 5);
}
static void another_loop(int n) {
  int i = -5, a[64] = {0};
#pragma omp target map(tofrom : a)
  {
#pragma omp loop bind(thread)
    for (i = 0; i < n; i++) a[i]++;
    for (i = 0; i < n; i++) a[i]++;
#pragma omp parallel
#pragma omp loop bind(parallel)
    for (i = 0; i < n; i++) a[i]++;
  }
  CHECK(a[0] == 3 && a[n - 1] == 3);
}
static int g;
static void plain_global(int n) {
  static int s;
  int seen = 0;
#pragma omp target map(from : seen)
  {
#pragma omp loop bind(thread)
    for (g = 0; g < n; g++)
      ;
#pragma omp loop bind(thread)
    for (s = 0; s < n; s++)
      ;
    seen = s;
  }
  CHECK(seen == n);
}
static void only_global(int n) {
  int seen = 0;
#pragma omp target map(from : seen)
  {
#pragma omp loop bind(thread)
    for (g = 0; g < n; g++)
      ;
    seen = 1;
  }
  CHECK(seen == 1);
}
static void endless(int n) {
  int seen = 0, last = 0;
#pragma omp target map(from : seen) map(tofrom : last)
  {
    int i;
#pragma omp loop bind(thread)
    for (i = 0; i < n; i++)
      ;
    for (;;) {
      seen = i;
      i = 4;
      break;
    }
    int k;
#pragma omp loop bind(thread)
    for (k = 0; k < n; k++)
      ;
    for (k = k - 1; k > 3; k--) last = k > last ? k : last;
  }
  CHECK(seen == n && last == n - 1);
}
static void lists(int n) {
  int i = 3, a[50] = {0};
#pragma omp target defaultmap(none) firstprivate(i, n) map(a)
  {
#pragma omp loop bind(thread)
    for (i = 0; i < n; i++) a[i]++;
  }
#pragma omp target defaultmap(firstprivate : scalar)
  {
#pragma omp loop bind(thread)
    for (i = 0; i < n; i++) a[i]++;
  }
#pragma omp target defaultmap(tofrom : aggregate)
  {
#pragma omp loop bind(thread)
    for (i = 0; i < n; i++) a[i]++;
  }
#pragma omp target defaultmap(tofrom : scalar)
#pragma omp parallel private(i)
#pragma omp loop bind(parallel)
    for (i = 0; i < n; i++) a[i]++;
  CHECK(a[n - 1] == 4 && a[0] == 4);
}
/* 'defaultmap' maps the indices that the region's own loops keep. */
#define BY_DEFAULT(directive) \
  i = -5; \
  _Pragma(directive) \
  for (i = 0; i < n; i++) a[i]++; \
  CHECK(i == n)
static void home_by_default(int n) {
  int i, a[64] = {0};
  BY_DEFAULT("omp target simd defaultmap(tofrom : scalar)");
  BY_DEFAULT("omp target teams distribute parallel for simd defaultmap(tofrom : scalar)");
  BY_DEFAULT("omp target parallel for simd defaultmap(from : scalar) map(to : n)");
  BY_DEFAULT("omp target teams loop defaultmap(tofrom)");
  BY_DEFAULT("omp target parallel loop defaultmap(tofrom : scalar)");
  i = -5;
#pragma omp target defaultmap(tofrom : scalar)
#pragma omp loop bind(thread)
  for (i = 0; i < n; i++) a[i]++;
  CHECK(i == n && a[0] == 6 && a[n - 1] == 6);
}
int main(void) {
  plain_global(9);
  only_global(9);
  endless(12);
  lists(50);
  home_by_default(60);
  global(12);
  read_before(9);
  added_to(8);
  another_loop(40);
  one_thread(100);
  threads(90);
  teams(77);
  collapsed(20);
  used_again(31);
  in_functions(17);
  grid(5);
  pointers();
  printf("%s: %d\n", bad ? "wrong" : "right", bad);
  return bad != 0;
}
