// Regions in conversion functions that are templates, whose parameters only the type that they convert to tells.
#include <cstdio>
#include <memory>
#include <type_traits>
#include <vector>
template <class T, class A = std::allocator<T>> struct Field {
  std::vector<T, A> v;
  explicit Field(int n, T x = T{}) : v(n, x) {}
  template <class U> explicit operator Field<U>() const {
    Field<U> r(int(v.size()));
    U *q = r.v.data();
    const T *p = v.data();
    const int n = int(v.size());
#pragma omp target teams distribute parallel for map(to : p[0 : n]) map(from : q[0 : n])
    for (int i = 0; i < n; i++) q[i] = static_cast<U>(p[i]) / 2;
    return r;
  }
  template <class U> operator U() const {
    U s{};
    const T *p = v.data();
    const int n = int(v.size());
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; i++) s += U(p[i]);
    return s;
  }
  template <class U, class B> explicit operator std::pair<const U *, B>() const {
    static U first;
    B n = 0;
    U f = 0;
    const T *p = v.data();
#pragma omp target map(to : p[0 : 1]) map(tofrom : f, n)
    {
      f = U(p[0]) / U(2);
      n = B(p[0]) / B(4);
    }
    first = f;
    return {&first, n};
  }
};
struct Sizes {
  template <class U> operator U() const {
    int s = 0;
#pragma omp target map(tofrom : s)
    s += sizeof(U) + sizeof(*static_cast<U>(nullptr));
    static int kept;
    kept = s;
    return reinterpret_cast<U>(&kept);
  }
};
struct Constants {
  template <class U> operator U *() const {
    int s = 0;
#pragma omp target map(tofrom : s)
    s += int(sizeof(U)) + (std::is_const<U>::value ? 100 : 0);
    static int kept;
    kept = s;
    return (U *)&kept;
  }
  template <class U> explicit operator const U &() const {
    int s = 0;
#pragma omp target map(tofrom : s)
    s += int(sizeof(U)) + (std::is_const<U>::value ? 100 : 200);
    static int kept;
    kept = s;
    return (const U &)kept;
  }
};
int main() {
  Field<double> a(10, 1.5);
  auto f = static_cast<Field<float>>(a);
  auto i = static_cast<Field<int>>(a);
  const long s = a;
  const double d = a;
  auto [p, n] = static_cast<std::pair<const int *, float>>(a);
  printf("%g %d %ld %g %d %g\n", f.v[3], i.v[2], s, d, *p, n);
  int *plain = Sizes();
  printf("%d", *plain);
  const float *constant = Sizes();
  printf(" %d", *(const int *)constant);
  long *long_plain = Constants();
  printf(" %d", *(int *)long_plain);
  const short *short_constant = Constants();
  printf(" %d", *(const int *)short_constant);
  int *const *const deep = Constants();
  printf(" %d", *(const int *)deep);
  int *const &bound = static_cast<int *const &>(Constants());
  printf(" %d\n", (int)(long)bound & 0xff);
}
