// Constructors and destructors that call function templates with regions: devices have the classes, and no such function.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
template <class T = int>
T *alloc(int n, T v = 4) {
  T *p = static_cast<T *>(std::malloc(n * sizeof(T)));
#pragma omp target teams distribute parallel for map(from : p[0:n])
  for (int i = 0; i < n; i++) p[i] = v;
  return p;
}
template <class T>
void release(T *p) {
#pragma omp target exit data map(delete : p[0:1])
  std::free(p);
}
class Vec {
 public:
  auto max() const -> std::optional<float> {
    float m = p[0];
    float *q = p;
    try {
#pragma omp target teams distribute parallel for map(to : q[0:n]) reduction(max : m)
      for (int i = 0; i < n; i++) m = m < q[i] ? q[i] : m;
      if (m > 1e6) throw std::out_of_range("big");
    } catch (const std::out_of_range &) {
      return std::nullopt;
    }
    return m;
  }
  Vec(int m) : n(m), p(alloc<float>(m)) {
  }
  Vec(int m, int) : n(m) {
    p = alloc<float>(m);
  }
  ~Vec() { release(p); }
  float sum(int k) const {
    float s = 0;
    const float *q = p;
#pragma omp target map(to : q[0:n]) map(tofrom : s)
    for (int i = 0; i < this->n; i += k) s += q[i];
    return s;
  }
  int n;
  float *p;
};
template <class T>
struct Box {
  explicit Box(int m) : n(m), p(alloc<T>(m)) {}
  operator T *() const { return alloc<T>(n); }
  friend T *doubled(const Box &b) { return alloc<T>(2 * b.n); }
  Box(int m, T v);
  ~Box() { release(p); }
  T sum() const {
    T s = 0;
    const T *q = p;
#pragma omp target map(to : q[0:n]) map(tofrom : s)
    for (int i = 0; i < n; i++) s += q[i];
    return s;
  }
  int n;
  T *p;
};
template <class T>
Box<T>::Box(int m, T v) : n(m), p(alloc(m, v)) {}
int main() {
  int *k = alloc(5);
  Vec v(5), w(3, 3);
  Box<double> b(2);
  Box<short> c(4, (short)3);
  printf("%f\n", *v.max());
  double *d = b;
  short *e = doubled(c);
  printf("%f %d\n", d[1], e[7]);
  printf("%d %f %f %f %d\n", k[2], v.sum(1), w.sum(2), b.sum(), c.sum());
}
