#include <cstdio>
template <class T, int N> struct Outer {
  struct Inner;
  template <class U> struct Other;
  enum class kind : int;
  T run(T x);
  template <class U> U pass(U u, T t);
  static T shared(T x);
  Outer();
  T v;
  struct Deep {
    struct Deeper;
    T a;
    T get() const;
  };
};
template <class A, int M> struct Outer<A, M>::Inner {
  A held;
  int size() const { return M; }
  A get(A x) const;
  A region(A by) {
    A result{}, own = held;
#pragma omp target map(from : result)
    {
      A twice = own * by;
      result = twice + M;
    }
    return result;
  }
  A later(A by);
};
template <class B, int K> template <class V> struct Outer<B, K>::Other {
  B b;
  V v;
  B sum() const { return b + v + K; }
  template <class W> V region(W w) {
    V result{}, own = v;
#pragma omp target map(from : result)
    result = own + V(w) + V(B(K));
    return result;
  }
};
template <class C, int L> enum class Outer<C, L>::kind : int { one = 5, two };
template <class D, int P> D Outer<D, P>::run(D x) {
  Inner i{x};
  return i.get(x) + P + int(kind::two);
}
template <class E, int Q> template <class W> W Outer<E, Q>::pass(W w, E e) {
  Other<W> o{e, w};
  return o.sum() + Q;
}
template <class F, int R> F Outer<F, R>::shared(F x) { return x * R; }
template <class G, int S> Outer<G, S>::Outer() : v(S) {}
template <class H, int X> H Outer<H, X>::Inner::get(H h) const { return held + h + X; }
template <class H, int X> H Outer<H, X>::Inner::later(H by) {
  H result{};
#pragma omp target map(from : result)
  result = held + by + X;
  return result;
}
template <class I, int Y> struct Outer<I, Y>::Deep::Deeper {
  I z;
  I twice() const { return z * 2 + Y; }
  I region() {
    I result{};
#pragma omp target map(from : result)
    result = z * 3 + Y;
    return result;
  }
};
template <class J, int Z> J Outer<J, Z>::Deep::get() const {
  Deeper d{a};
  return d.twice() + Z;
}
template <class... T> struct Packed { struct Inner; };
template <class... A> struct Packed<A...>::Inner {
  int count(int n) {
    int result = 0;
#pragma omp target map(tofrom : result)
    result += n + int(sizeof...(A));
    return result;
  }
};
template <class T, int N> int region(T x) {
  T s = 0;
  Outer<T, N> out;
  typename Outer<T, N>::Inner mapped{x};
#pragma omp target map(tofrom : s) map(to : out, mapped)
  {
    Outer<T, N> o;
    typename Outer<T, N>::Inner i{x};
    typename Outer<T, N>::template Other<int> t{x, 4};
    typename Outer<T, N>::Deep d{x};
    s = o.run(x) + o.pass(3, x) + Outer<T, N>::shared(x) + o.v + i.size() + t.sum() + d.get() + out.v + mapped.get(x);
  }
  return int(s);
}
int main() {
  int s = 0;
#pragma omp target map(tofrom : s)
  {
    Outer<long, 5> o;
    Outer<long, 5>::Inner i{2};
    Outer<long, 5>::Deep d{9};
    Outer<long, 5>::Other<short> t{1, 2};
    s = o.run(3) + o.pass(4, 5) + i.get(1) + d.get() + t.sum() + int(Outer<long, 5>::kind::one);
  }
  Outer<int, 7>::Inner i{6};
  Outer<double, 2>::Other<int> other{1.5, 4};
  Outer<long, 3>::Deep::Deeper deeper{8};
  std::printf("%d %d %d\n", s, region<int, 3>(4), region<double, 2>(1.5));
  std::printf("%d %d %d %ld %d\n", i.region(2), i.later(1), other.region(3.9), deeper.region(),
              Packed<int, long>::Inner().count(4));
}
