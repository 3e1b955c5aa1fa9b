#include <cstdio>
struct T { int a; };
template <class A, class B> int pick(A a, B b) { if constexpr (__is_same(A, B) && __is_integral(A)) return a; else return b + 1; }
template <class A> struct Conv { __remove_cvref(A) v; };
enum E { X };
enum class F { Y };
int main() {
  int s = 0;
#pragma omp target map(tofrom: s)
  {
    s += pick(1, 2) + pick(1, 2.0) + __is_trivially_copyable(T) + __is_enum(E) + __is_class(T) + __is_empty(T);
    s = 2 * s + __is_integral(int); s = 2 * s + __is_floating_point(float); s = 2 * s + __is_pointer(int *); s = 2 * s + __is_const(const int);
    s = 2 * s + __is_arithmetic(int); s = 2 * s + __is_signed(int) + __is_unsigned(unsigned) + __is_array(int[3]) + __is_reference(int &);
    s = 2 * s + __is_scalar(int); s = 2 * s + __is_void(void) + __is_scoped_enum(E) + 4 * __is_scoped_enum(F) + __is_convertible(E, int) + __is_bounded_array(int[]) + __is_referenceable(void);
    __remove_cv(const unsigned) u = -1; s += u > 0; __decay(const int &) w = 3; s += w;
  }
  printf("%d\n", s);
}
