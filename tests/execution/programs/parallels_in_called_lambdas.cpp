// Parallels in lambdas that the sequential code of a team calls where it writes them, or gives to a function.
#include <cstdio>

template <class F> void apply(F &&f, int k) { f(k); }
template <class... F> void each(int k, F... f) { (f(k), ...); }

template <class T> int in_template(int n) {
  T r[6] = {0};
#pragma omp target map(tofrom : r)
  {
    [&]() {
      T s = 0;
#pragma omp parallel for reduction(+ : s)
      for (int j = 0; j < n; j++) s += j;
      r[0] += s;
    }();
    if (r[0] > 4) [&](int k) {
#pragma omp parallel
      {
#pragma omp for
        for (int j = 0; j < 3; j++) r[j + 1] += j + k;
#pragma omp single
        r[4] += r[1] + r[3];
      }
    }(2);
#pragma omp parallel for
    for (int j = 0; j < 4; j++) r[j] *= 2;
    for (int i = 0; i < 3; i++) apply([&](int k) {
#pragma omp parallel for
      for (int j = 0; j < 5; j++) r[j] += k + i;
    }, i);
    r[5] = r[4] > 3 ? [&] {
      T most = 0;
#pragma omp parallel for reduction(max : most)
      for (int j = 0; j < 5; j++) most = most < r[j] ? r[j] : most;
      return most;
    }() : 0;
  }
  int all = 0;
  for (T v : r) all = (all * 31 + int(v)) % 100003;
  return all;
}

static int in_teams(int n) {
  int s = 0;
#pragma omp target teams distribute num_teams(4) map(tofrom : s)
  for (int i = 0; i < n; i++) {
    int a[4] = {0}, b = 0;
    each(i, [&](int k) {
#pragma omp parallel for
      for (int j = 0; j < 4; j++) a[j] = j * k;
    }, [&](int k) {
#pragma omp parallel for reduction(+ : b)
      for (int j = 0; j < 4; j++) b += a[j] + k;
    });
#pragma omp parallel for reduction(+ : b)
    for (int j = 0; j < 4; j++) b += a[j];
#pragma omp atomic
    s += b;
  }
  return s;
}

int main() {
  std::printf("%d %d %d\n", in_template<int>(40), in_template<double>(30), in_teams(50));
}
