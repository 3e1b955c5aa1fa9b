#include <complex.h>
#include <stdio.h>
#include <waves.h>
typedef wave own;
struct pair {
  wave first;
  own second;
};
static wave turned(wave z) { return z * I; }
int main(void) {
  int n = 8;
  wave in[8], sum = 0;
  struct pair pairs[8];
  waves_of of = {2};
  wave *all = in;
  for (int i = 0; i < n; i++) in[i] = i % 5 + I * (i % 3);
#pragma omp target teams distribute parallel for map(tofrom : all[0 : n]) map(from : pairs) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    wave t = all[i], *p = &all[i];
    wave_f narrow = t;
    *p = turned(t) * of.many;
    pairs[i].first = narrow + sizeof(wave);
    pairs[i].second = *p;
    sum += (wave)crealf(narrow) + 2 * I;
  }
  printf("%g %g %g %g %g %g\n", creal(in[3]), cimag(in[4]), creal(sum), cimag(sum), creal(pairs[7].first), cimag(pairs[6].second));
  return 0;
}
