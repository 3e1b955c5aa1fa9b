// Functions that code calls without naming them change an element between two uses of it.
#include <algorithm>
#include <cstdio>

const int N = 8;
#pragma omp declare target
float z[N];
int at;
struct guard {
  float v;
  ~guard() { z[at] += v; }
};
struct holder {
  guard g;
  int k;
};
struct outer : holder {
  int m;
};
struct counted {
  float id;
  counted() { id = z[at]++; }
};
struct with_counted {
  counted a;
  int k;
};
struct with_value {
  float x = z[at]++;
  int y = 2;
};
struct assigned {
  int id;
  assigned &operator=(const assigned &o) {
    id = o.id;
    z[at] += 3;
    return *this;
  }
};
struct with_assigned {
  assigned e;
  int k;
};
struct ordered {
  float v;
  bool operator<(const ordered &o) const {
    z[at] += 1;
    return v < o.v;
  }
};
inline holder make(int i) { return holder{{(float)i}, i}; }
inline float next(float v = z[at]++) { return v; }
inline bool less(float a, float b) {
  z[at] += 1;
  return a < b;
}
#pragma omp end declare target

int main() {
  float y[N] = {};
  int n = 1;
  for (int i = 0; i < N; i++) z[i] = i + 3;
#pragma omp target update to(z)
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    { holder h = {{2}, 3}; r = h.k; }
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    { outer h = {{{2}, 3}, 4}; r = h.k; }
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    r = guard{2}.v;
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    r = make(i + 5).k;
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    with_counted b; r = b.a.id;
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    with_value b; r = b.x;
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    with_assigned f{{1}, 2}; with_assigned g{{2}, 3}; f = g; r = f.k;
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    r = next();
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    r = std::max(y[i], 3.0f, less);
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    float r;
    ordered a{1}; ordered b{2}; r = std::max(a, b).v;
    y[i] = z[i] * 10 + r;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target update from(z)
  std::printf("%g\n", z[0]);
}
