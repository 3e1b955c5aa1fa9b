// Elements of reduced arrays that teams change together in templates: each instance by its own type and number of elements,
// some of which have no copies of a team.
#include <cstdio>

static const int n = 60000;
static int k[n];

template <class T, int N> static void change(T *s, const T *x, int m) {
#pragma omp target teams distribute parallel for reduction(+ : s[0 : m]) map(to : k, x[0 : n])
  for (int i = 0; i < n; i++) s[k[i] % m] += x[i];
#pragma omp target teams distribute parallel for reduction(+ : s[2 : N - 2]) map(to : k, x[0 : n])
  for (int i = 0; i < n; i++)
    if (k[i] % N > 1) s[k[i] % N] = s[k[i] % N] - T(2);
}

template <class T> struct Counts {
  T of[40] = {};
  template <int M> void count() {
    T found[40] = {};
#pragma omp target teams distribute parallel for reduction(+ : found) map(to : k)
    for (int i = 0; i < n; i++) found[k[i] % M]++;
    for (int e = 0; e < 40; e++) of[e] += found[e];
  }
};

template <class T, int N> static void all(const char *name) {
  static T s[N], x[n];
  for (int e = 0; e < N; e++) s[e] = T(e % 5);
  for (int i = 0; i < n; i++) x[i] = T(i % 3);
  change<T, N>(s, x, 37);
  Counts<T> counts;
  counts.template count<39>();
  double sum = 0, found = 0;
  for (int e = 0; e < N; e++) sum += double(s[e]) * (e % 11 + 1);
  for (int e = 0; e < 40; e++) found += double(counts.of[e]) * (e + 1);
  printf("%s %d: %.0f %.0f\n", name, N, sum, found);
}

int main() {
  unsigned seed = 3;
  for (int i = 0; i < n; i++) seed = seed * 1664525u + 1013904223u, k[i] = int(seed >> 16);
  all<int, 64>("int"), all<unsigned, 5000>("unsigned"), all<long long, 200>("long long"), all<float, 300>("float");
  all<double, 64>("double"), all<double, 20000>("double"), all<short, 64>("short");
}
