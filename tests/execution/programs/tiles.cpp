// Loops in tiles in C++: templates of which some instances are tiled and some are not, members of the object, references,
// bounds and steps that depend on template parameters, values that are converted.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

struct Two {
  double first, second;
  Two &operator=(double value) {
    first = value, second = -value;
    return *this;
  }
};
static double number(double x) { return x; }
static double number(const Two &x) { return x.first + 3 * x.second; }

// A double is tiled, an object is not: one text, two launches.
template <class T, int Step> double fill(int n) {
  std::vector<T> storage(n + 1);
  T *out = storage.data();
#pragma omp target teams distribute parallel for map(tofrom : out[0 : n])
  for (int i = 0; i < n; i += Step) out[i] = i * 0.5 + Step;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += number(out[i]) * (i % 7);
  return sum;
}

template <class T, class U> double convert(const std::vector<T> &from, int n) {
  std::vector<U> to(n + 1);
  const T *in = from.data();
  U *out = to.data();
#pragma omp target teams distribute parallel for simd map(to : in[0 : n]) map(from : out[0 : n])
  for (long i = 0; i < n; ++i) {
    const T twice = in[i] + in[i];
    out[i] = static_cast<U>(std::max(twice, T(5)));
  }
#pragma omp target teams distribute parallel for map(tofrom : out[0 : n]) map(to : in[0 : n])
  for (unsigned i = 0; i != unsigned(n); ++i) out[i] += in[i] / T(3);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += double(out[i]) * (i % 11 + 1);
  return sum;
}

class Grid {
public:
  Grid(int rows, int columns) : rows(rows), columns(columns), a(new float[rows * columns]), b(new float[rows * columns]) {
    for (int i = 0; i < rows * columns; i++) a[i] = float(i % 31), b[i] = 0;
  }
  ~Grid() {
    delete[] a;
    delete[] b;
  }
  void spread() {
    const int size = rows * columns;
    float *&source = a;
#pragma omp target teams distribute parallel for collapse(2) map(to : source[0 : size]) map(tofrom : b[0 : size])
    for (int i = 1; i < rows - 1; i++)
      for (int j = 1; j < columns - 1; j++)
        b[i * columns + j] = weight * (source[(i - 1) * columns + j] + source[(i + 1) * columns + j]);
#pragma omp target teams distribute parallel for map(tofrom : a[0 : size]) map(to : b[0 : size])
    for (int i = 0; i < size; i++) {
      const float &moved = b[i];
      this->a[i] -= weight * moved;
    }
#pragma omp target teams distribute parallel for map(tofrom : a[0 : size])
    for (int i = 0; i < size; i++) a[i] = std::sqrt(std::fabs(a[i])) + (i & 1 ? 1.0 : 0.0);
  }
  double sum() const {
    double found = 0;
    for (int i = 0; i < rows * columns; i++) found += std::floor(a[i] * 1000) * (i % 5) + std::floor(b[i] * 1000);
    return found;
  }

private:
  int rows, columns;
  float weight = 0.25f;
  float *a, *b;
};

namespace outer {
double table[5000];
namespace inner {
using value = long;
void run(int n) {
  value counts[5000];
#pragma omp target teams distribute parallel for map(from : counts) map(tofrom : table)
  for (int i = 0; i < n; i++) {
    value next = i;
    next *= 3;
    counts[i] = next;
    table[i] = next * 0.5; // two stores; nothing reads between them
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += double(counts[i]) - table[i];
  std::printf("inner %.1f\n", sum);
}
} // namespace inner
} // namespace outer

int main() {
  for (int n : {0, 1, 255, 1023, 1025, 5000, 70000}) {
    std::printf("%d: %.1f %.1f %.1f\n", n, fill<double, 1>(n), fill<double, 3>(n), fill<Two, 2>(n));
    std::vector<float> f(n + 1);
    std::vector<int> k(n + 1);
    std::vector<unsigned char> c(n + 1);
    for (int i = 0; i < n; i++) f[i] = float(i % 50) / 4, k[i] = i % 1000 - 500, c[i] = (unsigned char)i;
    std::printf("%.1f %.1f %.1f %.1f\n", convert<float, double>(f, n), convert<float, short>(f, n),
                convert<int, long long>(k, n), convert<unsigned char, float>(c, n));
    outer::inner::run(std::min(n, 5000));
  }
  Grid grid(130, 257);
  grid.spread();
  std::printf("grid %.1f\n", grid.sum());
}
