// Constants of classes without data, which mark what a function is to do, named by templates and by using declarations.
#include <cstdio>

namespace lib {
struct base {};
struct in_place_t : base {
  struct init {};
  explicit in_place_t(init) {}
  int twice(int x) const { return 2 * x; }
};
const in_place_t in_place((in_place_t::init()));
namespace deep {
const in_place_t other = in_place_t(in_place_t::init()), third(other);
}
using deep::other;
using deep::third;
template <class F> int named(F f) { return f(in_place) + third.twice(1); }
template <class T> struct box {
  T v;
  template <class... A> box(in_place_t, A... a) : v(a...) {}
  box(const in_place_t *p, T x) : v(p->twice(x)) {}
  template <class U> void put(U u) { fill(in_place, u); }
};
} // namespace lib
using lib::in_place;
struct user : lib::box<int> {
  user(int x) : lib::box<int>(in_place, x) {}
  user() : lib::box<int>(&lib::other, 5) {}
};

int main() {
  int s = 4;
#pragma omp target map(tofrom : s)
  {
    user u(s), w;
    lib::box<double> d(lib::in_place, 2.0);
    s = u.v + d.v + w.v + lib::deep::third.twice(3);
  }
  std::printf("%d\n", s);
}
