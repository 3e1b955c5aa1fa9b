// A region uses a class inside of another one, whose methods and bases are for the host.
#include "base.h"
#include <cstdio>
class kernel : public base {
public:
  struct points { int n; double *x; double at(int i) const { return x[i]; } };
  double run(int n) {
    double *v = nullptr, total = 0;
    make(v, n);
    for (int i = 0; i < n; ++i) v[i] = i;
    points p;
    p.n = n;
    p.x = v;
#pragma omp target teams distribute parallel for map(to : p, p.x[0 : n]) reduction(+ : total)
    for (int i = 0; i < n; ++i) total += p.at(i) + p.n;
    fill(total == 590 ? seen : p.n);
    stop();
    return total + seen;
  }
};
int main() { kernel k; printf("%g\n", k.run(20)); }
