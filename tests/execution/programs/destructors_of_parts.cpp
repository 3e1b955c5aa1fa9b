/* Destructors have directives, and end parts of objects that no expression names: of bases that depend on parameters. */
#include <cstdio>

long joined[2];
#pragma omp declare target(joined)

template <int... I> struct Numbers {};
template <int I, class T> struct Slot {
  T value;
};
template <class N, class... T> struct Slots;
template <int... I, class... T> struct Slots<Numbers<I...>, T...> : Slot<I, T>... {};
template <class T, class U> struct Two : Slots<Numbers<0, 1>, T, U> {};

template <class T> struct Adds {
  T by;
  int place;
  ~Adds() {
#pragma omp critical
    joined[place] += by;
  }
};
template <class T> struct Counts : Adds<T> {};

template <class Body> void forall(int n, Body body) {
#pragma omp target teams distribute parallel for map(to : body)
  for (int i = 0; i < n; i++) {
    Body own = body;
    own(i);
  }
}

template <class T> struct Work {
  Two<Counts<T>, int> held;
  void operator()(int i) { static_cast<Slot<0, Counts<T>> &>(held).value.by += i; }
};

template <class T> static void run(int n, int place) {
  Work<T> work{};
  static_cast<Slot<0, Counts<T>> &>(work.held).value.place = place;
  long before = 0, after = 0;
#pragma omp target map(from : before)
  before = joined[place];
  forall(n, work);
#pragma omp target map(from : after)
  after = joined[place];
  printf("%ld\n", after - before);
}

int main() {
  run<int>(1000, 0);
  run<long>(3000, 1);
  return 0;
}
