#include <cstdio>
struct Field {
  int size;
  double *data;
  void scale(double f) {
#pragma omp target teams distribute parallel for map(tofrom : data[0 : size])
    for (int i = 0; i < size; i++) data[i] *= f;
  }
};
int main() {
  double d[4] = {1, 2, 3, 4};
  Field f{4, d};
  f.scale(2);
  std::printf("%g\n", d[3]);
}
