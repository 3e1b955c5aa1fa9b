/* Objects that are mapped 'to' and only read: where the device can have no part of one its value is enough, wherever it
   may have one its value there is meant. */
#include <cstdio>
#ifdef _OPENMP
#include <omp.h>
static int has_device() {
  int there = 0;
#pragma omp target map(from : there)
  there = !omp_is_initial_device();
  return there;
}
#else
static int has_device() { return 0; }
#endif
static int on_device;

/* What a region has to find: the value on the device, or the host's where there is no device. */
static const char *right(int found, int device, int host) { return found == (on_device ? device : host) ? "right" : "wrong"; }

struct Three { int a, b; double c; double area() const { return a * b + c; } };
struct Derived : Three { long z; Derived(int n) : Three{n, 2, 1.5}, z(7) {} };
struct Elements { int n, m[6]; int at(int i) const { return m[i % 6]; } };
struct Base { int k; Base(int k) : k(k) {} virtual int get() const { return k; } };
struct Virtual : Base { int j; Virtual(int k) : Base(k), j(2 * k) {} int get() const override { return k + j; } };
struct alignas(64) Aligned { double v[2], w; double sum() const { return w; } };
struct Linked { int n, *p; Linked(int n) : n(n) { p = &this->n; } };
struct Counted { int n, k; Counted(int n) : n(n), k(2) {} Counted(const Counted &o) : n(o.n + 100), k(o.k) {} };
struct Assigned { int a, b; Assigned &operator=(const Assigned &o) { a = o.a + 50; return *this; } };
struct Changing { int n; mutable int seen; int get() const { seen++; return n; } };
struct Mapped { int n, k; double *p; };
#pragma omp declare mapper(Mapped m) map(m.n, m.k, m.p, m.p[0 : m.n])
struct Bits { unsigned a : 3, b : 9; long long l; bool f; };
struct Fixed { const int a, b; Fixed(int a) : a(a), b(a + 1) {} int sum() const { return a + b; } };
struct Long { long a, b, c, d, e, f, g, h; };
struct Longest { Long a, b, c, d, e, f, g, h; };
template <class L> struct Body { int first, second; L l; };

#pragma omp declare target
static int of(const Base &b) { return b.get(); }
#pragma omp end declare target
static const Three *kept;
static void keep(const Three &t) { kept = &t; }
template <class T> static void keep_any(const T &t) { kept = &t; }
static void map_kept() {
#pragma omp target enter data map(to : kept[0 : 1])
}
static void unmap_kept() {
#pragma omp target exit data map(delete : kept[0 : 1])
}

static void changed_between(int n) {
  Three s{n, 2, 1.5};
  double x = 0, y = 0;
#pragma omp target map(to : s) map(from : x)
  x = s.area();
  s.a += 10;
#pragma omp target map(to : s) map(from : y)
  y = s.area() + s.a;
  printf("changed between launches: %g %g\n", x, y);
}

template <class S> static double in_template(S s) {
  double x = 0;
#pragma omp target teams distribute parallel for map(to : s) reduction(+ : x)
  for (int i = 0; i < 100; i++) x += s.a * i + s.b;
  return x;
}

template <class S> static int kept_in_template(int n) {
  S s{n, 2, 1.5};
  int x = 0;
  keep_any(s);
  map_kept();
  s.a = 1000;
#pragma omp target map(to : s) map(from : x)
  x = s.a + s.b;
  unmap_kept();
  return x;
}

static void on_the_device(int n) {
  Three s{n, 2, 1.5};
  int x = 0, y = 0, z = 0;
  keep(s);
  map_kept();
  s.a = 1000;
#pragma omp target map(to : s) map(from : x)
  x = s.a + s.b;
  unmap_kept();
  printf("kept by a function: %s, in a template: %s\n", right(x, n + 2, 1002), right(kept_in_template<Three>(n), n + 2, 1002));
  Three t{n, 2, 1.5};
  auto look = [&] {
#pragma omp target map(to : t) map(from : y)
    y = t.a + t.b;
  };
#pragma omp target data map(to : t)
  {
    t.a = 1000;
    look();
  }
  auto map = [&] {
#pragma omp target enter data map(to : t)
  };
  t.a = n;
  map();
  t.a = 1000;
#pragma omp target map(to : t) map(from : z)
  z = t.a + t.b;
#pragma omp target exit data map(delete : t)
  printf("looked for in a lambda: %s, mapped there: %s\n", right(y, n + 2, 1002), right(z, n + 2, 1002));
  Three u{n, 2, 1.5};
  Three &r = u;
#pragma omp target enter data map(to : u)
  u.a = 1000;
#pragma omp target map(to : r) map(from : x)
  x = r.a + r.b;
#pragma omp target map(always, to : u) map(from : y)
  y = u.a + u.b;
#pragma omp target exit data map(delete : u)
  printf("by a reference: %s, always: %d\n", right(x, n + 2, 1002), y);
}

