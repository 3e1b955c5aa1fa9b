#include <cstdio>
namespace far {
enum class unused { up = 4, down };
enum class used { left = 2, right };
struct holder {
  enum class kept { x = 9 };
  enum plain { y = 11 };
};
enum class op : unsigned char { add, mul, mx };
enum few_or_many { few = 5, many = 9 };
} // namespace far
enum class same { a = 1 };
using alias = far::used;
struct paint {
  using enum far::unused;
  using enum alias;
  using enum far::holder::kept;
  using far::holder::plain::y;
  int v;
  int get() const { return v; }
  int kept_value() const { return int(x) + int(y); }
};
template <class T> struct gen {
  using enum far::unused;
  using enum same;
  T v;
  T f() const { return v + int(a); }
  int region(int down) {
    int s = 0;
#pragma omp target map(s)
    s = down + int(up) + int(a);
    return s;
  }
};
struct calc {
  using enum far::op;
  using far::few;
  using far::used::right;
  int run(int n, far::op o) {
    int s = 0;
    struct L {
      far::op q = mul;
      int k = few;
    };
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
      L l;
      switch (o) {
      case add: s += 1; break;
      case mul: s += 2; break;
      default: s += o == mx ? 7 : 0;
      }
      s += few + int(right) + int(l.q) + l.k;
    }
    return s;
  }
};
struct derived : calc {
  template <class T> T more(T n) {
    T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < int(n); i++) s += T(mul) + few + T(right);
    return s;
  }
  int add_all(int add) {
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < 4; i++) s += add + int(mul);
    return s;
  }
};

int main() {
  int s = 0;
  paint mapped{5};
#pragma omp target map(s) map(to : mapped)
  {
    gen<int> g{3};
    s = mapped.get() + g.f() + mapped.kept_value() + int(paint::down);
  }
  derived d;
  gen<long> g{1};
  std::printf("%d %d %d %d %g %d\n", s, g.region(30), d.run(10, far::op::add), d.run(3, calc::mx), d.more(4.0),
              d.add_all(100));
}
