// Parameter packs.
#include <cstdio>
#include <type_traits>
template <class... T> int widths(int n) {
  int s = 0;
#pragma omp target map(tofrom : s)
  for (int i = 0; i < n; i++) s += (int)(sizeof(T) + ... + 0) + (int)sizeof...(T);
  return s;
}
#pragma omp declare target
inline int add(int a) { return a; }
template <class... R> int add(int a, R... r) { return a + add(r...); }
template <class... R> auto sum(R... r) { return (r + ... + 0); }
#pragma omp end declare target
template <int... V> int values(int n) {
  int s = 0;
#pragma omp target map(tofrom : s)
  {
    int t[] = {V..., 0};
    for (int i = 0; i < n && i < (int)sizeof...(V); i++) s += t[i];
    s += (V * ... * 1);
  }
  return s;
}
template <class... T> struct Many {
  int v;
  int get(int n) {
    int s = 0;
#pragma omp target map(tofrom : s)
    s += v * n;
    return s;
  }
  template <class U, class... W> int with(U u, W...) {
    int s = 0;
#pragma omp target map(tofrom : s)
    s += (int)u + sizeof...(T) + sizeof...(W);
    return s;
  }
};
template <class T, T... V> T typed() {
  T s = 0;
#pragma omp target map(tofrom : s)
  s = (V + ... + T(sizeof...(V)));
  return s;
}
template <class... A> struct Outer {
  template <class... B> static int both() {
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < 4; i++) s += (int)(((sizeof(A) * 10) + ...) + (sizeof(B) + ...)) + i;
    return s;
  }
};
template <class...> struct Task;
template <class T, class... R> struct Task<T, R...> {
  static int run(int n) {
    int s = 0;
#pragma omp target parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += (int)sizeof(T) * 100 + (int)(sizeof(R) + ... + 0);
    return s;
  }
};
template <int (*... F)(int)> int chain(int v) {
  int r = v;
#pragma omp target map(tofrom : r)
  ((r = F(r)), ...);
  return r;
}
template <template <class> class... C> int templates() {
  int r = 0;
#pragma omp target map(tofrom : r)
  r = (int)(sizeof(C<char>) + ...);
  return r;
}
int plus(int v) { return v + 3; }
int times(int v) { return v * 3; }
struct Wide { double d[5]; };
template <class T> struct Three { T v[3]; };
template <class T> struct Two { T v[2]; };
template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type> T unnamed(T v) {
#pragma omp target map(tofrom : v)
  v += 1;
  return v;
}
namespace { template <class... T> struct Local {
  int v[sizeof...(T) + 1];
  int last() {
    int r;
#pragma omp target map(from : r)
    r = v[sizeof...(T)];
    return r;
  }
}; }
template int widths<short>(int);

int outside() {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = add(1, 2, 3) + sum(1, 2, 3, 4);
  return s;
}
template <class... T> struct Count {
  int n = sizeof...(T);
};
template <template <class...> class Holder, class... T> int aliased(int n) {
  using Counted = Holder<T...>;
  using Both = Count<Counted, T...>;
  Counted mapped;
  int s = 0;
#pragma omp target map(tofrom : s) map(to : mapped)
  {
    Both both;
    Counted inside;
    s += both.n * 10 + inside.n + mapped.n + n;
  }
  return s;
}
int main() {
  printf("%d %d\n", widths<int, char, double>(3), widths<>(3));
  printf("%d %d\n", values<4, 5, 6>(3), values<>(3));
  Many<int, float> m{3};
  Many<> e{4};
  printf("%d %d %d %d\n", m.get(2), e.get(5), m.with(2.5), e.with(1, 2, 'c'));
  printf("%d\n", outside());
  printf("%ld %d\n", typed<long, 4, 5>(), typed<int>());
  printf("%d %d\n", Outer<char, int>::both<double>(), Outer<Wide>::both<Wide, short>());
  printf("%d %d\n", Task<int, char, Wide>::run(3), Task<Wide>::run(2));
  printf("%d %d\n", chain<plus, times>(4), chain<times, plus, plus>(4));
  printf("%d %d\n", templates<Three, Two>(), widths<Wide, short>(1));
  printf("%d %ld\n", unnamed(3), unnamed(4L));
  printf("%d %d\n", aliased<Count, int, char>(2), aliased<Count>(3));
  Local<int, Wide> l{{1, 2, 3}};
  printf("%d\n", l.last());
}
