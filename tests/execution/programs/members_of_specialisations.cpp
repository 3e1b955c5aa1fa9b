// Templates that are members of a specialisation of their class, defined outside of it.
#include <cstdio>
namespace lib {
enum class order { rows, columns };
template <order O> struct steps {
  template <class T> static T next(T t);
  template <class T, class U> T both(T t, const U &u) const;
};
template <order O> template <class T> T steps<O>::next(T t) { return t + 1; }
template <> template <class T> T steps<order::rows>::next(T t) { return t + 2; }
template < >
/* of rows */
template <class T, class U> inline T steps<order::rows>::both(T t, const U &u) const { return next(t) + u; }
template <order O> template <class T, class U> T steps<O>::both(T t, const U &u) const { return next(t) - u; }
template <bool B> class assigner { public: template <class A> static void run(A &a, const A & /*b*/) { a += 1; } };
template <> template <class A> inline void assigner<false>::run(A & /*a*/, const A & /*b*/) {}
template <> template <> inline void assigner<true>::run(int &a, const int &b) { a += b; }
}
int main() {
  int t = 0; double d = 0;
#pragma omp target teams distribute parallel for reduction(+ : t, d)
  for (int i = 0; i < 100; i++) {
    int a = lib::steps<lib::order::rows>::next(i) + lib::steps<lib::order::columns>().both(i, 2);
    lib::assigner<false>::run(a, i);
    lib::assigner<true>::run(a, i);
    double e = lib::steps<lib::order::rows>().both(1.5, i);
    lib::assigner<true>::run(e, 1.0);
    t += a;
    d += e;
  }
  std::printf("%d %g\n", t, d);
}
