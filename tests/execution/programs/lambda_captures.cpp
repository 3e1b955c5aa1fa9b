// Lambdas from outside a region: captures by reference, of pointers, of this; lambdas that are mapped themselves.
#include <cstdio>

constexpr int N = 100;

static void by_reference() {
  int x = 3, r = 0;
  auto add = [&x](int y) {
    x += y;
    return x;
  };
  x = 4;
#pragma omp target map(from : r) map(tofrom : x)
  r = add(5);
  std::printf("mapped %d %d\n", r, x);
#pragma omp target map(from : r)
  r = add(6);
  std::printf("not mapped %d %d\n", r, x);
#pragma omp target map(from : r) map(tofrom : x)
  {
    x++;
    r = add(1);
  }
  std::printf("named in the region too %d %d\n", r, x);
  double total = 0;
  const auto count = [&](double value) { return total + value; };
  total = 7;
#pragma omp target data map(to : total)
  {
#pragma omp target map(from : r)
    r = static_cast<int>(count(1));
  }
  std::printf("all by reference %d\n", r);
}

static void pointers(int *p, int n) {
  int r = 0, offset = 2;
  auto get = [p, offset](int i) { return p[i + offset]; };
  auto set = [&, n](int i, int value) { p[i % n] = value; };
#pragma omp target map(from : r) map(to : p[0 : n])
  r = get(3);
  std::printf("pointer by value %d\n", r);
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) set(i, 2 * i);
  std::printf("pointer by reference %d %d\n", p[1], p[n - 1]);
}

static void initialised() {
  int x = 3, r = 0;
  const int start = 10;
  auto sum = [first = start + 1, &there = x](int y) { return first + there + y; };
  x = 5;
#pragma omp target map(from : r) map(to : x)
  r = sum(1);
  std::printf("initialised %d\n", r);
}

static void nested() {
  int x = 1, r = 0;
  auto inner = [&x](int y) { return x + y; };
  auto outer = [&inner](int y) { return 2 * inner(y); };
  x = 20;
#pragma omp target map(from : r) map(to : x)
  r = outer(3);
  std::printf("nested %d\n", r);
}

static void referred() {
  int x = 3, r = 0, s = 0, values[4] = {1, 2, 3, 4};
  int &same = x;
  const int &seen = x;
  auto listed = [same](int y) { return same + y; };
  auto by_default = [=](int y) { return seen * y; };
  auto computed = [twice = 2 * values[1], wide = double(7)] { return twice + int(wide); };
  x = 50;
#pragma omp target map(from : r, s)
  {
    r = listed(1) + computed();
    s = by_default(2);
  }
  std::printf("values of references %d %d\n", r, s);
}

static void mapped() {
  const int x = 3;
  int r = 0;
  auto add = [x](int y) { return x + y; };
  auto count = [calls = 0]() mutable { return ++calls; };
#pragma omp target map(from : r) map(to : add)
  r = add(4);
  std::printf("mapped to %d\n", r);
#pragma omp target map(from : r) map(to : count) firstprivate(add)
  r = count() + count() + add(0);
  std::printf("mutable %d\n", r);
}

struct Grid {
  int width = 4;
  double cells[N] = {};

  void fill(int n) {
    auto put = [this](int i, double value) {
      cells[i] = value;
      this->width = n_of(i);
    };
    auto scaled = [=](int i) { return cells[i] * width; };
#pragma omp target
    put(3, n);
    std::printf("this %g %d\n", cells[3], width);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) cells[i] = i;
    double r = 0;
#pragma omp target map(from : r)
    r = scaled(5) + cells[1];
    std::printf("this by default %g\n", r);
  }

  int n_of(int i) const { return 10 * i; }
};

static void reduced() {
  int values[N], sum = 0, limit = 0;
  for (int i = 0; i < N; i++) values[i] = i;
  auto wanted = [&limit](int value) { return value < limit; };
  limit = 50;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : limit)
  for (int i = 0; i < N; i++)
    if (wanted(values[i])) sum += values[i];
  std::printf("in a loop %d\n", sum);
}

template <int K> static int constants() {
  static constexpr int twice = 2 * K;
  int r = 0;
  auto f = [] { return twice + K; };
#pragma omp target map(from : r)
  r = f();
  return r;
}

struct Pair {
  int x, y;
};

static void references(int &number, int &same, Pair &pair, const int *&p) {
  int r = 0;
  auto number_then = [=] { return number; };
  auto pair_then = [pair] { return 10 * pair.x + pair.y; };
  auto at_then = [p](int i) { return p[i]; };
  const auto &again = number_then;
  auto copied{again};
  same = 50;
  Pair &other = pair;
  other.y = 9;
  p = nullptr;
#pragma omp target map(from : r)
  r = number_then() + copied() + number;
  std::printf("number %d\n", r);
#pragma omp target map(from : r)
  r = pair_then() + pair.y;
  std::printf("pair %d\n", r);
  const int values[3] = {4, 5, 6};
  p = values;
  auto at = [p](int i) { return p[i]; };
  const int *&alias = p;
  alias = values + 1;
#pragma omp target map(from : r) map(to : values)
  r = at(1);
  std::printf("pointer %d\n", r + (at_then(0) == 3));
}

static int shared_by_all[4];

/* A capture may have the name of a variable that the kernel has for a static one. */
static void renamed() {
#pragma omp target map(tofrom : shared_by_all)
  {
    auto sum = [x = shared_by_all[0], &shared_by_all = shared_by_all](int k) {
      auto inner = [&kept = shared_by_all] { return kept[0] + 1; };
      return shared_by_all[1] = x + k + inner();
    };
    shared_by_all[2] = sum(5) + [](int shared_by_all) { return shared_by_all * 2; }(4);
  }
  std::printf("renamed %d %d\n", shared_by_all[1], shared_by_all[2]);
}

int main() {
  renamed();
  int number = 7;
  Pair pair = {1, 2};
  const int three[1] = {3};
  const int *pointer = three;
  references(number, number, pair, pointer);
  std::printf("constants %d %d\n", constants<3>(), constants<5>());
  int data[N];
  for (int i = 0; i < N; i++) data[i] = i;
  by_reference();
  pointers(data, N);
  initialised();
  nested();
  referred();
  mapped();
  Grid grid;
  grid.fill(9);
  reduced();
  return 0;
}
