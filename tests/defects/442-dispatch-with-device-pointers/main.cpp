#include <cstdio>
#include <omp.h>

void add_on_device(int *p, int n);
#pragma omp declare variant(add_on_device) match(construct = {dispatch}) adjust_args(need_device_ptr : p)
void add(int *p, int n);

void add(int *p, int n) {
  for (int i = 0; i < n; i++) p[i] += 100;
}

void add_on_device(int *p, int n) {
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < n; i++) p[i] += i;
}

int main() {
  int a[4] = {1, 2, 3, 4};
#pragma omp target data map(tofrom : a)
  {
#pragma omp dispatch
    add(a, 4);
  }
  std::printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
}
