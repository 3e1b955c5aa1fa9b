// A constructor that nobody names calls, by names with overloads, methods that a using declaration takes from a base.
#include <cstdio>

struct base {
  void set(int x, int y) { v = x + y; }
  void more(int n) { v += n; }
  int v;
};
template <class T> struct held : base {
  using base::more;
  using base::set;
  held() {
    set(T(3));
    more(1);
  }
  void set(T x) { v = int(x); }
  template <class U> void more(U u, U w) { v += u + w; }
};
template <class T> struct outer {
  held<T> h;
  outer(int x) { k = x; }
  int k;
};

int main() {
  int s = 0;
#pragma omp target map(tofrom : s)
  {
    outer<long> o(4);
    s = o.h.v + o.k;
  }
  std::printf("%d\n", s);
}
