// Templates: functions, classes, values, several instantiations, specialisations, members.
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

template <typename T> T axpy(T a, const T *x, T *y, int n) {
  T s = 0;
#pragma omp target teams distribute parallel for map(to : x[0 : n]) map(tofrom : y[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    y[i] += a * x[i];
    s += y[i];
  }
  return s;
}

template <typename T, int N> struct Grid {
  T cells[N];
  void fill(T v) {
#pragma omp target teams distribute parallel for map(from : this->cells)
    for (int i = 0; i < N; i++) cells[i] = v + static_cast<T>(i);
  }
  T total() const;
};

template <typename T, int N> T Grid<T, N>::total() const {
  T s = 0;
  const T *p = cells;
#pragma omp target teams distribute parallel for map(to : p[0 : N]) reduction(+ : s)
  for (int i = 0; i < N; ++i) s += p[i];
  return s;
}

template <typename T> struct Traits {
  static T scale(T v) { return v * 2; }
  using wide = double;
};
template <> struct Traits<int> {
  static int scale(int v) { return v * 100; }
  using wide = long long;
};

template <int STRIDE, int DOWN, typename T = float> static T strided(int n) {
  T s = 0;
#pragma omp target map(tofrom : s)
  {
    typename Traits<T>::wide w = 0;
    if constexpr (DOWN == 1) {
      for (int i = n; i > 0; i -= STRIDE) w += Traits<T>::scale(static_cast<T>(i));
    } else {
      for (int i = 0; i < n; i += STRIDE) w += Traits<T>::scale(static_cast<T>(i)) + 1;
    }
    s = static_cast<T>(w);
  }
  return s;
}

struct Doubled {
  int extra;
  template <typename T> T operator()(T x) const { return x + x + static_cast<T>(extra); }
};
template <typename T> inline T helper(T x) {
  if constexpr (std::is_integral<T>::value) return x / 2;
  return x * T(0.5);
}
template <typename F, typename T> void apply(std::vector<T> &v, F f) {
  T *p = v.data();
  int n = static_cast<int>(v.size());
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) p[i] = f(p[i]) + helper(p[i]);
}
template <typename T> struct Entry {
  T value;
  int next;
};
template <typename T> class Stack {
public:
  explicit Stack(int n) : entries(static_cast<Entry<T> *>(std::malloc(n * sizeof(Entry<T>)))), count(n) {}
  ~Stack() { std::free(entries); }
  void set(T v) {
    Entry<T> *e = entries;
    int n = count;
#pragma omp target teams distribute parallel for map(from : e[0 : n])
    for (int i = 0; i < n; i++) {
      e[i].value = static_cast<T>(v * i);
      e[i].next = i + 1;
    }
  }
  T sum() const {
    T s = 0;
    for (int i = 0; i < count; i++) s += entries[i].value + static_cast<T>(entries[i].next);
    return s;
  }

private:
  Entry<T> *entries;
  int count;
};

template <typename... A> int count_all(A... a) { return sizeof...(a); }
template <typename T> constexpr T two() { return T(2); }

namespace ns {
struct Item {
  int a;
};
template <typename T> int size_in_region(int n) {
  int r = 0;
#pragma omp target map(from : r)
  r = static_cast<int>(sizeof(T)) * n + static_cast<int>(two<T>());
  return r;
}
template <typename T> int of_type(T item) {
  int r = 0;
#pragma omp target map(tofrom : r)
  r += item.a * 2;
  return r;
}
} // namespace ns

// Launches that need not be waited for one by one: template parameters are values.
template <int BY, int TIMES> static void add_often(int *x, int n) {
  const int most = TIMES < 100 ? TIMES : 100, half = n / 2 * (BY > 0);
#pragma omp target data map(tofrom : x[0 : n])
  for (int k = 0; k < most; k++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < half; i++) x[i] = x[i] * 2 + BY;
#pragma omp target teams distribute parallel for
    for (int i = half; i < n; i++) x[i] += x[i - half] % 1000;
  }
}

// Bins for 32-bit integers, so instances are launched differently.
template <class T, class I> void count(int n, T *h, const I *k, T by) {
#pragma omp target teams distribute parallel for map(tofrom : h[0 : 16]) map(to : k[0 : n])
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    h[k[i]] += by;
    if constexpr (sizeof(I) == 1) {
#pragma omp atomic
      h[k[i] / 2] -= T(1);
    }
  }
}

template <class T> double counted(T by) {
  static signed char k[3000];
  static int same[3000];
  T h[16] = {};
  for (int i = 0; i < 3000; i++) same[i] = k[i] = (i * 7 + i / 13) % 16;
  count(3000, h, k, by), count(2900, h, same, by);
  double sum = 0;
  for (int i = 0; i < 16; i++) sum += (i + 1) * double(h[i]);
  return sum;
}

int main() {
  std::printf("counted: %g %g %g %g\n", counted(2), counted(3u), counted(0.5), counted(7L));
  float xf[40], yf[40];
  double xd[40], yd[40];
  int xi[40], yi[40];
  for (int i = 0; i < 40; i++) xf[i] = xd[i] = xi[i] = i, yf[i] = yd[i] = yi[i] = 1;
  std::printf("axpy: %g %g %d\n", axpy(0.5f, xf, yf, 40), axpy(2.0, xd, yd, 40), axpy<int>(3, xi, yi, 40));
  std::printf("again: %g\n", axpy(0.5f, xf, yf, 20));
  Grid<int, 8> a;
  Grid<double, 5> b;
  Grid<int, 3> c;
  a.fill(10), b.fill(0.5), c.fill(-1);
  std::printf("grids: %d %g %d\n", a.total(), b.total(), c.total());
  std::printf("strided: %g %g %d\n", strided<3, 0>(30), strided<2, 1, double>(17), strided<5, 0, int>(23));
  std::vector<double> v(10, 3.0);
  std::vector<long> w(7, 5);
  apply(v, Doubled{1});
  apply(w, Doubled{2});
  std::printf("apply: %g %ld\n", v[9], w[6]);
  Stack<double> s(9);
  Stack<short> t(4);
  s.set(0.5), t.set(3);
  std::printf("stack: %g %d\n", s.sum(), t.sum());
  std::printf("sizes: %d %d %d\n", ns::size_in_region<char>(3), ns::size_in_region<double>(3), count_all(1, 2, 3));
  add_often<3, 7>(xi, 40), add_often<1, 5>(yi, 40);
  std::printf("often: %d %d %d %d\n", xi[1], xi[39], yi[1], yi[39]);
  std::printf("item: %d\n", ns::of_type(ns::Item{21}));
  return 0;
}
