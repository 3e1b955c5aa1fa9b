// Constant static members of classes as objects: indexed, bound to references, pointed to, in templates.
#include <cstdio>

constexpr int square(int i) { return i * i; }
struct Pair {
  int a, b;
  constexpr Pair(int x, int y) : a(x), b(y) {}
  constexpr int sum() const { return a + b; }
  int difference() const { return a - b; }
};

class Tables {
  static constexpr int hidden[2][3] = {{1, 2, 3}, {4, 5, 6}}, few = 2, more[few] = {7, 8};

public:
  enum { LAST = 2 };
  static constexpr double weights[] = { // of each column
      0.5,
      1.5, /* the middle */
      2.5,
  };
  static constexpr Pair pairs[2] = {{1, square(2)}, {5, 6}};
  static constexpr Pair one{3, 4};
  alignas(32) static constexpr char text[8] = "rexcc;}";
  static inline const float half = 0.5f;
  const int *first = more;
  int last = hidden[1][LAST];

  int at(int i, int k) const { return hidden[i][k] + more[i]; }
  double weight(int i) const { return this->weights[i]; }
  static const int *row(int i = few) { return hidden[i - 1]; }
  int region() const {
    int r = 0;
#pragma omp target map(tofrom : r)
    for (int i = 0; i < few; i++) r += hidden[i][i] + more[i] + square(hidden[1][i]);
    return r;
  }
};

struct Plain {
  static const int table[3];
  static const int open[];
  static const double scale;
  static const int limit;
  int get(int i) const { return table[i] * limit + open[i]; }
  double scaled(double by) const { return by * scale; }
};
const int Plain::table[3] = {10, 20,
                             30};
const int Plain::open[] = {1, 2, 3, 4};
const double Plain::scale = 2.5;
const int Plain::limit = 3;

namespace lib {
template <class T, int N> struct Row {
  static constexpr T values[N] = {T(1), T(2.5)};
  static const T later[2];
  static constexpr T one = T(1.5);
  template <class U> static U pick(int i) { return U(values[i]) + later[i]; }
};
template <class T, int N> const T Row<T, N>::later[2] = {T(0.5), T(3)};
template <> const char Row<char, 2>::later[2] = {'a', 'b'};
template <class T> struct Derived : Row<T, 3> {
  T of(int i) const { return Row<T, 3>::values[i] + this->later[i % 2]; }
};
template <> struct Row<long, 4> {
  static constexpr long values[4] = {9, 8, 7, 6};
};
} // namespace lib

template <class T> static T larger(const T &a, const T &b) { return a < b ? b : a; }
template <class R> static double through(int i) {
  auto f = [&] { return R::values[i] + larger(R::one, R::one); };
  return f() + sizeof(R::values) / sizeof(R::values[0]);
}
template <class T> static double region_of(int n) {
  double d = 0;
#pragma omp target map(tofrom : d)
  for (int i = 0; i < n; i++) d += lib::Row<T, 2>::values[i] + larger(lib::Row<T, 2>::one, T(i));
  return d;
}
struct Made {
  int a;
  Made(int x) : a(x + 1) {}
  int get() const { return a; }
};
static int computed(int i) { return i * 3; }
struct Late { // only the host can compute these
  static const Made made, row[2];
  static inline const int product = computed(4);
  static int get(int i) { return made.get() + row[i].a * product; }
};
const Made Late::made(3);
const Made Late::row[2] = {Made(4), Made(5)};
const Made alone(7);
static int late(int i) { return alone.get() + Late::get(i); }

struct Counter {
  static int count;
};
#pragma omp declare target
int Counter::count = 5;
#pragma omp end declare target

static int take(const int &v) { return v + 1; }
static int constants(int i) {
  constexpr int k = Tables::pairs[1].b;
  int made[Plain::limit + Tables::LAST] = {k, 2, 3, 4, 5};
  static_assert(Tables::pairs[0].a == 1, "");
  switch (i) {
  case Tables::one.a: return made[0];
  case Plain::limit + 1: return made[4];
  default: return made[1] + lib::Row<int, Tables::pairs[0].a + 1>::pick<int>(i);
  }
}

struct Shape { /* functions that are constants themselves name the table */
  static constexpr double corner[2][2] = {{-1, 2}, {3, 4}};
  static constexpr double at(int a, double x) { return corner[a][0] * x + corner[a][1]; }
};
template <class T> struct Directions {
  static constexpr T x[3] = {0, 1, -1}, y[3] = {1, 0, 0};
  static constexpr T dot(int i, int j) { return x[i] * x[j] + y[i] * y[j]; }
};
static constexpr double of_host = Shape::at(1, 1.0);

// Of a template, as many as each instantiation has.
template <class T, T... V> struct List {
  static constexpr T all[] = {V...};
  static constexpr int count = sizeof(all) / sizeof(T);
  static T sum() {
    T t = 0;
    for (const T &v : all) t += v;
    return t;
  }
};

int main() {
  int r = 0;
  double d = 0;
#pragma omp target map(tofrom : r, d)
  {
    Tables t;
    Plain p;
    for (int i = 0; i < 2; i++) {
      r += t.at(i, 2) + Tables::row()[i] + Tables::pairs[i].sum() + Tables::pairs[i].difference();
      d += t.weight(i) + Tables::weights[i + 1] + p.get(i) + p.scaled(i) + Plain::scale + Plain::table[i];
      r += Plain::open[i] + Tables::text[i] + t.pairs[i].b + constants(i) + constants(i + 3);
    }
    for (const Pair &p : Tables::pairs) r += p.a;
    const float *half = &Tables::half;
    const Pair &one = Tables::one, copy = Tables::one;
    d += *half + one.difference() + copy.b + Tables::half + *t.first + t.last;
    r += take(Plain::limit) + Plain::limit + (r ? Plain::limit : Tables::LAST);
    auto with = [](int i) { return Tables::pairs[i].a + lib::Row<char, 2>::later[i]; };
    r += with(0) + with(1);
  }
  printf("%d %g\n", r, d);
#pragma omp target teams distribute parallel for reduction(+ : d)
  for (int i = 0; i < 2; i++) {
    d += lib::Row<int, 2>::values[i] + lib::Row<double, 2>::pick<float>(i) + lib::Row<long, 4>::values[i + 1];
    d += lib::Derived<float>().of(i) + through<lib::Row<float, 3>>(i) + larger(lib::Row<double, 2>::one, 0.25);
  }
  printf("%g %g %g %d\n", d, region_of<int>(2), region_of<double>(2), Tables().region());
  auto counted = [](int i) { return i * Counter::count + Tables::pairs[i].b; };
  r = 0;
#pragma omp target map(tofrom : r)
  for (int i = 0; i < 2; i++) r += late(i) + Late::row[i].get() + Late::product + alone.a + counted(i);
  printf("%d\n", r);
  d = of_host;
#pragma omp target map(tofrom : d)
  for (int i = 0; i < 2; i++) d += Shape::at(i, 0.5) + Directions<int>::dot(i, 1) + Directions<float>::dot(0, i);
  printf("%g\n", d);
#pragma omp target map(tofrom : r)
  {
    for (int v : List<int, 3, 4, 5>::all) r = r * 10 + v;
    const auto &two = List<int, 6, 7>::all;
    r += List<long, 7, 8>::sum() + List<int, 1, 2, 3, 4>::count * 100 + sizeof(two) + two[1];
  }
  printf("%d\n", r);
}
