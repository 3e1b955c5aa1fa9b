// A region of a member function maps one member and uses another, inside a data region that maps only these two: of the
// object, which is mapped implicitly, only the part that is on the device already is.
#include <cstdio>
#include <cstdlib>

struct Field {
  int step;
  double offset;
  double *data;
  double *unused;

  void grow(int n) {
#pragma omp target data map(tofrom: data[:n]) map(to: step)
    {
#pragma omp target map(to: step)
      for (int i = 0; i < n; i++) data[i] += step;
#pragma omp target teams distribute parallel for map(to: data[:n])
      for (int i = 0; i < n; i++) data[i] *= step;
#pragma omp target map(always, tofrom: step)
      {
        step += (int)data[0];
        data[1] += offset > 1e300;
      }
    }
  }

  // Nothing of the object is on the device: all of it is mapped.
  void scale(int n) {
#pragma omp target map(tofrom: data[:n])
    for (int i = 0; i < n; i++) data[i] = data[i] * step + offset;
  }
};

int main() {
  double d[4] = {1, 2, 3, 4};
  Field f{4, 0.5, d, nullptr};
  f.grow(4);
  std::printf("%d %g %g %d\n", f.step, d[1], d[3], f.data == d);
  f.scale(4);
  std::printf("%d %g %g %d\n", f.step, d[1], d[3], f.data == d);
}
