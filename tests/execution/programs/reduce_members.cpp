// Reductions of members of *this: scalars, arrays, sections, members of pointer type, members of templates.
#include <cstdio>

struct meter {
  int sum, most, bins[6];
  double *values;
  long high;

  void scalars(int n) {
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : this->most)
    for (int i = 0; i < n; i++) {
      sum += i;
      this->sum += 1;
      if ((*this).most < i * 2) most = i * 2;
    }
  }
  void arrays(int n) {
#pragma omp target teams distribute parallel for reduction(+ : bins)
    for (int i = 0; i < n; i++) bins[i % 6]++;
#pragma omp target teams distribute parallel for reduction(+ : bins[1 : 3]) num_teams(2) num_threads(3)
    for (int i = 0; i < n; i++) this->bins[1 + i % 3] += high;
  }
  void pointed(int n) {
#pragma omp target teams distribute parallel for reduction(+ : values[1 : 2])
    for (int i = 0; i < n; i++) values[1 + i % 2] += 0.25;
#pragma omp target teams distribute parallel for reduction(+ : values[0 : n / 100])
    for (int i = 0; i < n; i++) values[i % (n / 100)] += 1;
  }
};

template <class T> class counter {
  T total;

public:
  explicit counter(T t) : total(t) {}
  T count(const T *p, int n) {
#pragma omp target parallel for reduction(+ : total) map(to : p[0 : n])
    for (int i = 0; i < n; i++) total += p[i];
    return total;
  }
};

int main() {
  double values[4] = {1, 2, 3, 4};
  meter m = {1, 2, {3, 4, 5, 6, 7, 8}, values, 9};
  m.scalars(300);
  m.arrays(300);
  m.pointed(300);
  std::printf("%d %d %ld", m.sum, m.most, m.high);
  for (int v : m.bins) std::printf(" %d", v);
  for (double v : values) std::printf(" %g", v);
  int a[] = {1, 2, 3};
  double d[] = {0.5, 1.5};
  std::printf(" %d %g\n", counter<int>(10).count(a, 3), counter<double>(0.25).count(d, 2));
}
