// Specialisations that are declared in front of what uses them, and defined behind it.
#include <cstdio>
namespace lib {
template <bool Exact> float half_of(float f);
template <> float half_of<false>(float f);
template <> float half_of<true>(float f);
struct Half {
  float v;
  explicit Half(float f) : v(half_of<false>(f)) {}
  template <class T> explicit Half(T t) : v(half_of<sizeof(T) == 4>(float(t))) {}
};
template <> float half_of<false>(float f) { return f / 2; }
template <> float half_of<true>(float f) { return f / 2 + 1; }
template <class P> P mix(const P &a, const P &b);
template <> int mix<int>(const int &a, const int &b);
template <class P> P twice(const P &a) { return mix(a, a); }
inline int twice_of(int a) { return twice(a) + mix(a, 1); }
template <> inline int mix<int>(const int &a, const int &b) { return a + b; }
template <class T> struct Store { static T get(T t); T kept(T t) { return get(t); } };
template <> int Store<int>::get(int t);
inline int stored(int i) { return Store<int>().kept(i) + Store<int>::get(1); }
template <> inline int Store<int>::get(int t) { return t + 7; }
}
int main() {
  double s = 0; int t = 0;
#pragma omp target teams distribute parallel for reduction(+ : s, t)
  for (int i = 0; i < 100; i++) { lib::Half h(float(i) + 0.f), g(i); s += h.v + g.v; t += lib::twice_of(i) + lib::stored(i); }
  std::printf("%g %d\n", s, t);
}
