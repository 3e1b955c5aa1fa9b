// What members of class templates name without arguments or scope: the class itself, its templates and types.
#include <cstdio>

template <class U> U up(U u) { return u * -1000; } // not the member

namespace lib {
template <class T> struct base {
  T held = 5;
  base(T b = 5) : held(b) {}
  static T twice(T v) { return v * 2; }
  template <int I> static T plus(T v) { return v + I; }
  struct part { T q; };
};

template <class T, int N = 4> struct vec : base<T> {
  using own_base = base<T>;
  using own_base::twice;
  T x;
  vec(T v = 1) : x(v) {}
  static T half(T t) { return t / 2; }
  static T half(T a, T b) { return (a + b) / 2; }
  template <class U> static U up(U u) { return u + 1; }
  template <class U> struct two { U u; T t; };
  template <class U> using two_of = two<U>;
  template <class U> static constexpr U third = U(3.5);
  enum { EIGHT = 8 };

  double names() const {
    double r = 0;
#pragma omp target map(tofrom : r)
    {
      vec a(1), b(N);
      vec<T, N> c(2);
      vec<int> d(7);
      vec *p = &a;
      const vec &q = vec(3);
      vec parts[2] = {vec(5), vec(6)};
      two<char> t{'a', 2};
      two_of<short> s{1, 2};
      typename own_base::part part{4};
      r = a.x / 2 + b.x / 2 + c.x / 2 + d.x / 2 + p->x + q.x / 2 + part.q / 8;
      r += up<double>(1.5) + up(2) + twice(3) + own_base::template plus<4>(1) + half(1) + half(2, 3) + vec::half(9);
      r += t.u + t.t + s.u + third<T> + EIGHT + vec::EIGHT + sizeof(vec) - sizeof(vec<T, N>);
      for (vec *i = parts; i != parts + 2; ++i) r += i->x / 4;
      auto inner = [&](vec v) {
        vec w(v.x + 1);
        return w.x / 2 + half(w.x);
      };
      r += inner(parts[1]);
    }
    return r;
  }
  double outer_code() const {
    double r = 0;
    T k = x;
    auto outer = [k](int i) {
      vec v(1), w(k);
      return v.x / 2 + w.x / 2 + half(3) + up<double>(1.5) + EIGHT + i;
    };
    struct local {
      T v;
      double f() {
        vec a(1);
        return a.x / 2 + v + up<double>(2) + half(v, 2) + third<T>;
      }
    };
#pragma omp target map(tofrom : r)
    {
      local l{3};
      r = outer(4) + l.f();
    }
    return r;
  }
};

struct derived : base<double> {
  double go() {
    double r;
#pragma omp target map(from : r)
    {
      base b(1);
      part q{3};
      r = b.held / 2 + base::twice(4) + q.q / 2;
    }
    return r;
  }
};
} // namespace lib

template <class T> struct outside {
  T z = 3;
  template <class U> struct in {
    U u;
    in(U v = 0) : u(v) {}
    static U next(U v) { return v + 1; }
    double go() const {
      double r = 0;
#pragma omp target map(tofrom : r)
      {
        in a(1), b(2.5);
        in<int> c(9);
        outside o;
        r = a.u / 2 + b.u / 2 + c.u / 2 + in::next(3) + next(4) + o.z / 2 + sizeof(outside);
      }
      return r;
    }
  };
};
template <class T> struct outside<T *> {
  T v;
  outside(T t = 1) : v(t) {}
  double go() const {
    double r;
#pragma omp target map(from : r)
    {
      outside s(4);
      outside<T *> q;
      r = s.v / 8 + q.v / 2;
    }
    return r;
  }
};
struct plain { // only its template is used
  template <class U> static U up(U u) { return u + 2; }
  double go() const {
    double r;
#pragma omp target map(from : r)
    r = up<double>(0.5) + up(2);
    return r;
  }
};

int main() {
  std::printf("%g %g\n", lib::vec<double>().names(), lib::vec<int, 3>().names());
  std::printf("%g %g %g\n", lib::vec<double>(3).outer_code(), lib::vec<int>(3).outer_code(), lib::derived().go());
  std::printf("%g %g\n", outside<double>::in<double>().go(), outside<int>::in<float>().go());
  std::printf("%g %g\n", outside<double *>().go(), plain().go());
}
