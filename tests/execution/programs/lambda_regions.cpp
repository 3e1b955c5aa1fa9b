/* A region in a lambda of the host: constructs that are the whole body of others stand in no lambda of the region. */
#include <cstdio>
int main() {
  int k = 7;
  auto f = [&](int x) {
#pragma omp target map(tofrom: k)
    {
      if (x > 4) {
#pragma omp parallel num_threads(8)
#pragma omp single
        k += x;
      } else {
#pragma omp single
        k += 2 * x;
      }
    }
    return k;
  };
  int first = f(5), second = f(4);
  printf("%d %d\n", first, second);
}
