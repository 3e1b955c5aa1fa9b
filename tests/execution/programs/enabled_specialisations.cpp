// Regions of partial specialisations that leave arguments to defaults, and those that others enable (SFINAE).
#include <array>
#include <cstdio>
#include <type_traits>
#include <utility>

template <class T, class = void> struct Sum {
  static int run(T *, int n) { return n; }
};
template <class T> struct Sum<T *> {
  static int run(T **p, int n) {
    int sum = 0;
    T *q = p[0];
#pragma omp target map(to : q[0 : n]) map(tofrom : sum)
    for (int i = 0; i < n; i++) {
      const T x = q[i];
      sum = sum * 3 + int(x);
    }
    return sum;
  }
};
template <class T> struct Sum<T, typename std::enable_if<std::is_floating_point<T>::value>::type> {
  static int run(T *p, int n) {
    T sum = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += p[i] * T(0.5);
    return int(sum * 10);
  }
};
template <class T> struct Sum<T, decltype(void(std::declval<T &>().data()))> {
  static int run(T *q, int n) {
    typename T::value_type sum = 0;
    auto *p = q->data();
#pragma omp target map(to : p[0 : n]) map(tofrom : sum)
    for (int i = 0; i < n; i++) {
      const typename T::value_type x = p[i];
      sum += x;
    }
    return sum;
  }
};

template <class T, bool = std::is_integral<T>::value, unsigned char = 200> struct Flagged {};
template <unsigned char N, class T> struct Flagged<T, true, N> {
  static T run(int n) {
    T sum = N;
#pragma omp target map(tofrom : sum)
    for (T i = 0; i < n; i++) sum += N;
    return sum;
  }
};

template <class T, int N, class = void, int M = 2> struct Large {};
template <class T, int N, int M> struct Large<T, N, typename std::enable_if<(N > 4)>::type, M> {
  template <class U> static T run(U factor) {
    T sum = 0;
#pragma omp target map(tofrom : sum)
    for (T i = 0; i < N; i++) sum += i * M * factor;
    return sum;
  }
};

template <class T, class U = T, int N = 3> struct Same {
  static int run() { return 0; }
};
template <class T> struct Same<T, T> {
  static int run() {
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < 10; i++) sum += T(i);
    return sum;
  }
};

int main() {
  double reals[3] = {1, 2, 3.5};
  int numbers[5] = {1, 2, 3, 4, 5}, *first = numbers;
  std::array<short, 3> array{4, 5, 6};
  printf("%d %d %d\n", Sum<int *>::run(&first, 5),
         Sum<double>::run(reals, 3), Sum<std::array<short, 3>>::run(&array, 3));
  printf("%d %ld\n", Flagged<int, true, 255>::run(3), Flagged<long>::run(2));
  printf("%d %g\n", Large<int, 5>::run(2L), Large<double, 7, void, 3>::run(0.5));
  printf("%d %d\n", Same<int>::run(), Same<int, long>::run());
  return 0;
}
