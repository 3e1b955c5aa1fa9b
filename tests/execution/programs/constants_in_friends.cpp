// Friends that a class defines name its constant static members: elements by a known index and by one of the run.
#include <cstdio>

struct Pair {
  int a, b;
  constexpr int sum() const { return a + b; }
};

struct Table {
  enum Kind { first = 1, second = 4 };
  static constexpr Kind kinds[] = {first, second};
  static constexpr Pair pair{3, 4};
  static constexpr int one = 1;
  int v;
  friend int total(const Table &t) {
    return t.v + kinds[1] + kinds[t.v] + t.kinds[0] + Table::kinds[1] + pair.a + t.pair.b + pair.sum() + one + *&one;
  }
  friend int in_lambda(const Table &t) {
    auto f = [&](int i) { return kinds[1] + pair.a + i; };
    return f(kinds[0]) + ::Table::kinds[1] + t.v;
  }
  template <class T> friend T of_template(const Table &t, T x) {
    struct Local {
      int q = kinds[1];
    } local;
    int sized[kinds[1]] = {pair.b};
    return x + kinds[1] + local.q + sized[0] + (T)(sizeof sized / sizeof *sized) + t.v;
  }
  friend constexpr int constant(const Table &) { return kinds[1] + pair.b; }
  int own() const { return kinds[1] + pair.a; }
};

template <class T> struct TableOf {
  static constexpr T values[] = {1, 2, 3};
  static constexpr Pair pair{3, 4};
  T v;
  friend T total(const TableOf &t) { return values[1] + values[t.v] + pair.a + t.values[2]; }
  friend T operator+(TableOf a, TableOf b) { return values[2] + a.v + b.v; }
};

int main() {
  long sums[6] = {};
#pragma omp target map(tofrom : sums)
  {
    Table t{1};
    TableOf<int> u{1};
    constexpr int known = constant(Table{1});
    sums[0] = total(t);
    sums[1] = in_lambda(t);
    sums[2] = of_template(t, 2L);
    sums[3] = t.own() + known + constant(t);
    sums[4] = total(u);
    sums[5] = u + u;
  }
  for (long sum : sums) std::printf("%ld ", sum);
  std::printf("\n");
  return 0;
}
