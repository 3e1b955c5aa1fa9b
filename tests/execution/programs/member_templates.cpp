#include <cstdio>
namespace shapes {
template <typename T, int N> struct Outer {
  struct Inner {
    T scale;
    void fill(T *p) {
      T s = scale;
#pragma omp target teams distribute parallel for map(from : p[0 : N])
      for (int i = 0; i < N; i++) p[i] = s * i;
    }
  };
  template <typename U> static U total(const T *p);
};
template <typename A, int M> template <typename B> B Outer<A, M>::total(const A *p) {
  B sum = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : M]) reduction(+ : sum)
  for (int i = 0; i < M; i++) sum += p[i];
  return sum;
}
struct Plain {
  template <typename T, int N> void put(T *p) {
#pragma omp target map(tofrom : p[0 : N])
    p[N - 1] += N;
  }
};
template <typename T> T twice(T v) {
#pragma omp target map(tofrom : v)
  v *= 2;
  return v;
}
template int twice<int>(int);
}  // namespace shapes
int first() { return shapes::twice(4); }
template long shapes::twice<long>(long);
template <> double shapes::twice<double>(double v) {
#pragma omp target map(tofrom : v)
  v *= 4;
  return v;
}
// Defined outside of their namespaces, and instantiated early by a method that is defined in them.
namespace shapes {
struct Apart {
  int k = 2;
  template <class T> T add(T v);
  template <class T> static auto early(T v);
  int all(int v);
};
template <class T> T thrice(T v);
}  // namespace shapes
template <class T> T shapes::Apart::add(T v) {
#pragma omp target map(tofrom : v)
  v += k;
  return v;
}
template <class T> auto shapes::Apart::early(T v) {
#pragma omp target map(tofrom : v)
  v += 10;
  return v;
}
template <class T> T shapes::thrice(T v) {
#pragma omp target map(tofrom : v)
  v *= 3;
  return v;
}
namespace shapes {
int Apart::all(int v) { return early(v) + add(0.5) * 2 + thrice(v); }
}  // namespace shapes
// Member templates of a specialisation that the program writes, and friends that are defined in classes.
template <int> struct Grid;
template <> struct Grid<1> {
  int n;
  template <class F> long each(F f) const {
    long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += f(i);
    return s;
  }
};
template <> struct Grid<2> {
  int n, m;
  template <class F, int K> struct Scaled {
    static long each(const Grid &g, F f) {
      long s = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s) map(to : g)
      for (int i = 0; i < g.n; i++)
        for (int j = 0; j < g.m; j++) s += f(i * j) * K;
      return s;
    }
  };
  friend long total(const Grid &g) {
    long s = 0;
#pragma omp target parallel for reduction(+ : s) map(to : g)
    for (int i = 0; i < g.n; i++) s += g.m;
    return s;
  }
};
struct Square {
  long operator()(int i) const { return (long)i * i; }
};
// Member templates that a region calls, defined outside of one class, of none, and of two templates.
struct Alone { int v; template <class U> U to(U more) const; };
// a template <class T>
template <class U> U Alone::to(U more) const { return more + v; }
template <class T> struct Around {
  template <int N> struct Inside { T value; template <class U> U to(U more) const; };
  T value;
  template <class U> U to(U more) const;
};
template <class T> template <class U> U Around<T>::to(U more) const { return more * value; }
template <class T>
template <int N>
template <class U> U Around<T>::Inside<N>::to(U more) const { return more + value + N; }
static int called() {
  int r = 0;
#pragma omp target map(tofrom : r)
  {
    Alone a {3};
    Around<int> b {2};
    Around<int>::Inside<10> c {4};
    r = a.to(2L) + 10 * b.to(4) + 1000 * c.to(5L);
  }
  return r;
}
// Methods that are templates of numbers, by their name alone and by an object.
template <class T> struct Numbered {
  T k;
  template <int N> T tm() const { return N * 10 + k; }
  template <int N, class U> T both(U u) const { return N * u + k; }
  template <int N> static T st() { return N; }
  template <class U> U ov(U u, int q) const { return u + k + q; }
  T ov(T u) const { return u * k; }
  long all(int x, T t) {
    long r = 0;
#pragma omp target map(tofrom : r) map(to : this[0 : 1])
    {
      r = tm<3>() + ov(x) + ov(t) * 10 + ov(t, 4) * 100L + Numbered::template tm<5>() + st<4>();
      r = r * 100 + this->template tm<4>() + both<2>(x) + Numbered::tm<2>() + ov<T>(t, 1) + (*this).template tm<7>();
    }
    return r;
  }
};
int main() {
  std::printf("%ld\n", Numbered<int>{1}.all(1, 2));
  std::printf("%d\n", called());
  std::printf("%ld ", Grid<1>{10}.each(Square()));
  std::printf("%ld %ld\n", Grid<2>::Scaled<Square, 3>::each({3, 4}, Square()), total(Grid<2>{3, 4}));
  float a[5];
  long b[3] = {1, 2, 3};
  shapes::Outer<float, 5>::Inner i{2.5f};
  i.fill(a);
  std::printf("%g %g\n", a[4], shapes::Outer<float, 5>::total<double>(a));
  std::printf("%d %ld\n", shapes::Outer<long, 3>::total<int>(b), shapes::Outer<long, 3>::total<long>(b));
  shapes::Plain p;
  p.put<float, 5>(a), p.put<long, 3>(b), p.put<long, 2>(b);
  std::printf("%g %ld %ld\n", a[4], b[1], b[2]);
  std::printf("%d %ld %g\n", first(), shapes::twice(5l), shapes::twice(1.5));
  std::printf("%d %g\n", shapes::Apart().all(4), shapes::thrice(0.5));
}
