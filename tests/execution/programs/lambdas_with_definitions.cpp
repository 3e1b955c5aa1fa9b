/* Lambdas that templates with regions get, and that name types and constants of their functions: types that ask
   variables, members of the class around, constants of a template where the language asks for constants. */
#include <array>
#include <cstdio>
#include <limits>
#include <type_traits>

template <class F> void each(int n, const F &f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}

template <class T, int W> struct Pack {
  using value_type = T;
  static constexpr int width = W;
  T v[W];
};

template <class P> void reverse(P *p, int n) {
  using T = typename P::value_type;
  constexpr int W = P::width;
  static constexpr int twice = 2 * W;
  constexpr T most = std::numeric_limits<T>::max();
  const int last = P::width - 1, half = P::width / 2;
  each(n, [=](int i) {
    T turned[W];
    std::array<T, twice> none{};
    for (int k = 0; k < W; k++) turned[k] = p[i].v[last - k];
    for (int k = 0; k < W; k++) p[i].v[k] = turned[k] + none[k + W] + (turned[k] == most);
    T first[half] = {};
    if constexpr (half > 1) p[i].v[0] += 1 + first[half - 1];
  });
}

template <class P> void scale(P *p, int n) {
  using T = std::decay_t<decltype(p->v[0])>;
  typedef decltype(p[0].v[0] + 1.5f) wide;
  constexpr auto W = P::width;
  enum { middle = P::width / 2, end = P::width };
  each(n, [=](int i) {
    wide sum[W] = {};
    for (int k = 0; k < end; k++) sum[k] += p[i].v[k];
    p[i].v[middle] = static_cast<T>(2 * sum[middle]);
    if constexpr (std::is_same_v<T, short>) p[i].v[0] = 7;
  });
}

static void plain(Pack<int, 3> *p, int n) {
  using P = std::remove_reference_t<decltype(*p)>;
  using T = std::remove_reference_t<decltype(p->v[0])>;
  constexpr int W = P::width, more = W + 1;
  static constexpr int places[] = {2, 0, 1}, count = sizeof places / sizeof *places;
  enum { two = W - 1 };
  each(n, [=](int i) {
    T sums[more] = {};
    for (int k = 0; k < count; k++) sums[places[k]] += p[i].v[k];
    for (int k = 0; k < W; k++) p[i].v[k] = sums[k] + two;
  });
}

template <class T> struct Solver {
  T *x;
  int n;
  using value_type = T;
  static constexpr int order = 2;
  void step(T by) {
    using V = value_type;
    static constexpr int stages = order * 2;
    constexpr int half = stages / 2;
    T *q = x;
    each(n, [=](int i) {
      V k[half + order] = {};
      for (int s = 0; s < stages; s++) k[s] = q[i] * (s + 1);
      q[i] = by * k[order] + V(stages);
    });
  }
};

struct Field {
  double *x;
  int n;
  using real = double;
  enum Mode { add, multiply };
  static constexpr int order = 3;
  void step(real by) {
    using V = real;
    static constexpr int weights[order] = {1, 2, order};
    constexpr Mode mode = multiply;
    V *q = x;
    each(n, [=](int i) {
      V k = weights[i % order];
      q[i] = mode == multiply ? q[i] * k : q[i] + by;
    });
  }
};

// Constants that a lambda of a kernel captures, where the language asks for constants.
template <int K> struct Doubled { enum { value = K * 2 }; };
template <class T> static long extents(T *x, int n) {
  constexpr int count = sizeof(T) + 1;
  auto f = [=](int i) {
    struct Part { int v[count]; int all() const { return v[0] + count; } };
    Part part{};
    return i + part.all() + Doubled<count>::value;
  };
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
  for (int i = 0; i < n; i++) x[i] += f(i);
  return (long)x[n - 1];
}
static long generic(double *x, int n) {
  constexpr int count = 5;
  auto f = [=](auto i) { return i + count + Doubled<count>::value; };
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
  for (int i = 0; i < n; i++) x[i] += f(i);
  return (long)x[n - 1];
}
int main() {
  Pack<float, 4> a[6];
  Pack<short, 3> b[6];
  Pack<int, 3> c[6];
  double x[6];
  for (int i = 0; i < 6; i++) {
    x[i] = i + 1;
    for (int k = 0; k < 4; k++) a[i].v[k] = i + k * 0.5f;
    for (int k = 0; k < 3; k++) b[i].v[k] = c[i].v[k] = i * k;
  }
#pragma omp target data map(tofrom : a, b, c, x)
  {
    Pack<float, 4> *pa = a;
    Pack<short, 3> *pb = b;
    Pack<int, 3> *pc = c;
    double *px = x;
    reverse(pa, 6);
    reverse(pb, 6);
    scale(pa, 6);
    scale(pb, 6);
    plain(pc, 6);
    Solver<double>{px, 6}.step(0.5);
    Field{px, 6}.step(1);
  }
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 4; k++) printf("%g ", a[i].v[k]);
    for (int k = 0; k < 3; k++) printf("%d %d ", b[i].v[k], c[i].v[k]);
    printf("%g\n", x[i]);
  }
  short y[6] = {};
  const long of_double = extents(x, 6), of_short = extents(y, 6), of_generic = generic(x, 6);
  printf("%ld %ld %ld\n", of_double, of_short, of_generic);
}
