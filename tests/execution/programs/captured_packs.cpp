// Parameter packs that lambdas capture on their way to templates with regions, and lambdas that capture lambdas.
#include <cstdio>
#include <tuple>
#include <utility>

template <class Body> void run(int n, Body body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) body(i);
}
template <class Body> double total(int n, Body body) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += body(i);
  return sum;
}
template <class Body> void run_copies(int n, Body body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    Body copy = body;
    copy(i), copy(i);
  }
}
template <class F, class... A> void by_value(int n, F f, A... args) {
  run(n, [=](int i) { f(i, args...); });
}
template <class F, class... A> void listed(int n, F f, A... args) {
  run(n, [f, args...](int i) { f(i, args...); });
}
template <class F, class... A> void by_init(int n, F f, A &&...args) {
  run(n, [f, ... given = std::forward<A>(args)](int i) { f(i, given...); });
}
// The values are computed in the order of the captures.
static int turn = 1;
template <class T> T times_turn(T value) {
  turn = turn * 3 % 101;
  return value * turn;
}
template <class... A> double in_order(int n, A... args) {
  return total(n, [first = times_turn(2), ... given = times_turn(args), last = turn++](int i) {
    return first * 1e6 + last * 1e3 + ((given * i) + ... + 0);
  });
}
template <class... A> double one_more(int n, A... args) {
  return total(n, [=, last = times_turn(1)](int i) { return ((args * i) + ... + last); });
}
template <class... A> double folded(int n, A... args) {
  return total(n, [=](int i) -> double { return i * (args + ... + 0) + sizeof...(A) + sizeof...(args); });
}
template <class T, class... A> double converted(int n, A... args) {
  return total(n, [=](auto i) { return (((T)args * i) + ... + T{}) + (sizeof(A) + ... + 0); });
}
template <class... A> void by_reference(int n, A &...args) {
  run(n, [&](int i) {
    if (i == 2) ((args += i), ...);
  });
}
template <class... A> void changed(int n, int *p, A... args) {
  run_copies(n, [p, args...](int i) mutable {
    ((args += i), ...);
    p[i] = ((args - i) + ... + 0);
  });
}
template <class... A, class... B> double two_packs(int n, std::pair<A, B>... both) {
  return total(n, [=](int i) { return ((both.first * i + both.second) + ... + 0); });
}
template <class F, class... A> double nested(int n, F f, A... args) {
  auto inner = [f, args...](int i) { return f(i, args...); };
  return total(n, [=](int i) { return inner(i) + (args + ...); });
}
struct Scale {
  double by;
  template <class... A> double sum(int n, A... args) const {
    return total(n, [*this, args...](int i) { return i * by + (args + ... + 0); });
  }
};
template <class T> struct Loop {
  T first;
  template <class F, class... A> void each(int n, F f, A... args) const {
    T from = first;
    run(n, [=](int i) { f(from + i, args...); });
  }
};

struct Times {
  double by;
  double operator()(int i) const { return i * by; }
};
template <class... Fs> struct Joined {
  std::tuple<Fs...> all;
  template <std::size_t... I> double sum(int n, std::index_sequence<I...>) const {
    auto held = all;
    return total(n, [=](int i) { return (std::get<I>(held)(i) + ...); });
  }
};

int main() {
  int p[50] = {};
  double q[50] = {};
  auto fill = [](int i, int *p, double *q, int k) { p[i] += i * k, q[i] += i + 0.5; };
#pragma omp target data map(tofrom : p, q)
  {
    int *a = p;
    double *b = q;
    by_value(50, fill, a, b, 3);
    listed(40, fill, a, b, 4);
    by_init(30, fill, a, b, 5);
    by_value(50, [=](int i) { b[i] += 0.25; });
    auto add = [=](int i) { a[i] += 1; };
    run(20, [=](int i) { add(i), add(i); });
    Loop<int>{10}.each(30, [=](int i, int by) { a[i] += by; }, 7);
  }
  for (int i : {9, 19, 29, 39, 49}) printf("%d %g ", p[i], q[i]);
  printf("\n");
  int x = 1, y = 2;
  long z = 3;
#pragma omp target data map(tofrom : x, y, z)
  by_reference(4, x, y, z);
  printf("%d %d %ld\n", x, y, z);
#pragma omp target data map(from : p)
  changed(50, &p[0], 10, 20L, 30.0f);
  printf("%d %d\n", p[0], p[49]);
  printf("%g %g %g\n", folded(10), folded(10, 1, 2.5), folded(10, 1, 2, 3L));
  printf("%g %g\n", converted<int>(10, 1.75, 2.5f), converted<double>(10, 1.75, 2, 'a'));
  printf("%.17g\n", in_order(5, 1, 2.5, 3L));
  printf("%g\n", one_more(4, 5, 0.25f));
  printf("%g\n", two_packs(10, std::pair<int, double>(2, 0.5), std::pair<long, float>(1, 0.25f)));
  printf("%g\n", nested(10, [](int i, int a, double b) { return i * a + b; }, 2, 0.5));
  printf("%g %g\n", Scale{1.5}.sum(10, 1, 2), Scale{0.5}.sum(4));
  Joined<Times, Times> joined = {{Times{1.5}, Times{0.25}}};
  printf("%g\n", joined.sum(10, std::make_index_sequence<2>{}));
}
