// Blocks of 1024 threads call a function of another file that has many values at a time.
#include <stdio.h>
#pragma omp declare target
unsigned mixed(const unsigned *p, int n, int rounds);
void work(int *a, int n);
unsigned deep(unsigned x, int n);
extern unsigned long long total;
#pragma omp end declare target
unsigned again(const unsigned *p, int n);
unsigned down(unsigned x, int n) { return n == 0 ? x : deep(x * 3 + 1, n - 1); }
#pragma omp declare target enter(down)
int main(void) {
  enum { N = 4096 };
  static unsigned p[N + 64], sums[N];
  static int a[N];
  unsigned long long all = 0;
  for (int i = 0; i < N + 64; i++) p[i] = i * 2654435761u;
#pragma omp target teams distribute parallel for num_threads(1024) thread_limit(1024) map(to : p) map(from : sums)
  for (int i = 0; i < N; i++) sums[i] = mixed(p + i, 64, 3);
  for (int i = 0; i < N; i++) all += sums[i];
  printf("%llu\n", all);
  all = 0;
#pragma omp target teams distribute parallel for reduction(+ : all) map(to : p)
  for (int i = 0; i < N; i++) all += mixed(p + i, 64, 1) & 255;
  printf("%llu\n", all);
#pragma omp target teams num_teams(4) thread_limit(256) map(tofrom : a)
  {
    work(a, N);
  }
  long long sum = 0;
  for (int i = 0; i < N; i++) sum += (long long)i * a[i];
  printf("%lld\n", sum);
  unsigned r[3] = {0};
#pragma omp target map(tofrom : r) nowait depend(out : r)
  r[0] = deep(5, 40);
#pragma omp target map(tofrom : r) nowait depend(inout : r)
  r[1] = r[0] + mixed(p, 0, 0);
#pragma omp taskwait
  total = 7;
#pragma omp target update to(total)
#pragma omp target map(tofrom : r)
  {
    total += 1;
    r[2] = (unsigned)total;
  }
  printf("%u %u %u %u\n", r[0], r[1], r[2], again(p, 64));
  return 0;
}
