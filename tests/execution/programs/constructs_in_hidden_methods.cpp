/* Constructs in classes of functions, which regions reach without naming the method, or from elsewhere, and in the
   initialisers of members that constructors leave out. */
#include <cstdio>
#define ALL _Pragma("omp target parallel num_threads(8) map(tofrom : r)")
struct Initialised {
  int *r;
  int v = [](int *q) {
#pragma omp single
    q[5] += 1;
    return 1;
  }(r);
  Initialised(int *p) : r(p) {}
};
template <class T> static void g(T *r) {
  struct M {
    T *r;
    T v = [](T *q) {
#pragma omp single
      q[4] += 1;
      return 1; }(r);
    M(T *p) : r(p) {}
  };
#pragma omp target parallel num_threads(8) map(tofrom : r[0:9])
{ M m(r); }
}
#pragma omp declare target
static void called(int *r) {
  struct Q { void add(int *r) {
#pragma omp single
    r[6] += 1;
  } } q;
  q.add(r);
}
#pragma omp end declare target
struct Outer {
  void run(int (&r)[9]) {
    struct In { int k; void add(int *r) {
#pragma omp single
      r[7] += k; } };
    In in{3};
ALL { in.add(r); In{2}.add(r); }
  }
};
int main() {
  struct Base { Base(int *r) {
#pragma omp single
    r[0] += 1; } };
  struct L : Base {
    using Base::Base;
    int *q;
  };
  struct D { int *r; ~D() {
#pragma omp single
    r[1] += 1; } };
  struct V { virtual void go(int *r) = 0; };
  struct W : V { void go(int *r) override {
#pragma omp single
    r[2] += 1; } };
  struct I { int *r; int v = [](int *q) {
#pragma omp single
    q[3] += 1;
    return 1; }(r); I(int *p) : r(p) {} };
  int r[9] = {0};
  ALL { L l(r); }
  ALL { D d{r}; }
  ALL { W w; V &v = w; v.go(r); }
  ALL { I i(r); }
  ALL { Initialised i(r); }
  g(r + 0);
  ALL { called(r); }
  Outer o; o.run(r);
  auto lam = [&] {
    struct K { void add(int *r) {
#pragma omp single
      r[8] += 1; } };
    K k;
    ALL { k.add(r); K().add(r); }
  };
  lam();
  for (int k = 0; k < 9; k++) std::printf("%d ", r[k]);
  std::printf("\n");
}
