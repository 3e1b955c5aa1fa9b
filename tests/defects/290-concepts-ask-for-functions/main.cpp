#include <algorithm>
#include <cstdio>
template <class T> concept Helped = requires(T t) { helper(t); };
template <class T> concept Ordered = requires(T a) {
  a + a;
  a <= a;
};
namespace n {
struct A {};
int helper(A) { return 1; }
A operator+(A a, A) { return a; }
bool operator<=(const A &, const A &);
struct B {};
} // namespace n
template <class T> int weight(T) { return Ordered<T> ? 8 : 16; }
template <Helped T> int weight(T) { return Ordered<T> ? 1 : 2; }
template <class T> int branch(T) {
  if constexpr (Ordered<T> && Helped<T>) return 4;
  return 32;
}
namespace found {
struct Counted {
  int v;
};
void swap(Counted &a, Counted &b) { // what moving alone would not do
  int v = a.v;
  a.v = b.v + 100, b.v = v + 100;
}
} // namespace found
int main() {
  int r = 0;
#pragma omp target map(tofrom : r)
  {
    r = weight(n::A()) + branch(n::A()) + (Helped<n::B> ? 64 : 2);
    r += weight(n::B()) / 2;
    found::Counted a[3] = {{1}, {2}, {3}};
    std::swap_ranges(a, a + 1, a + 1);
    std::pair<found::Counted, int> one{{3}, 1}, two{{4}, 2};
    one.swap(two);
    r += a[0].v + one.first.v;
  }
  printf("%d\n", r);
}
