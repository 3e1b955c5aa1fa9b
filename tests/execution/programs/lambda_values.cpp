/* Lambdas with init-captures that templates with regions get: objects whose members have the values. */
#include <stdio.h>

struct P {
  double x, y;
};

template <class F> double total(int n, F f) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}

template <class F> void each(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}

int calls;

int counted(int x) {
  calls++;
  return x;
}

double names_that_the_function_has_too(double q, int k) {
  return total(10, [=, k = 2.0](int i) { return k * i + q; });
}

double computed_from_its_own_name(int k, P p) {
  return total(10, [k = k + 1, w = p](int i) { return k * i + w.y; });
}

double beside_plain_captures(double q) {
  const int c = 3;
  return total(10, [q, k = c](int i) { return k * i + q + c; });
}

double of_another_type(double q, int k) {
  return total(10, [=, r = (float)q * k](int i) { return r * i + q; });
}

double evaluated_once(int k) {
  double s = total(10, [m = counted(k) * 2](int i) { return m + i; });
  return s + calls;
}

void pointers(double *a, int n) {
  each(n, [out = a, in = a + n](int i) { out[i] += 2 * in[i]; });
}

int main() {
  double a[20];
  for (int i = 0; i < 20; i++) a[i] = i * i;
  printf("%g\n", names_that_the_function_has_too(1.5, 7));
  printf("%g\n", computed_from_its_own_name(7, P{2, 3}));
  printf("%g\n", beside_plain_captures(1.5));
  printf("%g\n", of_another_type(1.5, 7));
  printf("%g\n", evaluated_once(4));
  double s = 0;
#pragma omp target data map(tofrom : a)
  pointers(a, 10);
  for (double x : a) s = s * 0.5 + x;
  printf("%g\n", s);
  return 0;
}