static void kinds(int n) {
  Elements e{n, {1, 2, 3, 4, 5, 6}};
  int x = 0;
#pragma omp target teams distribute parallel for map(to : e) reduction(+ : x)
  for (int i = 0; i < 100; i++) {
    Elements own = e;
    own.m[i % 6] += i;
    x += own.at(i) + e.at(i) * e.n;
  }
  Virtual v(n);
  Aligned a{{1, 2}, (double)n};
  Linked l(n);
  Counted c(n);
  Assigned s{n, 3};
  Changing g{n, 0};
  Bits b{5, 300, 1LL << 40, true};
  Fixed f(n);
  int y = 0, z = 0;
#pragma omp target map(to : v, a, l, b, f) map(from : y)
  y = of(v) + v.get() + (int)a.sum() + l.n + b.a + b.b + (b.l == 1LL << 40) + b.f + f.sum();
#pragma omp target map(to : c, s, g) map(from : z)
  {
    Counted own = c;
    Assigned other{1, 2};
    other = s;
    z = own.n + c.n + c.k + other.a + g.get() + g.get();
  }
  double values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, w = 0;
  Mapped m{8, 3, values};
#pragma omp target map(to : m) map(from : w)
  w = m.p[7] + m.k;
  printf("kinds of objects: %d %d %d %g\n", x, y, z, w);
}

static int many(long n) {
  Longest a{}, b{}, c{}, d{}, e{};
  a.a.a = n, b.b.b = n + 1, c.c.c = n + 2, d.d.d = n + 3, e.h.h = n + 4;
  long x = 0;
#pragma omp target map(to : a, b, c, d, e) map(from : x)
  x = a.a.a + 2 * b.b.b + 3 * c.c.c + 4 * d.d.d + 5 * e.h.h;
  return (int)x;
}

template <class L> static int with_lambda(L l, int n) {
  Body<L> b{n, 2, l};
  int x = 0;
#pragma omp target teams distribute parallel for map(to : b) reduction(+ : x)
  for (int i = 0; i < 10; i++) x += b.l(i) + b.first + b.second;
  return x;
}

static int waits(int n) {
  Three s{n, 2, 1.5};
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(s) depend(out : s)
    s.a = 77;
#pragma omp target map(to : s) map(from : x) nowait depend(in : s)
    x = s.a + s.b;
#pragma omp taskwait
  }
  return x;
}

/* Pointers to memory of the device, which are mapped without a section. */
static int *there(int *host) {
  int *found = nullptr;
#pragma omp target data use_device_ptr(host)
  found = host;
  return found;
}
static int **place;
static void keep_pointer(int *&p) { place = &p; }

template <class T> static long walk(T v, int n) {
  long x = 0;
#pragma omp target teams distribute parallel for map(to : v) reduction(+ : x)
  for (int i = 0; i < n; i++) x += v[i];
  return x;
}

static void pointers(int n) {
  int values[64];
  for (int i = 0; i < 64; i++) values[i] = i;
#pragma omp target enter data map(to : values)
  int *p = there(values), *q = p + 32, x = 0, y = 0, z = 0;
#pragma omp target map(to : p, n) map(from : x)
  {
    int *same;
#pragma omp atomic read
    same = p;
    x = same[n];
  }
  p++;
  int *next = p + 1;
#pragma omp target map(to : p, next) map(from : y)
  {
    for (int i = 0; i < 4; i++) next[i] = p[i] + 100;
    y = p[4];
  }
  int(*rows)[8] = (int(*)[8])q;
  void *anything = q;
  int *const fixed = q;
#pragma omp target map(to : rows, anything, fixed) map(from : z)
  z = rows[1][2] + ((int *)anything)[1] + fixed[2];
  printf("pointers: %d %d %d %ld\n", x, y, z, walk(q, 8));
  keep_pointer(p);
#pragma omp target enter data map(to : place[0 : 1])
  p = q;
#pragma omp target map(to : p) map(from : x)
  x = *p;
#pragma omp target exit data map(delete : place[0 : 1])
  int *r = q;
#pragma omp target data map(to : r)
  {
    r = q + 1;
#pragma omp target map(to : r) map(from : y)
    y = *r;
  }
  int *s = q;
#pragma omp target map(to : s) map(from : z)
  {
    s += 2;
    z = *s;
  }
#pragma omp target exit data map(delete : values)
  printf("their values there: %s %s, changed there: %d\n", right(x, 1, 32), right(y, 32, 33), z);
}

int main() {
  int k = 4;
  on_device = has_device();
  changed_between(3);
  printf("in templates: %g %g\n", in_template(Three{1, 2, 3}), in_template(Derived(4)));
  on_the_device(4);
  kinds(5);
  printf("many: %d, with a lambda: %d, after a task: %d\n", many(3), with_lambda([=](int i) { return i * k; }, 3), waits(6));
  pointers(7);
}
