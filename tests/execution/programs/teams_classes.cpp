// Team code in templates, methods and with lambdas and references.
#include <cstdio>

template <typename T, int WIDTH> struct Rows {
  T *data;
  int rows;

  T normalise() {
    T checksum = 0;
    T *values = data;
    int count = rows;
    #pragma omp target teams distribute map(tofrom: values[0:count * WIDTH]) reduction(+: checksum)
    for (int r = 0; r < count; r++) {
      T sum = 0;
      T *row = values + r * WIDTH;
      #pragma omp parallel for reduction(+: sum)
      for (int i = 0; i < WIDTH; i++) sum += row[i];
      const T mean = sum / WIDTH;
      T &first = row[0];
      #pragma omp parallel for
      for (int i = 0; i < WIDTH; i++) row[i] -= mean;
      first += 1;
      checksum += first + mean;
    }
    return checksum;
  }
};

struct Pair {
  double low = 1, high = 2;
};

static void apply(int n, double *out, int offset) {
  auto f = [=](int i) { return i * 2.0 + offset; };
  #pragma omp target teams distribute map(from: out[0:n]) thread_limit(64)
  for (int b = 0; b < n; b += 8) {
    const Pair bounds;
    auto inside = [&](double x) { return x > bounds.low ? x : bounds.high; };
    double shift[8];
    #pragma omp parallel
    {
      #pragma omp for
      for (int i = 0; i < 8; i++) shift[i] = inside(i * 0.5);
      #pragma omp for
      for (int i = 0; i < 8; i++) out[b + i] = f(b + i) + shift[7 - i];
    }
  }
}

int main() {
  int ints[4 * 16];
  double doubles[2 * 8], out[24];
  for (int i = 0; i < 64; i++) ints[i] = i * 5 % 17;
  for (int i = 0; i < 16; i++) doubles[i] = i * 0.25;
  Rows<int, 16> a{ints, 4};
  Rows<double, 8> b{doubles, 2};
  std::printf("%d %g\n", a.normalise(), b.normalise());
  int offset = 3;
  apply(24, out, offset);
  double total = 0;
  for (int i = 0; i < 24; i++) total += out[i] * (i + 1);
  for (int i = 0; i < 64; i++) total += ints[i] * i;
  std::printf("%g\n", total);
}
