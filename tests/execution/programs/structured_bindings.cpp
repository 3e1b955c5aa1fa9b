// Structured bindings in regions, which no clang captures in its own constructs.
#include <array>
#include <cstdio>
#include <tuple>
struct Problem { int n; double k; float *p; };
template <class T> void scaled(Problem q) {
  auto [n, k, p] = q;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
  for (int i = 0; i < n; i++) p[i] = p[i] * k + T(3);
  const auto &[a, b] = std::tuple(q.n, 5);
#pragma omp target parallel for map(tofrom: p[0:n]) firstprivate(b)
  for (int i = 0; i < a; i++) p[i] = p[i] + b;
}
int main() {
  float data[9]; for (int i = 0; i < 9; i++) data[i] = i;
  Problem q{9, 2.5, data}; scaled<int>(q); scaled<double>(q);
  auto &[n, k, p] = q; auto [a, b] = std::tuple<int, int>(3, 4);
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) reduction(+: k)
  for (int i = 0; i < n; i++) { p[i] = p[i] + a * b; k += i; }
  int sum = 0; std::array<int, 2> pair{7, 8}; auto &[first, second] = pair;
#pragma omp target teams distribute parallel for map(tofrom: first, second) reduction(+: sum)
  for (int i = 0; i < 4; i++) {
    sum += first + second;
#pragma omp parallel for reduction(+: sum)
    for (int j = 0; j < b; j++) sum += a;
  }
#pragma omp target map(tofrom: first)
  { first += second; }
  for (float x : data) printf("%g ", x);
  printf("%g %d %d\n", q.k, sum, pair[0]);
}
