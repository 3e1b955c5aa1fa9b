/* Constant objects that functions and constructors make, where a region needs constants. */
#include <array>
#include <cstdio>

struct Sizes {
  int rows, columns;
  constexpr int all() const { return rows * columns; }
  template <int N> int times() const { return rows * N; }
};
constexpr Sizes make(int n) { return {n, n + 1}; }
struct Count {
  int v;
  constexpr explicit Count(int n) : v(n * 2) {}
  constexpr operator int() const { return v; }
};
template <int N> int times(int k) { return k * N; }
template <class T, unsigned long N> struct Values {
  T v[N];
};
constexpr std::array<int, 3> table() { return {1, 2, 3}; }
enum class Order : char { rows = 'r', columns = 'c' };
struct Rule {
  Order order;
  bool known;
  constexpr explicit Rule(bool b) : order(b ? Order::rows : Order::columns), known(b) {}
};
template <Order O> int of() { return O == Order::rows ? 100 : 200; }
#define FIRST sizes.rows

template <int N> static int in_template() {
  constexpr Sizes sizes = make(N);
  int s = 0;
#pragma omp target map(tofrom : s)
  {
    int a[sizes.columns] = {};
    a[N] = times<sizes.all()>(2);
    s += a[N] + (int)sizeof a;
  }
  return s;
}

int main() {
  constexpr auto sizes = make(3);
  constexpr Count five(5), six{6};
  constexpr auto t = table();
  constexpr Rule rule(true);
  int s = 0, k = 3;
#pragma omp target map(tofrom : s) map(to : k)
  {
    s += times<sizes.all()>(2);
    s += times<FIRST>(2);
    s += times<five.v>(k);
    s += times<six + 0>(2) + sizes.times<sizes.columns>();
    s += times<t[1]>(2) + t[2];
    s += of<rule.order>();
    double x[sizes.columns][2] = {};
    Values<int, sizes.rows> values = {{sizes.rows, 1, 2}};
    s += (int)(sizeof x + sizeof values) + values.v[0];
    static_assert(sizes.rows == 3, "");
    switch (k) {
      case sizes.rows: s++; break;
      default: s += 50;
    }
    constexpr int z = sizes.all() + 1;
    s += times<z>(1);
    if (k < sizes.columns && rule.known) s += sizes.rows;
  }
  std::printf("%d %d %d\n", s, in_template<2>(), in_template<4>());
}
