// Variables that lambdas capture by reference, and objects of their `this`, which no construct maps: regions map them.
#include <cstdio>
#include <vector>
template <class F> double sum(int n, F f) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}
template <class F> void once(const F &f, bool there = true) {
#pragma omp target if (there)
  f();
}
template <class F> void each(int n, int *out, F f) {
#pragma omp target teams distribute parallel for map(from : out[0:n])
  for (int i = 0; i < n; i++) out[i] = f(i);
}
template <class F> void later(int n, int *out, F f) {
#pragma omp target teams distribute parallel for nowait is_device_ptr(out)
  for (int i = 0; i < n; i++) out[i] = f(i);
}
template <class F> void later_mapped(int n, int *out, F f) {
#pragma omp target teams distribute parallel for nowait map(from : out[0:n])
  for (int i = 0; i < n; i++) out[i] = f(i);
}
struct Pair {
  int a, b;
};
struct Counted {
  int n;
  explicit Counted(int n) : n(n) {}
  Counted(const Counted &from) : n(from.n + 1) {}
};
class Widget {
  double gain = 2;
  int used = 0;
  std::vector<int> unused = std::vector<int>(3);

 public:
  double scaled(int n) const {
    return sum(n, [=](int i) { return i * gain; });
  }
  int count() {
    once([this] { used += 5; });
    once([&] { used++, gain += 0.5; }, used > 100);
    return used * 10 + int(unused.size());
  }
};

// Members of constant objects may change.
struct Memo {
  mutable int hits = 0;
  int base = 1;
  int next() const { return base + hits++; }
};
template <class T> struct Remembered {
  mutable T last{};
  T value;
  Memo memo = {};
  T get() const {
    once([this] { last = value * 2; });
    const Memo &reference = memo;
    once([&] { last += reference.next(); });
    return last + memo.hits;
  }
};

static int calls(int k) {
  int out[8];
#pragma omp target data map(alloc : out) use_device_addr(out)
  later(8, out, [&](int i) { return i * k; });
#pragma omp taskwait
  return 0;
}

int main() {
  double k = 3;
  const int table[4] = {1, 2, 3, 4};
  Pair pair = {5, 6};
  printf("%g\n", sum(10, [&](int i) { return i * k + table[i % 4] * pair.a; }));

  int hits = 0;
  long total = 7;
  once([&] { hits += 2, total *= pair.b, pair.a = 9; });
  printf("%d %ld %d\n", hits, total, pair.a);
  once([&] { hits += 2; }, hits > 5);  // the host's own
  printf("%d\n", hits);

  // mapped by the program: its copy has the value
#pragma omp target data map(tofrom : k)
  {
    once([&] { k += 1; });
    printf("%g\n", sum(4, [&](int i) { return i * k; }));
  }

  // pointers and lambdas by reference
  std::vector<double> v = {1, 2, 3, 4};
  double *p = v.data();
#pragma omp target data map(tofrom : p[0:4])
  {
    auto square = [&, p](int i) { return p[i] * p[i] + k; };
    printf("%g\n", sum(4, [&](int i) { return p[i]; }));
    printf("%g\n", sum(4, [&](int i) { return square(i) * 2; }));
    const auto nested = [&](int i) { return square(i) + p[0]; };
    printf("%g\n", sum(4, [&](int i) { return nested(i) + hits; }));
  }

  // objects that say how they are copied: references to them are not
  const Counted counted(4);
  once([&] { hits += counted.n; });
  printf("%d\n", hits);

  const Memo memos[2] = {};
  once([&] { hits = memos[1].next() + memos[1].next(); });
  const Remembered<double> remembered = {0, 2.5};
  printf("%d %d %g\n", hits, memos[1].hits, remembered.get());

  // in methods
  Widget w;
  printf("%g\n", w.scaled(5));
  printf("%d\n", w.count());

  // together with what the construct maps, in tasks, in threads
  int out[8], more[8], last[8];
  each(8, out, [&](int i) { return i * pair.a + hits; });
  later_mapped(8, more, [&](int i) { return i * pair.b; });
  later_mapped(8, last, [](int i) { return i - 3; });
#pragma omp taskwait
  printf("%d %d %d %d\n", out[7], more[7], last[7], calls(2));
  double sums[4];
#pragma omp parallel for num_threads(4)
  for (int t = 0; t < 4; t++) {
    double s = 0;
    for (int r = 0; r < 20; r++) s += sum(100, [&](int i) { return i * k + t + table[r % 4]; });
    sums[t] = s;
  }
  printf("%g %g %g %g\n", sums[0], sums[1], sums[2], sums[3]);
}
