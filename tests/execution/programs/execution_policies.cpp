// A layer of policies: bodies by value and reference, nests, teams, reductions by operator, views, tuples.
#include <cstdio>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <tuple>
#include <array>
#include <functional>
namespace pol { struct seq {}; struct omp_target {}; template <int T> struct omp_target_threads {}; }
struct RangeSegment { long b, e; RangeSegment(long b, long e) : b(b), e(e) {} long size() const { return e - b; } };
template <class P> struct is_device : std::false_type {};
template <> struct is_device<pol::omp_target> : std::true_type {};
template <int T> struct is_device<pol::omp_target_threads<T>> : std::true_type {};
template <class P> struct threads { static constexpr int value = 128; };
template <int T> struct threads<pol::omp_target_threads<T>> { static constexpr int value = T; };
// dispatch by policy with if constexpr
template <class Policy, class Seg, class Body> void forall(Seg const &seg, Body &&body) {
  if constexpr (is_device<Policy>::value) {
    long b = seg.b, n = seg.size();
    auto f = body;
#pragma omp target teams distribute parallel for thread_limit(threads<Policy>::value)
    for (long i = 0; i < n; ++i) f(b + i);
  } else {
    for (long i = seg.b; i < seg.e; ++i) body(i);
  }
}
// overloads
template <class Body> void forall_impl(pol::seq, long n, Body body) { for (long i = 0; i < n; ++i) body(i); }
template <class Body> void forall_impl(pol::omp_target, long n, Body body) {
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; ++i) body(i);
}
template <class P, class Body> void forall2(long n, Body &&b) { forall_impl(P{}, n, std::forward<Body>(b)); }
// layout/view
template <class T, int D> struct View {
  T *data; std::array<long, D> ext;
  template <class... I> T &operator()(I... i) const {
    long idx[] = {(long)i...}; long o = 0;
    for (int d = 0; d < D; d++) o = o * ext[d] + idx[d];
    return data[o];
  }
};
template <class T, class... E> View<T, sizeof...(E)> make_view(T *p, E... e) { return {p, {(long)e...}}; }
// nested kernel
template <class B> void kernel2(long n, long m, B body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) body(i, j);
}
template <class B> void teams2(long n, long m, B body) {
#pragma omp target teams distribute
  for (long i = 0; i < n; ++i) {
#pragma omp parallel for
    for (long j = 0; j < m; ++j) body(i, j);
  }
}
template <class Op, class T, class B> T reduce(long n, T init, B body) {
  T v = init;
  if constexpr (std::is_same_v<Op, std::plus<>>) {
#pragma omp target teams distribute parallel for reduction(+ : v)
    for (long i = 0; i < n; ++i) v += body(i);
  } else {
#pragma omp target teams distribute parallel for reduction(max : v)
    for (long i = 0; i < n; ++i) { T x = body(i); v = v < x ? x : v; }
  }
  return v;
}
template <class Tuple, class B, std::size_t... K> void each_of(Tuple t, B b, std::index_sequence<K...>) {
  int n = 1;
#pragma omp target map(tofrom : n)
  { ((n = b(n, std::get<K>(t))), ...); }
  printf("each %d\n", n);
}
int main() {
  const int N = 10, M = 4;
  double a[N], b[N * M];
  for (int i = 0; i < N; i++) a[i] = i;
  for (int i = 0; i < N * M; i++) b[i] = i;
  double *pa = a, *pb = b;
  double alpha = 2.5;
#pragma omp target data map(tofrom : a, b)
  {
    forall<pol::omp_target>(RangeSegment(0, N), [=](long i) { pa[i] *= alpha; });
    forall<pol::omp_target_threads<64>>(RangeSegment(2, N), [=](long i) { pa[i] += 1; });
    forall2<pol::omp_target>(N, [=](long i) { pa[i] += i; });
    double *db;
#pragma omp target data use_device_ptr(pb)
    db = pb;
    auto v = make_view(db, N, M);
    kernel2(N, M, [=](long i, long j) { v(i, j) += i * j; });
    teams2(N, M, [=](long i, long j) { v(i, j) += pa[i]; });
  }
  forall<pol::seq>(RangeSegment(0, 2), [&](long i) { a[i] += 100; });
  forall2<pol::seq>(2, [&](long i) { a[i] += 100; });
  for (int i = 0; i < N; i++) printf("%g ", a[i]);
  puts("");
  double s = 0; for (double x : b) s += x; printf("%g\n", s);
#pragma omp target data map(to : a)
  printf("%g %g\n", reduce<std::plus<>>(N, 0.0, [=](long i) { return pa[i]; }), reduce<void>(N, -1.0, [=](long i) { return pa[i] * (i % 3); }));
  each_of(std::make_tuple(1, 2.5, 'a'), [](int n, auto x) { return n * 2 + (int)x; }, std::make_index_sequence<3>{});
}
