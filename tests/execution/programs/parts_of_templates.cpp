/* Objects of class templates whose parts depend on the parameters. A copy of one has pointers to itself where a part has
   a constructor that copies, whatever names that part: as bytes it would refer to another object. */
#include <cstdio>

struct Linked {
  int n, *p;
  Linked(int n) : n(n), p(&this->n) {}
  Linked(const Linked &other) : n(other.n), p(&n) {}
};
struct Plain {
  int n, *p;
  Plain(int n) : n(n), p(nullptr) {}
};
template <int N> struct pick { using type = Linked; };
template <> struct pick<0> { using type = Plain; };
template <int N> using pick_t = typename pick<N>::type;
template <class T> struct Holds {
  T t;
  Holds(int n) : t(n) {}
  T &get() { return t; }
};
template <class T, class U> struct Second {
  U u;
  T t;
  Second(int n) : u(n), t(n) {}
  U &get() { return u; }
};
template <class T> using WithLinked = Second<T, Linked>;
template <class T, int N> struct Elements {
  T a[N] = {1, 2};
  Elements(int) {}
  T &get() { return a[N - 1]; }
};
template <class T> struct Around {
  using Base = Elements<T, 2>;
  Base base;
  Around(int n) : base(n) {}
  T &get() { return base.get(); }
};

template <int N> struct Picked : Holds<pick_t<N>> { using Holds<pick_t<N>>::Holds; };
template <class T> struct Named : Second<T, Linked> { using Second<T, Linked>::Second; };
template <class T> struct Aliased : WithLinked<T> { using WithLinked<T>::WithLinked; };
template <int N> struct Rows : Elements<Linked, N> { using Elements<Linked, N>::Elements; };
template <class T> struct Inside : Around<T> { using Around<T>::Around; };

template <class A> static void run(const char *name) {
  const int n = 40;
  int found[n];
  A a(3);
#pragma omp target teams distribute parallel for firstprivate(a) map(from : found)
  for (int i = 0; i < n; i++) {
    a.get().n = i;
    found[i] = a.get().p == &a.get().n ? *a.get().p : -1;
  }
  int sum = 0;
  for (int i = 0; i < n; i++) sum += found[i];
  A b = a;
  int read = 0;
#pragma omp target firstprivate(b) map(from : read)
  read = b.get().p == &b.get().n;
  printf("%s: %d %d\n", name, sum, read);
}

int main() {
  run<Picked<1>>("picked by a number");
  run<Picked<0>>("without a copy constructor");
  run<Named<long>>("named where the base is");
  run<Aliased<long>>("named by an alias template");
  run<Rows<2>>("elements of an array");
  run<Inside<Linked>>("by an alias in a class");
}
