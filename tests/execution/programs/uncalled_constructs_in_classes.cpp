/* Methods with constructs that only the host executes, in classes whose objects kernels have. */
#include <cstdio>
struct Part { 
  int n = 0;
  Part() {
#pragma omp single
    n += 1;
  }
  Part(const Part &o) : n(o.n) {
#pragma omp critical
    n += 1;
  }
  template <class T> explicit Part(T v) : n{int(v)} {
#pragma omp masked
    n += 1;
  }
  ~Part() {
#pragma omp barrier
  }
  Part &operator=(const Part &o) {
#pragma omp single
    n = o.n;
    return *this;
  }
  auto deduced() {
#pragma omp single
    n += 1;
    return n;
  }
  friend void swap(Part &a, Part &b) {
#pragma omp single
    { int t = a.n; a.n = b.n; b.n = t; }
  }
  operator int() const {
#pragma omp single
    { }
    return n;
  }
  void ext();
  template <class T> void tm(T) {
    int i = 0;
#pragma omp parallel for private(i)
    for (int k = 0; k < n; k++) { i = k; }
  }
  struct Inner { int m; void f() {
#pragma omp single
    m++; } };
  Inner in;
};
inline void Part::ext() {
#pragma omp single
    n += 1;
}
template <class T> struct B { virtual void run() {} };
template <class T> struct D : B<T> { T m = 3; void run() {
#pragma omp single
   m++; } };
template struct D<int>;
template <class T> struct E2 { T m = 3; void run() {
#pragma omp single
   m++; } };
template struct E2<int>;
int main() {
  struct Local { int k; void f() {
#pragma omp single
    k++; } };
  Part p, q(2.0); D<int> d; E2<int> e; Local l{2};
  p = q; swap(p, q); p.tm(2); p.deduced(); p.ext(); int c = p; d.run(); e.run(); l.f(); p.in.m = 0; p.in.f();
  int s = 0;
#pragma omp target map(to : p, d, e, l) map(tofrom : s)
  s += p.n + d.m + e.m + sizeof(p.deduced()) + l.k + p.in.m;
  printf("%d %d\n", s, c);
}
