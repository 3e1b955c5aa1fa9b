// in_reduction on target in C++: templates, references, namespaces.
#include <cstdio>

namespace shop {
int stock = 3;
}

template <typename T>
static void sum_up(T &into, const T *values, int n) {
#pragma omp taskgroup task_reduction(+ : into)
  {
#pragma omp target in_reduction(+ : into) map(to : values[0 : n])
    for (int i = 0; i < n; i++) into += values[i];
#pragma omp target parallel for in_reduction(+ : into) reduction(+ : into) map(to : values[0 : n])
    for (int i = 0; i < n; i++) into += values[i] * 2;
#pragma omp task in_reduction(+ : into)
    into += values[0];
  }
}

int main() {
  int whole[50], n = 50;
  double parts[50];
  for (int i = 0; i < n; i++) whole[i] = i, parts[i] = i * 0.25;
  int all = 1;
  double most = 0.5;
  sum_up(all, whole, n);
  sum_up(most, parts, n);
  std::printf("%d %g\n", all, most);
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : shop::stock)
  for (int t = 0; t < 4; t++) {
#pragma omp target in_reduction(+ : shop::stock)
    shop::stock += t;
#pragma omp target in_reduction(+ : shop::stock) nowait
    {
      using namespace shop;
      stock += 100;
    }
  }
  std::printf("%d\n", shop::stock);
}
