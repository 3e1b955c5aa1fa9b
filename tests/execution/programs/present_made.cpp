// Objects that a function, a constructor or a default member initialiser has put on the device where they lie, while
// it made them, and variables whose address a lambda's capture takes. Regions use the device's value.
#include <omp.h>

#include <cstdio>
#include <functional>
#include <utility>

static bool on_device() {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  return !host;
}

static void check(const char *what, int value, int device, int host) {
  const bool right = value == (on_device() ? device : host);
  if (right)
    std::printf("%s: right\n", what);
  else
    std::printf("%s: %d\n", what, value);
}

struct Base {
  int n;
  int room[8];
};
struct Outer {
  int k;
  Base inner;
};
template <class T> struct Wrapper {
  T inner;
};

static int enter(int *at) {
#pragma omp target enter data map(to : at[0 : 1])
  return *at;
}
static void leave(int *at) {
#pragma omp target exit data map(delete : at[0 : 1])
}

__attribute__((noinline)) static Base make(int n) {
  Base made{};
  made.n = n;
  enter(&made.n);
  return made;
}
__attribute__((noinline)) static Base by_section(int n) {
  Base made{}, *at = &made;
  made.n = n;
#pragma omp target enter data map(to : at[0 : 1])
  return made;
}
__attribute__((noinline)) static Base by_cast(int n) {
  Base made{};
  made.n = n;
  int *at = reinterpret_cast<int *>(&made);
#pragma omp target enter data map(to : at[0 : 9])
  return made;
}
static Base by_another(int n) { return make(n); }
template <class F> static auto called(F function, int n) { return function(n); }
static Base (*volatile pointer)(int) = make;
struct Maker {
  Base operator()(int n) const {
    Base made{};
    made.n = n;
    enter(&made.n);
    return made;
  }
};

struct Init {
  int n = enter((n = 1, &n));
};
struct InitOfBase : Init {};
struct InitOfMember {
  Init in;
};
template <class T> struct InitOfTemplate {
  T n = T(enter((n = 1, &n)));
};

/// The value that a region sees of a new object's first number, and what the host has given it since.
#define SEEN(what, object, number)                                                                                     \
  {                                                                                                                    \
    int seen = 0;                                                                                                      \
    object;                                                                                                            \
    number = 2;                                                                                                        \
    _Pragma("omp target map(from : seen)") seen = number;                                                              \
    check(what, seen, 1, 2);                                                                                           \
    leave(&number);                                                                                                    \
  }

#define WITH_MEMBER Outer v = {1, make(1)}

static void functions(bool yes) {
  SEEN("a function's result", Base v = make(1), v.n)
  SEEN("deduced", auto v = make(1), v.n)
  SEEN("a section", Base v = by_section(1), v.n)
  SEEN("a cast", Base v = by_cast(1), v.n)
  SEEN("another function's result", Base v = by_another(1), v.n)
  SEEN("through a pointer", Base v = pointer(1), v.n)
  SEEN("through a template", Base v = called(make, 1), v.n)
  SEEN("through a lambda", Base v = called([](int n) { return make(n); }, 1), v.n)
  SEEN("through the library", Base v = std::invoke(make, 1), v.n)
  SEEN("of an object", Base v = Maker{}(1), v.n)
  SEEN("a conditional", Base v = yes ? make(1) : Base{}, v.n)
  SEEN("a member", WITH_MEMBER, v.inner.n)
  SEEN("a member of a template", Wrapper<Base> v{make(1)}, v.inner.n)
  SEEN("an element", Base v[2] = {make(1)}, v[0].n)
}

static void initialisers() {
  SEEN("a default member initialiser", Init v, v.n)
  SEEN("a base's", InitOfBase v, v.n)
  SEEN("a member's", InitOfMember v, v.in.n)
  SEEN("a class template's", InitOfTemplate<int> v, v.n)
}

static void captures() {
  {
    Base v{};
    v.n = 1;
    auto map = [&q = v] {
#pragma omp target enter data map(to : q)
    };
    map();
    v.n = 2;
    int seen = 0;
#pragma omp target map(from : seen)
    seen = v.n;
    check("a structure", seen, 1, 2);
#pragma omp target exit data map(delete : v)
  }
  int n = 1, seen = 0;
  auto map = [&q = n] { enter(&q); };
  map();
  n = 2;
#pragma omp target map(to : n) map(from : seen)
  seen = n;
  check("a scalar", seen, 1, 2);
  leave(&n);
  int copied = 1;
  auto harmless = [q = copied] { return q; };
#pragma omp target map(from : seen)
  seen = [&q = copied, k = copied] { return q + k; }() + harmless();
  check("captures inside of a region", seen, 3, 3);
}

int main(int argc, char **) {
  functions(argc > 0);
  initialisers();
  captures();
}
