// Objects of which several parts are on the device, and regions that use a later one without a clause.
#include <cstdio>

struct Field {
  int first;
  int gap[6];
  int n;
  double weights[3];
  int more[4];
  int last;
  int read() {
    int r = 0;
#pragma omp target map(tofrom : r)
    r = n;
    return r;
  }
  double sum() {
    double r = 0;
#pragma omp target map(tofrom : r)
    for (int i = 0; i < 3; i++) r += weights[i];
    return r;
  }
  void change() {
#pragma omp target
    last += 2;
#pragma omp target update from(last)
  }
};

int main() {
  Field f = {1, {}, 5, {1, 2, 4}, {}, 7};
#pragma omp target enter data map(to : f.first)
#pragma omp target enter data map(to : f.n)
#pragma omp target enter data map(to : f.weights)
#pragma omp target enter data map(to : f.last)
  f.change();
  std::printf("%d %g %d\n", f.read(), f.sum(), f.last);
  int r = 0;
#pragma omp target map(tofrom : r)
  r = f.n + 1;
  std::printf("%d\n", r);
#pragma omp target exit data map(delete : f.first, f.n, f.weights, f.last)
}
