/* Lambdas that a team's code declares, or names where it decides, hold constructs; threads of its parallels call them. */
#include <cstdio>

static int held(int n) {
  int sum = 0, count = 0, last = 0;
#pragma omp target map(tofrom : sum, count, last)
  {
    auto add = [&sum](int by) {
#pragma omp critical(held)
      { sum += by; }
    };
    auto next = [&count]() {
      int old;
#pragma omp atomic capture
      old = count++;
      return old;
    };
#pragma omp parallel for num_threads(16)
    for (int i = 0; i < n; i++) {
      add(i);
      next();
    }
    last = next();
  }
  return sum * 1000 + count * 10 + (last == n);
}

static long teams(int n, int m) {
  long total = 0;
  int rows = 0;
#pragma omp target teams distribute map(tofrom : total, rows) num_teams(4)
  for (int i = 0; i < n; i++) {
    auto add = [&](long by) {
#pragma omp atomic
      total += by;
    };
    auto sums = [&](int from) {
      long s = 0;
#pragma omp parallel for reduction(+ : s)
      for (int j = from; j < m; j++) s += j;
      return s;
    };
    if ([&rows] {
#pragma omp atomic update
          rows++;
          return true;
        }()) {
#pragma omp parallel for
      for (int j = 0; j < m; j++) add(j);
    }
    add(sums(i));
  }
  return total * 100 + rows;
}

template <class T> static T nested(int n) {
  T sum{}, most{};
#pragma omp target map(tofrom : sum, most)
  {
    auto note = [&](T value) {
      auto inner = [&](T it) {
#pragma omp critical
        if (it > most) most = it;
      };
      inner(value);
#pragma omp atomic
      sum += value;
    };
#pragma omp parallel num_threads(8)
    {
#pragma omp for
      for (int i = 0; i < n; i++) note(static_cast<T>(i));
#pragma omp single
      note(1000);
    }
  }
  return sum + most;
}

int main() {
  std::printf("%d %d\n", held(100), held(1));
  std::printf("%ld\n", teams(9, 50));
  std::printf("%d %g\n", nested<int>(77), nested<double>(60));
}
