#include <cstdio>
struct cell { int v, w; };
struct proxy { cell *p; };
proxy operator&(cell &c) { return proxy{nullptr}; }
namespace n {
struct node { int v[3]; };
int operator&(node &) { return 7; }
int operator&(const node &) { return 8; }
struct next : node { int more; };
template <class T> struct box { T v; box &operator+=(const box &b) { v += b.v; return *this; } };
template <class T> T operator&(box<T> &b) { return b.v; }
class own {
  int v = 1;
  friend bool operator&(const own &) { return false; }
public:
  void add(int x) { v += x; }
  int get() const { return v; }
};
enum class shade { dark = 2, light };
shade operator&(shade &s) { return s; }
} // namespace n
struct wrap { n::node inside; cell c; };
template <class T> T run(T x) {
  T s = x;
#pragma omp target map(tofrom : s)
  s.v[1] += 5;
  return s;
}
#pragma omp declare reduction(plus : n::box<int> : omp_out += omp_in) initializer(omp_priv = n::box<int>{0})
int main() {
  cell c = {1, 2};
  n::node m = {{1, 2, 3}}, many[2] = {{{1, 2, 3}}, {{4, 5, 6}}}, *part = many;
  n::next next = {{{1, 1, 1}}, 2};
  wrap w = {{{1, 1, 1}}, {2, 2}};
  n::box<int> sum{0};
  n::own own;
  n::shade shade = n::shade::dark;
  int s = 0;
#pragma omp target map(tofrom : c, m, many, w, next, own, shade) map(s)
  {
    c.v += 3;
    m.v[1] += 4;
    many[1].v[2] += 2;
    w.inside.v[0] = 9;
    w.c.w = 4;
    next.v[2] = 6;
    own.add(4);
    shade = n::shade::light;
    s = c.v + m.v[1];
  }
#pragma omp target firstprivate(c, m) map(tofrom : s)
  {
    c.v += 3;
    s += c.v + m.v[2];
  }
#pragma omp target teams distribute parallel for map(tofrom : m) private(c) reduction(+ : s)
  for (int i = 0; i < 3; i++) {
    c.v = i;
    m.v[i] += c.v;
    s += i;
  }
#pragma omp target teams distribute parallel for reduction(plus : sum) map(to : part[0 : 2])
  for (int i = 0; i < 2; i++) sum += n::box<int>{part[i].v[0]};
#pragma omp target enter data map(to : next, w.c)
#pragma omp target
  {
    next.more += 5;
    w.c.v += 6;
  }
#pragma omp target update from(next, w.c)
#pragma omp target exit data map(delete : next, w.c)
#pragma omp target data map(tofrom : own)
  {
#pragma omp target
    own.add(2);
  }
  n::node r = run(m);
  std::printf("%d %d %d %d %d %d %d\n", c.v, m.v[1], many[1].v[2], w.inside.v[0], w.c.w, s, r.v[1]);
  std::printf("%d %d %d %d %d %d\n", next.v[2], next.more, w.c.v, sum.v, own.get(), int(shade));
}
