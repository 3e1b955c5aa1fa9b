// Structures of which a part is on the device, reached by references, choices and lambdas.
#include <cstdio>

struct Span {
  int count;
  double *at;
};

static void enter(const Span &s) {
#pragma omp target enter data map(to : s.at[0 : s.count])
}
static void leave(const Span &s) {
#pragma omp target exit data map(from : s.at[0 : s.count])
}

static double by_function() {
  Span s = {4, new double[4]{1, 2, 3, 4}};
  enter(s);
#pragma omp target
  for (int i = 0; i < 4; i++) s.at[i] *= 2;
  leave(s);
  double r = s.at[3];
  delete[] s.at;
  return r;
}

static double by_reference(bool first) {
  Span s = {4, new double[4]{1, 2, 3, 4}}, t = {4, new double[4]{5, 6, 7, 8}};
  Span &chosen = first ? s : t;
#pragma omp target enter data map(to : chosen.at[0 : 4])
#pragma omp target
  for (int i = 0; i < 4; i++) s.at[i] += 1;
#pragma omp target exit data map(from : chosen.at[0 : 4])
  double r = s.at[0];
  delete[] s.at;
  delete[] t.at;
  return r;
}

static double by_lambda() {
  Span s = {3, new double[3]{1, 2, 3}};
  auto map = [&] {
#pragma omp target enter data map(to : s.at[0 : 3])
  };
  map();
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 3; i++) sum += s.at[i];
#pragma omp target exit data map(release : s.at[0 : 3])
  delete[] s.at;
  return sum;
}

template <class T> static double in_template(T scale) {
  Span s = {3, new double[3]{1, 2, 3}};
#pragma omp target data map(tofrom : s.at[0 : 3])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 3; i++) s.at[i] *= scale;
  }
  double r = s.at[2];
  delete[] s.at;
  return r;
}

int main() {
  std::printf("%g %g %g %g %g\n", by_function(), by_reference(true), by_lambda(), in_template(2), in_template(0.5));
}
