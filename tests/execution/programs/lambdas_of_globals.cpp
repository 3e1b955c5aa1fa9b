// Lambdas in a region that name variables of file scope, static ones and members of namespaces.
#include <cstdio>

static unsigned scale = 3, total = 0;
namespace settings {
int shift = 2;
}

int main() {
  static int base = 10;
  unsigned x[4] = {}, y[4] = {}, z[4] = {};
#pragma omp target teams distribute parallel for map(from : x)
  for (int i = 0; i < 4; i++) {
    auto f = [&](unsigned a) { return a * 2u + scale; };
    x[i] = f(i);
  }
#pragma omp target parallel for map(tofrom : y)
  for (int i = 0; i < 4; i++) {
    int k = 5;
    auto f = [=](unsigned a) { return a * scale + k + base + settings::shift; };
    auto g = [k](unsigned a) { return a + k + base; };
    y[i] = f(i) + g(i);
  }
#pragma omp target map(tofrom : total, z)
  {
    auto add = [](unsigned a) { total += a * scale; };
    for (int i = 0; i < 4; i++) add(z[i] = i);
  }
  printf("%u %u %u %u %u\n", x[3], y[0], y[3], z[3], total);
}
