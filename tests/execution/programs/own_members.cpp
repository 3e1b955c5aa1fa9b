#include <cstdio>
struct Part {
  int first, second;
};
struct Field {
  int size;
  double offset;
  double *data;
  double cells[4];
  Part part;
  void scale(double f) {
#pragma omp target teams distribute parallel for map(tofrom : data[0 : size])
    for (int i = 0; i < size; i++) data[i] *= f + offset;
  }
  void fill(int n) {
#pragma omp target map(from : cells)
    for (int i = 0; i < n; i++) cells[i] = i;
  }
  void count() {
#pragma omp target map(tofrom : this->part.second)
    part.second++;
#pragma omp target map(tofrom : part.first) map(to : cells)
    part.first += (int)cells[2] + size;
  }
  double only(int n) {
    double s = 0;
#pragma omp target data map(to : data[0 : n])
#pragma omp target teams distribute parallel for map(to : data[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; i++) s += this->data[i];
#pragma omp target update from(offset)
    return s;
  }
};
int main() {
  double d[4] = {1, 2, 3, 4};
  Field f{4, 0.5, d, {9, 9, 9, 9}, {1, 2}};
  f.scale(2), f.fill(3), f.count();
  std::printf("%g %g %g %g\n", d[3], f.cells[0], f.cells[2], f.only(4));
  std::printf("%d %d %d %g %d\n", f.part.first, f.part.second, f.size, f.offset, f.data == d);
}
