// What a target task reads of small objects and arrays is what the tasks that it depends on have left there.
#include <stdio.h>
#include <unistd.h>

struct Pair {
  int x, y;
};

int main() {
  int a[4] = {1, 2, 3, 4}, first = 0, second = 0, third = 0, number = 3, token = 0;
  Pair pair = {1, 2};
  const Pair fixed = {5, 6};
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : token) shared(a, pair, number, token)
    {
      usleep(20000);
      a[1] = 50;
      pair.x = 70;
      number = 90;
      token = 1;
    }
#pragma omp target nowait depend(in : token) map(from : first, second, third) map(to : number)
    {
      first = a[1] + fixed.y;
      second = pair.x;
      third = number;
    }
#pragma omp taskwait
#pragma omp task depend(out : token) shared(a, pair, number, token)
    {
      usleep(20000);
      a[1] = 51;
      pair.x = 71;
      number = 91;
      token = 2;
    }
#pragma omp target depend(in : token) map(tofrom : first, second, third) map(to : number)
    {
      first += a[1];
      second += pair.x;
      third += number;
    }
  }
  printf("%d %d %d\n", first, second, third);
  return 0;
}
