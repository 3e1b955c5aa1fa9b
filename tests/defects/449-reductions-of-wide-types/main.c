/* Reductions of what is wider than a register, C's complex numbers and long double, which only CPUs have. */
#include <complex.h>
#include <stdio.h>
#pragma omp declare reduction(far : double _Complex : omp_out = creal(omp_in) > creal(omp_out) ? omp_in : omp_out) \
    initializer(omp_priv = -1)
#pragma omp declare reduction(sum : double _Complex : omp_out += omp_in) initializer(omp_priv = 0)
static void complex_numbers(void) {
  double _Complex s = 0, most = 0, product = 1, parts[4] = {0};
  float _Complex t = 1;
#pragma omp target teams distribute parallel for reduction(+ : s) reduction(- : t)
  for (int i = 0; i < 100; i++) {
    s += i + 2 * i * I;
    t += i - i * I;
  }
#pragma omp target parallel for reduction(* : product)
  for (int i = 1; i < 4; i++) product *= i + 1 * I;
#pragma omp target teams distribute parallel for reduction(far : most) reduction(sum : parts[1 : 2])
  for (int i = 0; i < 100; i++) {
    double _Complex z = (i * 37) % 91 + 1.0 * I;
    if (creal(z) > creal(most)) most = z;
    parts[1 + i % 2] += i * I;
  }
  printf("%g %g %g %g %g %g\n", creal(s), cimag(s), creal(t), cimag(t), creal(product), cimag(product));
#pragma omp target map(tofrom : s, parts)
  {
    s += 1;
#pragma omp parallel for reduction(+ : s, parts)
    for (int i = 0; i < 100; i++) {
      s += i * I;
      parts[i % 4] += 1;
    }
  }
  printf("%g %g %g %g %g %g\n", creal(most), creal(s), cimag(s), creal(parts[0]), cimag(parts[1]), cimag(parts[2]));
}
static void floating(void) {
  long double s = 0, least = 1e300L, most = -1;
#pragma omp target teams distribute parallel for reduction(+ : s) reduction(min : least) reduction(max : most)
  for (int i = 0; i < 100; i++) {
    s += i + 0.25L;
    if (i - 3.5L < least) least = i - 3.5L;
    if (i > most) most = i;
  }
  printf("%Lg %Lg %Lg\n", s, least, most);
}
int main(void) {
  complex_numbers();
  floating();
}
