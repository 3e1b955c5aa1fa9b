#include <stdio.h>
int main(int argc, char **argv) {
  int n = 4 + argc;
  double h[n]; for (int i = 0; i < n; i++) h[i] = i;
  int x[12];
#pragma omp target teams distribute reduction(+: h[:5]) map(from: x)
  for (int i = 0; i < 12; i++) {
#pragma omp parallel reduction(+: h) num_threads(2)
    {
#pragma omp for
      for (int k = 0; k < 5; k++) h[k] += k * i;
    }
    x[i] = i;
  }
  for (int i = 0; i < n; i++) printf("%g ", h[i]);
  printf("\n");
}
