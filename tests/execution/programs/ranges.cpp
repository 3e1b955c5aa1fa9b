// Range-based loops that threads share.
#include <array>
#include <cstdio>
struct Span {
  double *first;
  long count;
  double *begin() const { return first; }
  double *end() const { return first + count; }
};
template <class T, int N> T total(T (&values)[N]) {
  T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : values)
  for (T v : values) sum += v;
  return sum;
}
struct Holder {
  int held[6] = {1, 2, 3, 4, 5, 6};
  void raise() {
#pragma omp target teams distribute parallel for
    for (int &h : held) h *= 10;
  }
};
struct Counted {
  int x[2][2], count;
};
void counted() {  // bodies that change something else than which object is the range
  Counted one = {{{1, 2}, {3, 4}}, 0}, *at = &one;
  int sum = 0, row = 1;
#pragma omp target parallel for reduction(+ : sum)
  for (int &v : one.x[row]) {
#pragma omp atomic
    one.count++;
    sum += v * row;
  }
#pragma omp target parallel for reduction(+ : sum) map(at[0 : 1])
  for (int &v : at->x[row]) {
    sum += v;
    if (v == 4) at->x[0][0] = 7;
  }
  std::printf("%d %d %d\n", sum, one.count, one.x[0][0]);
}

template <class T, int N> struct Fixed {
  T all[N];
  T *begin() { return all; }
  T *end() { return &all[N]; }
  T &operator[](int at) { return all[at]; }
};
void of_own_arrays() {  // bodies that change objects whose elements are in them, wherever they are named
  Fixed<int, 6> own = {{1, 2, 3, 4, 5, 6}};
  std::array<int, 4> standard = {1, 2, 3, 4};
  int places[6] = {0}, sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : own, places)
  for (int &v : own) places[&v - own.begin()] = v * own[0], own.all[0] += 0;
#pragma omp target parallel for num_threads(1) map(tofrom : standard) reduction(+ : sum)
  for (int &v : standard) sum += v, standard[3] = 10;
  std::printf("%d %d %d %d\n", places[1], places[5], sum, standard[3]);
}

int main() {
  int a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, s = 0, grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, passed = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a)
  for (int v : a) s += v;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : grid)
  for (auto &row : grid)
    for (int &cell : row) cell += 100;
#pragma omp target parallel for simd map(tofrom : a)
  for (int &v : a) {
    if (v % 2) continue;
    int w = v;
    v = w * w;
  }
  double data[50];
  for (int i = 0; i < 50; i++) data[i] = i;
  Span all{data, 50}, part{data + 10, 5};
#pragma omp target data map(tofrom : data)
  {
    double *there = data;
#pragma omp target data use_device_ptr(there)
    {
      all.first = there;
      part.first = there + 10;
#pragma omp target teams distribute parallel for
      for (double &x : all) x += 1;
#pragma omp target
#pragma omp parallel for
      for (auto &&x : part) x *= 2;
    }
  }
  std::array<float, 9> fixed = {1, 2, 3, 4, 5, 6, 7, 8, 9};
#pragma omp target teams distribute parallel for map(tofrom : fixed)
  for (const float &f : fixed) const_cast<float &>(f) /= 2;
#pragma omp target teams map(tofrom : passed) num_teams(1)
  {
    int own[5] = {1, 2, 3, 4, 5};
#pragma omp parallel for reduction(+ : passed)
    for (auto o : own) passed += o;
  }
  counted();
  of_own_arrays();
  Holder holder;
  holder.raise();
  std::printf("%d %d %d %d\n", s, passed, total(a), holder.held[5]);
  for (auto &row : grid) std::printf("%d %d ", row[0], row[3]);
  std::printf("%g %g %g %g %g\n", data[0], data[12], data[49], fixed[0], fixed[8]);
}
