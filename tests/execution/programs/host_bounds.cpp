// Bounds and steps that read objects or call functions: the host evaluates them, the kernel gets their values.
#include <cstddef>
#include <cstdio>
#include <vector>
enum Extent { FEW = 3, MANY = 50 };
struct Range {
  int low, high;
  unsigned char step;
  unsigned width : 6;
  Extent extent;
  int length() const { return high - low; }
};
struct Grid {
  double *cells;
  long rows, columns;
  Range inner;
  Range *other;
  std::vector<double> held;
  long size() const { return rows * columns; }
  void fill() {
    double *data = cells;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : data[0 : rows * columns])
    for (long i = 0; i < rows; i++)
      for (long j = inner.low; j < this->columns; j += other->step) data[i * 40 + j] += (double)(i + 2 * j);
  }
  double sum() {
    double *data = cells, total = 0;
#pragma omp target teams distribute parallel for simd reduction(+ : total) map(to : data[0 : size()])
    for (long i = size() - 1; i >= inner.low; i -= inner.step) total += data[i] * 0.5;
    return total;
  }
  void partly_present() {
#pragma omp target data map(tofrom : cells[0 : rows * columns])
    {
      double *data = cells;
#pragma omp target teams distribute parallel for
      for (long i = 0; i < rows * columns; i++) data[i] += 1;
#pragma omp target teams distribute
      for (long i = other->low; i < other->high; i++) {
        double mine = 0;
#pragma omp parallel for reduction(+ : mine)
        for (int k = 0; k < 8; k++) mine += k;
        data[i] += mine;
      }
    }
  }
};
template <class T> struct Column {
  T *values;
  std::vector<T> kept;
  unsigned short count;
  void scale(T by) {
    T *data = kept.data();
#pragma omp target teams distribute parallel for map(tofrom : data[0 : kept.size()])
    for (std::size_t i = 0; i < kept.size(); i++) data[i] *= by;
    T *others = values;
#pragma omp target parallel for map(tofrom : others[0 : count])
    for (int i = count - 1; i >= 0; i--) others[i] -= by;
  }
};
static int asked = 0;
static int next_bound() { return 10 + 0 * ++asked; }
#define LIMIT(range) ((range)->high)
int main() {
  static double cells[800];
  Range there{2, 17, 3, 37, MANY};
  Range *range = &there;
  Grid grid{cells, 20, 40, {1, 9, 2, 11, FEW}, range, {}};
  grid.fill();
  std::printf("%g\n", grid.sum());
  grid.partly_present();
  std::printf("%g %g %g\n", cells[0], cells[5], cells[799]);
  std::vector<int> ends{4, 30, 12}, found(64, 0);
  int *out = found.data();
#pragma omp target teams distribute parallel for map(tofrom : out[0 : 64])
  for (int i = ends[0]; i < ends[1]; i += ends[2] / 4) out[i] += i;
#pragma omp target teams distribute parallel for map(tofrom : out[0 : 64]) dist_schedule(static, 4)
  for (int i = 0; i < range->extent; ++i) out[i] += 100;
#pragma omp target teams distribute parallel for map(tofrom : out[0 : 64]) schedule(static, 3)
  for (unsigned i = range->width; i != 0u; i--) out[i] += 1000;
#pragma omp target teams distribute parallel for map(tofrom : out[0 : 64])
  for (int i = 0; i < LIMIT(range); i++) out[i] += 10000;
#pragma omp target teams distribute parallel for map(tofrom : out[0 : 64])
  for (int i = 0; i < next_bound(); i++) out[i] += 100000;
  int last = -1;
#pragma omp target teams distribute parallel for lastprivate(last) map(tofrom : out[0 : 64])
  for (int i = 60; i > there.low; i += -there.step) last = i, out[i] += 1000000;
  int k = 0;
#pragma omp target parallel for simd lastprivate(k) map(tofrom : out[0 : 64])
  for (k = *ends.data(); k < *&there.high; ++k) out[k] += 2;
  std::printf("%d %d %d\n", last, k, asked > 0);
  for (int i = 0; i < 64; i++) std::printf("%d ", found[i]);
  int *bounds = new int[3]{0, 5, 9};
#pragma omp target enter data map(to : bounds[0 : 3])
  int counted = 0;
  // what a device pointer points to only the device can read
#pragma omp target data use_device_ptr(bounds)
#pragma omp target teams distribute parallel for is_device_ptr(bounds) reduction(+ : counted)
  for (int i = bounds[0]; i < bounds[2]; i++) counted += 1;
#pragma omp target exit data map(delete : bounds[0 : 3])
  int triangle = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : triangle)
  for (int i = 0; i < there.high; i++)
    for (int j = i; j < there.high; j++) triangle += 1;
  std::printf("\n%d %d\n", counted, triangle);
  Column<float> column{new float[6]{1, 2, 3, 4, 5, 6}, {1, 2, 3}, 6};
  column.scale(2);
  Column<int> whole{new int[2]{7, 8}, {4, 5, 6, 7}, 2};
  whole.scale(3);
  std::printf("%g %g %d %d\n", column.kept[2], column.values[5], whole.kept[3], whole.values[1]);
}
