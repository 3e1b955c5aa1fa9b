// Explicit instantiations instantiate all members, those of classes inside too, also where a macro writes them.
#include <cstdio>
template <typename T> struct Base { virtual T value(T x) = 0; virtual ~Base() {} };
template <typename T> class All : public Base<T> {
 public:
  All();
  All(const All &other, int times);
  explicit All(T x);
  ~All();
  All &operator=(const All &other);
  operator T *();
  T operator()(T x) const;
  T operator()(T x, T y) const;
  T value(T x) override;
  T overloaded(int) { T r = 0;
#pragma omp target map(tofrom: r)
    r = sum + 1;
    return r; }
  T overloaded(int, int);
  template <typename U> U other(U x);
  static T shared(T x);
  struct Inner { T n; Inner(T x); T twice(); struct Deep { T thrice(T x); }; };
  T sum;
  static T made;
 private:
  T hidden(T x);
 public:
  T shown(T x) { return hidden(x); }
};
#define REGION(r, e) T r = 0; _Pragma("omp target map(tofrom: r)") r = e;
template <typename T> All<T>::All() { REGION(r, 1) sum = r; }
template <typename T> All<T>::All(const All &other, int times) { T from = other.sum; REGION(r, from * times) sum = r; }
template <typename T> All<T>::All(T x) { REGION(r, x) sum = r; }
template <typename T> All<T>::~All() { T s = sum; REGION(r, s) std::printf("gone %g\n", double(r)); }
template <typename T> All<T> &All<T>::operator=(const All &other) { T from = other.sum; REGION(r, from) sum = r; return *this; }
template <typename T> All<T>::operator T *() { REGION(r, 7) sum = r; return &sum; }
template <typename T> T All<T>::operator()(T x) const { REGION(r, x + 1) return r; }
template <typename T> T All<T>::operator()(T x, T y) const { REGION(r, x + y) return r; }
template <typename T> T All<T>::value(T x) { REGION(r, x * 3) return r; }
template <typename T> T All<T>::overloaded(int, int) { REGION(r, 5) return r; }
template <typename T> template <typename U> U All<T>::other(U x) { U r = 0;
#pragma omp target map(tofrom: r)
  r = x + x;
  return r; }
template <typename T> T All<T>::shared(T x) { REGION(r, x - 1) return r; }
template <typename T> All<T>::Inner::Inner(T x) { REGION(r, x * x) n = r; }
template <typename T> T All<T>::Inner::twice() { T m = n; REGION(r, m + m) return r; }
template <typename T> T All<T>::Inner::Deep::thrice(T x) { REGION(r, 3 * x) return r; }
template <typename T> T All<T>::hidden(T x) { REGION(r, x / 2) return r; }
template <typename T> T first(T x) { REGION(r, x + 2) return r; }
template <typename T> T All<T>::made = first(T(1));
namespace shapes {
template <typename T> union Either { T x; int y; T get(); };
template <typename T> T Either<T>::get() { T v = x; REGION(r, v) return r; }
namespace inner { template <typename T> struct Plain { T get(T x) { REGION(r, x + 10) return r; } }; }
template struct inner::Plain<double>;
template union Either<double>;
}
namespace declared {
template <typename T> struct Scaled : Base<T> { T by; Scaled(T x); ~Scaled(); T value(T x) override; static const int more = 3; };
extern template struct Scaled<double>;
template <typename T> Scaled<T>::Scaled(T x) { by = x; }
template <typename T> Scaled<T>::~Scaled() { T b = by; REGION(r, b) std::printf("scaled by %g\n", double(r)); }
template <typename T> T Scaled<T>::value(T x) { REGION(r, x * by + Scaled<double>::more) return r; }
template struct Scaled<double>;
}
template class All<double>;
template double All<float>::other<double>(double);
template struct All<float>::Inner;
template struct All<int>::Inner::Deep;
template <typename T> auto early(T x) { REGION(r, x + 100) return r; }
inline namespace version { namespace users {
struct User { int get() { return early(1); } };
template <typename T> struct Third { T get(T x) { return early(x); } };
} }
#define INSTANCE(T) template class All<T>;
INSTANCE(long)
int main() {
  All<double> a, b(a, 3), c(2.5);
  b = c; double *p = c; std::printf("%g %g %g\n", a.sum, b.sum, *p);
  std::printf("%g %g %g %g %g\n", a(1), a(1, 2), a.value(3), a.overloaded(1), a.overloaded(1, 2));
  std::printf("%g %d %g\n", a.other(1.5), a.other(3), All<double>::shared(3));
  All<double>::Inner in(3); All<double>::Inner::Deep deep;
  std::printf("%g %g %g %g\n", in.n, in.twice(), deep.thrice(2), a.shown(3));
  std::printf("%g\n", All<double>::made);
  shapes::Either<double> e; e.x = 4; shapes::inner::Plain<double> plain;
  std::printf("%g %g\n", e.get(), plain.get(1));
  All<float>::Inner fi(2); All<int>::Inner::Deep di;
  std::printf("%g %d\n", double(fi.twice()), di.thrice(4));
  users::User u; users::Third<double> t; std::printf("%d %g\n", u.get(), t.get(.5));
  declared::Scaled<double> scaled(2); std::printf("%g\n", scaled.value(3));
  All<long> l(9); std::printf("%ld %ld\n", l.sum, All<long>::made);
  return 0;
}
