// Templates without instantiations: data constructs in them have list items whose types nothing tells.
#include <cstdio>
template <class T> T *no(T v) { // no instantiation
  T a = v;
  typename T::pointer q = v.get();
  auto r = v.get();
  auto &s = v;
  const auto *const *t = v.two();
#pragma omp target data map(to: q[0:3]) map(tofrom: r[0:2])
  { a = v; }
#pragma omp target data map(to: s.p[0:3], a.x, v)
  {
#pragma omp target update from(t[0][0:4])
#pragma omp target data use_device_ptr(r)
    a.f(r);
  }
#pragma omp target enter data map(to: a.p->q[0:4], s[0:3])
  if (a.x) {
#pragma omp target exit data map(delete: r[0:2])
  }
  return r;
}
template <template <class> class> struct U {
  int n;
  static void f(void *p) {
    auto q = static_cast<int *>(p);
    const auto r = q;
#pragma omp target enter data map(to : q[0 : 3], r[0 : 3])
#pragma omp target data use_device_ptr(q)
    { f(q); }
  }
};
int main() {
  int sum = 0, v[3] = {1, 2, 3}, *p = v;
#pragma omp target teams distribute parallel for map(to : p[0 : 3]) reduction(+ : sum)
  for (int i = 0; i < 3; i++) sum += p[i];
  std::printf("%d\n", sum);
}
