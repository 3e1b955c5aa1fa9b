#include <stdio.h>
typedef struct { int a; double b; } item;
static int by_enumerator(item v, item *q) {
  item *p = q, arr[2] = {v, v};
  int s = 0;
  enum { item = 6 };
#pragma omp target map(tofrom : s) map(to : p[0:1], arr)
  s += p->a + item + arr[1].a + v.a;
#pragma omp target teams distribute parallel for private(v) firstprivate(arr) reduction(+ : s)
  for (int i = 0; i < 2; i++) {
    v.a = i;
    s += v.a + arr[i].a + item;
  }
  return s;
}
static int by_type(item v, item *q) {
  item *p = q, arr[2] = {v, v};
  int s = 0;
  typedef int item;
  item n = 5;
#pragma omp target map(tofrom : s) map(to : p[0:1], arr)
  {
    item t = 2;
    s += p->a + n + arr[1].a + v.a + t;
  }
#pragma omp target teams distribute parallel for private(v) firstprivate(arr) reduction(+ : s)
  for (item i = 0; i < 2; i++) {
    v.a = i;
    s += v.a + arr[i].a + n;
  }
  return s;
}
int main(void) {
  item it = {3, 4.5};
  printf("%d %d\n", by_enumerator(it, &it), by_type(it, &it));
  return 0;
}
