// Classes whose methods name variables of the host, which kernels get as arguments: devices need only other methods.
#include <cstdio>

int limit = 1000;
static double table[3] = {1, 2, 3};

template <class T> struct base {
  T limit = 3;
};
template <class T> struct shapes : base<T> {
  T x = 3;
  T here() {
    T r;
#pragma omp target map(from : r)
    r = limit + x + table[1] + this->limit;
    return r;
  }
  T peek() const { return limit + table[2]; }
  template <class U> U with(U u) {
    U r;
#pragma omp target map(from : r)
    r = limit + x + u + next(u);
    return r;
  }
  static T next(T t) { return t + 1; }
  T sum(int n);
};
template <class T> T shapes<T>::sum(int n) {
  T s = 0;
  limit++;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x + limit;
  return s;
}

struct plain {
  int x = 4;
  int peek() const { return limit + table[2]; }
  int here() {
    int r;
#pragma omp target map(from : r)
    r = limit + x;
    return r;
  }
  template <class U> U with(U u) {
    U r;
#pragma omp target map(from : r)
    r = limit + x + u;
    return r;
  }
};

int main() {
  shapes<int> v;
  plain n;
  std::printf("%d %d %g\n", v.here(), v.peek(), v.with(2.5));
  const int sum = v.sum(3);
  std::printf("%d %d\n", sum, limit);
  std::printf("%d %d %d\n", n.here(), n.peek(), n.with(3));
}
