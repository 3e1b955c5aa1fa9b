// Constructs in lambdas that a template's region calls where it writes them: the name of an instantiation's operator()
// and later declarators begin where the lambda does.
#include <cstdio>

template <class T> int in_statements(int n) {
  T q[4] = {0}, none = 0;
#pragma omp target teams distribute parallel for map(tofrom : q)
  for (int i = 0; i < n; ++i) {
    [&](int k) {
#pragma omp atomic update
      q[k] += 1;
    }(i & 3);
    [&](int k) {
      const auto add = [&](int j) {
        if (j < 4) {
#pragma omp atomic
          q[j] += 2;
        }
      };
      add(k), add(k + 1);
    }(i & 3);
    [&](int k) {
#pragma omp critical
      q[k] += 4;
    }(i & 1);
  }
  return int(q[0] + 10 * q[1] + 100 * q[2] + none);
}

template <class T> int in_declarators(int n) {
  T q[4] = {0};
#pragma omp target teams distribute parallel for map(tofrom : q)
  for (int i = 0; i < n; ++i) {
    int a = [&](int k) {
#pragma omp atomic update
      q[k] += 1;
      return 1;
    }(i & 3), b = [&](int k) {
#pragma omp atomic update
      q[k] += 2;
      return 1;
    }(i & 3), c = a + b;
#pragma omp atomic
    q[0] += c - 1;
  }
  return int(q[0] + q[3]);
}

int main() {
  std::printf("%d %d\n", in_statements<double>(4000), in_declarators<double>(4000));
}
