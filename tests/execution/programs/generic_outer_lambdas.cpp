/* Constructs in generic lambdas in front of the region that calls them: what they change is of the parameters' types. */
#include <cstdio>

static auto add_to = [](auto *to, auto value) {
#pragma omp atomic
  *to += value;
};

template <class T> T in_template(int n, T value) {
  T found[8] = {0}, most = 0;
  auto add = [](auto &to, int k) {
#pragma omp atomic
    to[k & 7] += 1;
  };
  auto keep = [&most](auto given) {
    auto &kept = most;
#pragma omp critical
    if (given > kept) kept = given;
  };
  auto sum = [](auto first, int end) {
    decltype(first) s = first;
#pragma omp simd reduction(+ : s)
    for (int i = 0; i < end; i++) s += i;
    return s;
  };
#pragma omp target teams distribute parallel for map(tofrom : found, most)
  for (int i = 0; i < n; i++) {
#ifdef WIDE
    if (i > 3) {
#else
    if (i > 2) {
#endif
      add(found, i), keep(T(i)), add_to(&found[0], value);
      [&](auto k) {
        auto &there = found[k & 7];
#pragma omp atomic
        there += sum(k, 3);
      }(i);
    }
  }
  T all = most;
  for (T v : found) all = all * 3 + v;
  return all;
}

static int of_two_types(int n) {
  int whole = 0;
  double half = 0;
  auto next = [](auto &from) {
    auto old = from;
#pragma omp atomic capture
    old = from++;
    return old;
  };
#pragma omp target parallel for map(tofrom : whole, half)
  for (int i = 0; i < n; i++) next(whole), next(half);
  return whole * 1000 + int(half * 2);
}

int main() { std::printf("%d %g %d\n", in_template<int>(40, 2), in_template<double>(30, 0.5), of_two_types(25)); }
