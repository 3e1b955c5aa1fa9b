// Reductions that class templates declare, and members of these classes in their expressions.
#include <cstdio>

template <class T> struct pair_of { T a, b; };

namespace lib {
inline namespace v1 {
template <class T, int SCALE> class best {
  typedef T value_type;
  using both_type = pair_of<T>;
  static T better(T x, T y) { return x * SCALE > y ? x : y; }
  static T first() { return T(-1000); }
#pragma omp declare reduction(best : value_type : omp_out = better(omp_out, omp_in)) initializer(omp_priv = first())
#pragma omp declare reduction(both : both_type : omp_out.a = better(omp_out.a, omp_in.a),                                \
                                  omp_out.b += omp_in.b) initializer(omp_priv = {T(-1000), T()})
  static T of_team(const T *a, int n) {
    T b = first();
#pragma omp parallel for reduction(best : b)
    for (int i = 0; i < n; i++) b = better(b, a[i]);
    return b;
  }

public:
  struct inner { T go(const T *a, int n) const; };
  T run(const T *a, int n) const;
  both_type both(const T *a, int n) const {
    both_type r{T(-1000), 0};
#pragma omp target parallel for reduction(both : r) map(to : a[ : n])
    for (int i = 0; i < n; i++) {
      r.a = better(r.a, a[i]);
      r.b += a[i];
    }
    return r;
  }
  T called(const T *a, int n) const {
    T r;
#pragma omp target map(to : a[ : n]) map(from : r)
    r = of_team(a, n);
    return r;
  }
  T inside(const T *a, int n) const {
    T b = first();
#pragma omp target teams map(tofrom : b) map(to : a[ : n]) num_teams(1)
    {
#pragma omp parallel for reduction(best : b)
      for (int i = 0; i < n; i++) b = better(b, a[i]);
    }
    return b;
  }
};
template <class T, int SCALE> T best<T, SCALE>::run(const T *a, int n) const {
  T b = -1000;
#pragma omp target teams distribute parallel for reduction(best : b) map(to : a[ : n])
  for (int i = 0; i < n; i++) b = better(b, a[i]);
  return b;
}
template <class T, int SCALE> T best<T, SCALE>::inner::go(const T *a, int n) const {
  T b = -1000;
#pragma omp target teams distribute parallel for reduction(best : b) map(to : a[ : n])
  for (int i = 0; i < n; i++) b = best::better(b, a[i]);
  return b;
}
} // namespace v1
} // namespace lib

template <class T> struct lowest;
template <class T> struct lowest<T *> {
  static T lower(T x, T y) { return x < y ? x : y; }
#pragma omp declare reduction(low : T : omp_out = lower(omp_out, omp_in)) initializer(omp_priv = T(1000))
  T run(const T *a, int n) const {
    T b = 1000;
#pragma omp target teams distribute parallel for reduction(low : b) map(to : a[ : n])
    for (int i = 0; i < n; i++) b = lower(b, a[i]);
    return b;
  }
};

int main() {
  int a[100];
  const double c[] = {1, 5, 2};
  for (int i = 0; i < 100; i++) a[i] = (i * 37) % 101 - 20;
  lib::best<int, 1> one;
  lib::best<double, 2> two;
  auto both = one.both(a, 100);
  std::printf("%d %d %d %d\n", one.run(a, 100), one.called(a, 100), one.inside(a, 100), decltype(one)::inner().go(a, 100));
  std::printf("%d %d %g %g\n", both.a, both.b, two.run(c, 3), two.both(c, 3).b);
  std::printf("%d %g\n", lowest<int *>().run(a, 100), lowest<double *>().run(c, 3));
}
