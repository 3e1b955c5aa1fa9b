// Aliases that using declarations bring in, in arguments of specialisations and of templates: libclang refers to the
// types behind them.
#include <stdio.h>

namespace lib {
namespace policy {
struct first {};
template <class T> struct both {};
using two = both<first>;
using three = both<two>;
} // namespace policy
using policy::first;
using policy::three;
using policy::two;

template <class P, class S> struct tile {
  static S of(S s) { return s; }
};
template <class S> struct tile<first, S> {
  static S of(S s) { return s + 1; }
};
template <class S> struct tile<two, S> {
  static S of(S s) { return s + 2; }
};
template <> struct tile<three, int> {
  static int of(int s) { return s + 3; }
};
template <class T> struct user {
  tile<two, T> *none = nullptr;
  T get(T x) const { return tile<two, T>::of(x) + tile<three, T>::of(x); }
};
template <class P, class S> S run(S s) { return tile<P, S>::of(s); }
} // namespace lib

int main() {
  int r[4] = {0};
#pragma omp target map(tofrom: r)
  {
    r[0] = lib::run<lib::first>(10);
    r[1] = lib::run<lib::two>(10);
    r[2] = lib::run<lib::three>(10);
    r[3] = lib::user<int>().get(10);
  }
  printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
}
