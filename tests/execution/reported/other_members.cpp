#include <cstdio>
struct Field {
  int size;
  double offset;
  double *data;
  void shift() {
#pragma omp target teams distribute parallel for map(tofrom : this->data[0 : this->size])
    for (int i = 0; i < this->size; i++) this->data[i] += this->offset;
  }
};
int main() {
  double d[4] = {1, 2, 3, 4};
  Field f{4, 0.5, d};
  f.shift();
  std::printf("%g\n", d[3]);
}
