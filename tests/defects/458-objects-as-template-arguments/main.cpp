#include <cstdio>
struct Shape {
  int n, m;
  constexpr int size() const { return n * m; }
  constexpr bool operator==(const Shape &) const = default;
};
constexpr Shape common{2, 5};
template <int N> struct Name {
  char text[N];
  constexpr Name(const char (&t)[N]) { for (int i = 0; i < N; i++) text[i] = t[i]; }
};
template <class T, Shape S = Shape{3, 4}> struct Matrix {
  T v[S.size()];
  int sum() const {
    int s = 0;
#pragma omp target map(tofrom : s)
    for (int i = 0; i < S.size(); i++) s += int(v[i]) + S.m;
    return s;
  }
};
template <Name L> int length(int n) {
#pragma omp target map(tofrom : n)
  for (int i = 0; L.text[i]; i++) n++;
  return n;
}
template <auto F> void apply(int n, int *p) {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) p[i] = F(p[i]);
}
template <auto... F> struct Chain {
  template <class X> static constexpr X run(X x) { ((x = F(x)), ...); return x; }
  void go(int n, int *p) const {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i] = run(p[i]);
  }
};
constexpr auto twice = [](auto x) { return x * 2; };
template <class... R> int sizes(R... r) {
  constexpr int n = sizeof...(R);
  Matrix<int, Shape{n, 1}> given{{r...}};
  int s = 0;
#pragma omp target map(tofrom : s) map(to : given)
  for (int i = 0; i < n; i++) s += given.v[i] * (i + 1);
  return s;
}
int main() {
  int a[4] = {1, 2, 3, 4}, s = 0;
  apply<twice>(4, a);
  apply<[](int x) { return x * x; }>(4, a);
  Chain<[](int x) { return x + 1; }, twice>{}.go(4, a);
  std::printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
  Matrix<int> m{};
  Matrix<int, common> c{{1, 2, 3}};
#pragma omp target map(to : c) map(tofrom : s)
  for (int x : c.v) s += x + 1;
  std::printf("%d %d %d %d %d\n", m.sum(), c.sum(), s, length<"a,>(b">(1), sizes(3, 4, 5));
}
