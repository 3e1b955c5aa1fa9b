// Classes of function templates and methods as arguments of templates with regions, with what they name of these.
#include <cstdio>
template <class F> void each(int n, double *out, F f) {
#pragma omp target teams distribute parallel for map(from: out[0:n])
  for (int i = 0; i < n; i++) out[i] = f(i);
}
namespace ns {
using real = double;
struct Grid { static double twice(double x) { return 2 * x; } void go(double *); int n = 10; template <class T> void tm(T k, double *out); };
void Grid::go(double *out) {
  constexpr int K = 3; using R = real;
  struct Op { R a; double operator()(int i) const { return Grid::twice(a) + i * K; } };
  each(n, out, Op{1.5});
}
template <class T> void Grid::tm(T k, double *out) {
  enum Mode { off, on };
  struct Inner { T v; Mode m; };
  struct Op { Inner in; double operator()(int i) const { return in.v * i + (in.m == on); } };
  each(n, out, Op{{k, on}});
}
template <class T, int... Is> struct Sum {
  static void go(double *out, T base) {
    struct Op { T base; double operator()(int i) const { return (base + ... + (Is * i)); } } op{base};
    each(10, out, op);
  }
};
template <int N, class... A> void pk(double *out, A... a) {
  const int m = sizeof...(A);
  struct Op { double s; double operator()(int i) const { return s * N + i; } } op = {(a + ... + 0.0)};
  each(10, out, op);
}
}
class P { double s = 3; static int hidden(int i) { return i + 1; }
public: void go(double *out) { class Op { double s; public: Op(double s) : s(s) {} double operator()(int i) const { return s * i; } }; each(10, out, Op(s)); } };
template <class T> void run(T k, double *out) {
  struct Op {
    T k;
    double operator()(int i) const { return k * i; }
  };
  each(10, out, Op{k});
}
struct Holder {
  int k = 2;
  int generic() {
    struct L {
      int v;
    };
    int r = 0;
    auto f = [&, this](auto x) {
#pragma omp target map(tofrom : r)
      {
        L l{1};
        r += x + l.v;
      }
    };
    f(1), f(2.5);
    return r;
  }
};
template <int N> auto table() {
  struct Row {
    int a[N];
  };
  Row r;
  for (int i = 0; i < N; i++) r.a[i] = i + 5;
  return r;
}
static const auto held = [](double *out) {
  struct Op {
    double operator()(int i) const { return i * 13; }
  };
  each(3, out, Op{});
};
template <class T> struct Both {
  T base;
  void first(double *out) {
    struct Op {
      T b;
      double operator()(int i) const { return b + i; }
    };
    each(4, out, Op{base});
  }
  void second(double *out) {
    struct Op {
      T b;
      double operator()(int i) const { return b * i; }
    };
    each(4, out, Op{base});
  }
};
struct Counted {
  void fill(double *out) {
    enum { two = 2, three };
    struct Op {
      double operator()(int i) const { return i * three + two; }
    };
    each(4, out, Op{});
  }
};
int main() {
  double found[4];
  held(found);
  printf("%g\n", found[2]);
  Both<float>{1.5f}.first(found);
  printf("%g\n", found[3]);
  Both<int>{4}.second(found);
  printf("%g\n", found[3]);
  Counted().fill(found);
  printf("%g\n", found[3]);
  const auto row = table<3>();
  int at = 0;
#pragma omp target map(from : at)
  at = row.a[1];
  printf("%d\n", at);
  printf("%d\n", Holder().generic());
  double o[10]; run(2.5, o); printf("%g\n", o[9]); run(3, o); printf("%g\n", o[9]); ns::Grid g; g.go(o); printf("%g\n", o[9]); g.tm(2, o); printf("%g\n", o[9]); g.tm(2.5f, o); printf("%g\n", o[9]);
 ns::Sum<int, 1, 2, 3>::go(o, 4); printf("%g\n", o[9]); ns::pk<3>(o, 1, 2.5); printf("%g\n", o[9]); P().go(o); printf("%g\n", o[9]); }
