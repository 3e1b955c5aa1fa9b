// Captures of which several call functions: each is made in its order. Template arguments with commas in captures.
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>
struct Range { long begin, end; };
static int counter = 0;
static int next() { return ++counter; }
struct View {
  int *p; int n;
  int *data() const { return p; }
  int take() { return n--; }
};
template <class A, class B, class C> struct Three { A a; B b; C c; };
template <int A, int B> static int product(int k) { return A * B * k; }
template <class F> void each(Range r, F f) {
#pragma omp target teams distribute parallel for
  for (long i = r.begin; i < r.end; ++i) f(i);
}
template <class T> struct Field {
  std::vector<T> v; int shift;
  T *data() { return v.data(); }
  int size() const { return (int)v.size(); }
  void scale(T by, Field &o) {
    T *q = data(), *z = o.data(); int n = size();
#pragma omp target data map(tofrom : q[0 : n], z[0 : n])
    {
      each({0, n}, [p = data(), s = o.data(), by, m = next()](long i) { p[i] = p[i] * by + s[i] + m; });
      each({0, n}, [p = data(), s = o.data(), unused = next()](auto i) { p[i] += s[i]; });
      each({0, n}, [this, by, p = data(), m = next(), w = next()](long i) { p[i] += by + m * 10 + w * 100; });
    }
  }
};
int main() {
  std::vector<int> a(10, 1), b(10, 2);
  int *pa = a.data(), *pb = b.data();
  View va{pa, 10}, vb{pb, 10};
#pragma omp target data map(tofrom : pa[0 : 10], pb[0 : 10])
  {
    each({0, 10}, [x = va.data(), y = vb.data(), n = va.n](auto i) { x[i] += y[i] * n; });
    each({0, 10}, [k = next(), l = next(), m = next(), x = va.data()](long i) { x[i] += k * 100 + l * 10 + m; });
    int z[2] = {3, 4};
    each({0, 10}, [x = va.data(), r = next(), s = next(), z, c = (counter += 2)](long i) { x[i] += r * 100 + s + z[1] + c; });
    std::unique_ptr<int> u(new int(7));
    int got = *u;
    each({0, 10}, [o = std::pair<int, int>(next(), got), x = va.data(), va](auto i) { x[i] -= o.first + o.second + va.n; });
    each({0, 10}, [x = va.data(), t = Three<int, Three<int, char, long>, int>{1, {2, 3, 4}, next()}](auto i) { x[i] += t.b.c + t.c; });
    each({0, 10}, [x = va.data(), t = product<3, 4>(got), w = 3](long i) { x[i] += t + w; });
    auto f = [t = va.take(), u = va.take(), y = vb.data()](long i) { y[i] += t * 100 + u; };
    each({0, 10}, f);
    each({0, 10}, [y = vb.data(), unused = next()](long i) { y[i] += i; });
    constexpr View none{nullptr, 3};
    constexpr double half = 0.5;
    each({0, 10}, [got, y = vb.data()](long i) { y[i] += (int)(none.n * 2 * half) + got; });
    each({0, 10}, [=, y = vb.data(), m = next()](long i) { y[i] += none.n + got + m * 0; });
  }
  printf("%d %d %d %d\n", a[3], b[3], counter, va.n);
  Field<double> g{{1, 2, 3}, 4}, h{{4, 5, 6}, 1};
  g.scale(2, h);
  printf("%g %g %d\n", g.v[0], g.v[2], counter);
}
