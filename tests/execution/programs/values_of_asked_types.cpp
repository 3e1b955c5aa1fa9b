// Values that are made of a type that a variable's name asks for: `decltype(n){0}`. The type may have several words.
#include <cstdio>

template <class T> void each(T *p, unsigned long n) {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (auto i = decltype(n){0}; i < n; i++) p[i] += decltype(n)(2) + T{1};
}

template <class V> void constants(V *p, const V *const *q, unsigned char c) {
  const V limit = 10;
#pragma omp target teams distribute parallel for map(tofrom : p[0 : 10])
  for (V i = decltype(limit)(0); i < limit; i++) {
    p[i] += decltype(c)(300) + decltype(limit){1} + (decltype(q){nullptr} == nullptr);
    decltype(c)(*g)(V) = nullptr;
    decltype((c)) r = c;
    p[i] += (g == nullptr) + r;
  }
}

int main() {
  long a[10] = {}, b[10] = {};
  unsigned u[10] = {};
  unsigned long n = 10;
  each(a, n);
  constants<long>(b, nullptr, 3);
  constants<unsigned>(u, nullptr, 4);
  unsigned long sum = 0;
#pragma omp target map(tofrom : sum) firstprivate(n)
  for (auto i = decltype(n)(1); i <= n; i++) sum += i + decltype(sum){3};
  std::printf("%ld %ld %u %lu\n", a[3], b[2], u[9], sum);
  return 0;
}
