#include <stdarg.h>
#include <stdio.h>
static double given(int n, va_list list) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += va_arg(list, double);
  return sum;
}
static int all(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  int sum = 0;
  for (int i = 0; i < n; i++) sum += va_arg(list, int);
  const int *first = n > 0 ? (void *)0 : va_arg(again, int *);
  va_end(again);
  va_end(list);
  return sum + (first ? *first : 0);
}
static double mean(int n, ...) {
  va_list list;
  va_start(list, n);
  double sum = given(n, list);
  va_end(list);
  return sum / n;
}
int main(void) {
  int a[8], seven = 7;
  double b[8];
#pragma omp target teams distribute parallel for map(from : a, b) map(to : seven)
  for (int i = 0; i < 8; i++) {
    a[i] = all(3, i, 2 * i, 4) + all(0, &seven);
    b[i] = mean(2, 1.0 * i, 3.0);
  }
  printf("%d %d %g %g\n", a[0], a[7], b[0], b[7]);
  return 0;
}
