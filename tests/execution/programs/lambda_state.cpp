// Lambdas that change what they captured by value, handed to templates with regions; lambdas in lambdas.
#include <cstdio>
template <class F> long private_to_threads(int n, F f) {
  long r = 0;
#pragma omp target teams distribute parallel for firstprivate(f) reduction(+ : r) num_teams(2)
  for (int i = 0; i < n; i++) r += f(i) > 0;
  return r;
}
template <class F> long copied(int n, F f) {
  long r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < n; i++) {
    F own = f;
    own(i);
    r += own(i);
  }
  return r;
}
template <class F> long around_parallel(int n, F f) {
  long r = 0;
#pragma omp target map(tofrom : r)
  {
    f(1);
#pragma omp parallel for firstprivate(f) reduction(+ : r)
    for (int i = 0; i < n; i++) {
      F own = f;
      r += own(i);
    }
    r += f(2);
  }
  return r;
}
template <class F> long in_sequence(int n, F f) {
  long r = 0;
#pragma omp target map(tofrom : r)
  for (int i = 0; i < n; i++) r += f(i);
  return r;
}
template <class F> void each(int n, F &&f) {
#pragma omp target teams distribute parallel for firstprivate(f)
  for (int i = 0; i < n; i++) f(i);
}
template <class F> void on_host(int n, F f) {
  for (int i = 0; i < n; i++) f(i);
}
struct generator {
  unsigned s;
  unsigned next() { return s = s * 1103515245u + 12345u; }
};
struct factors {
  int by, more;
};
int main() {
  int k = 10, a[8] = {0}, *p = a, steps[3] = {1, 2, 3};
  double d[4] = {0};
  generator made{7};
  factors f{2, 3};
  printf("%ld\n", private_to_threads(9, [k](int i) mutable { return k += i; }));
  printf("%ld\n", copied(9, [k, m = 2](int i) mutable -> int { k += i; m *= 2; return k + m; }));
  printf("%ld\n", around_parallel(9, [k](int i) mutable { return k += i; }));
  printf("%ld\n", in_sequence(9, [k, steps](int i) mutable { steps[i % 3] += i; return k += steps[(i + 1) % 3]; }));
  printf("%ld\n", in_sequence(9, [made](int) mutable { return made.next() % 100; }));
  printf("%ld\n", in_sequence(9, [made](auto i) mutable { made.s += i; return made.next() % 100; }));
  printf("%ld\n", in_sequence(4, [d, k](int i) mutable -> long { d[i] = k++; return (long)(d[i] + d[0]); }));
  auto kept = [k](int i) mutable { return k += i; };
  printf("%ld %d\n", in_sequence(3, kept), kept(0));
#pragma omp target enter data map(to : p[0 : 8])
  each(8, [=](int i) mutable { int *q = p; p += i; *p = k; p = q; });
  on_host(3, [=](int s) {
#pragma omp target data map(to : f, k, s)
    each(8, [&, p](int i) { p[i] += f.by * i + k + s; });
  });
  on_host(2, [f, k, p](int s) mutable {
    k++, f.more++;
    each(8, [=](int i) { p[i] += s * i + k * f.more; });
  });
  on_host(2, [=](auto s) { each(8, [=](int i) { p[i] += s * i + k; }); });
#pragma omp target exit data map(from : p[0 : 8])
  for (int i : a) printf("%d ", i);
  printf("\n");
}
