// Traits that ask for the size of what a call returns: nothing is called, and each value is a constant.
#include <cstdio>

struct yes { char c; };
struct no { char c[2]; };
template <class T> T make();
template <class F> struct has_run {
  template <class U> static decltype(make<U>().run(1), yes()) test(U *);
  template <class U> static no test(...);
  static const bool value = sizeof(test<F>((F *)0)) == sizeof(yes);
};
template <class F> struct never_throws {
  static const bool value = noexcept(make<F>().run(1));
};
template <class T> struct plus_reference { typedef T &type; };
template <class T, class U> class converts {
  typedef typename plus_reference<T>::type reference;
  typedef char good;
  class bad { char room[2]; };
  static bad choose(...);
  static good choose(U);
  static reference made();

public:
  static const bool value = sizeof(choose(made())) == sizeof(good);
};
struct sized {
  typedef long big;
  static big f();
  int g() const;
};
struct runs { int run(int x) const noexcept { return x + 1; } };
struct lies {};
template <bool B> struct flag {};
template <class F> int call(flag<true>, const F &f) { return f.run(4); }
template <class F> int call(flag<false>, const F &) { return 7; }
template <class F> int run(const F &f) {
  const bool value = has_run<F>::value;
  flag<value> is;
  return call(is, f);
}

int main() {
  int s = 0, t = 0;
#pragma omp target map(tofrom : s, t)
  {
    s = run(runs()) * 10 + run(lies()) + never_throws<runs>::value;
    t = converts<int, double>::value * 100 + converts<int, int *>::value * 10 + sizeof(sized().g()) + sizeof(sized::f());
  }
  std::printf("%d %d\n", s, t);
}
