// Device addresses of references, members of this, static members and names of namespaces.
#include <stdio.h>

namespace store {
int cells[6] = {1, 2, 3, 4, 5, 6};
int *window = cells;
} // namespace store

template <typename T> struct Vector {
  T *p;
  T own[4];
  T scale;
  int n;

  void fill(T *storage, int length) {
    p = storage;
    n = length;
    scale = 2;
    for (int i = 0; i < 4; i++) own[i] = i;
    for (int i = 0; i < n; i++) p[i] = i;
  }

  void twice() {
    const int length = n;
#pragma omp target data map(tofrom : p[0 : length]) use_device_ptr(p)
    {
#pragma omp target is_device_ptr(p)
      for (int i = 0; i < length; i++) p[i] *= 2;
#pragma omp target teams distribute parallel for is_device_ptr(this->p)
      for (int i = 0; i < length; i++) this->p[i] += 1;
    }
  }

  void shifted() {
    const int length = n;
#pragma omp target data map(tofrom : this->p[2 : 3], own[1 : 3]) use_device_ptr(this->p) use_device_addr(own)
    {
      T *const q = p;
#pragma omp target is_device_ptr(q) has_device_addr(own)
      for (int i = 2; i < 5; i++) q[i] += own[3];
#pragma omp target has_device_addr(this->own[1 : 2])
      own[1] = length;
    }
  }

  void whole() {
#pragma omp target data map(tofrom : scale) use_device_addr(scale)
    {
#pragma omp target has_device_addr(scale)
      scale += 3;
    }
  }

  T sum() const {
    T r = scale;
    for (int i = 0; i < n; i++) r += p[i];
    for (T x : own) r += x;
    return r;
  }
};

struct Counter {
  static int count;
  static int *where;
  static int next() {
#pragma omp target data map(tofrom : count, where[1 : 1]) use_device_addr(Counter::count) use_device_ptr(where)
    {
      int *const q = Counter::where;
#pragma omp target has_device_addr(count) is_device_ptr(q)
      count += q[1];
    }
    return count;
  }
};
int Counter::count = 4;
int *Counter::where = store::cells;

static int references(int (&array)[5], int &value, int *&pointer) {
  int *const before = pointer;
  int same = 0;
#pragma omp target data map(tofrom : array, value, pointer[0 : 3]) use_device_addr(array, value) use_device_ptr(pointer)
  {
#pragma omp target has_device_addr(array, value) is_device_ptr(pointer)
    {
      array[1] += value;
      value = 7;
      pointer[2] = array[1];
    }
  }
#pragma omp target data map(to : value) use_device_ptr(pointer) use_device_addr(array[1 : 2])
  same = pointer == before;
  return same + (pointer == before);
}

static void names() {
#pragma omp target data map(tofrom : store::cells) use_device_addr(store::cells)
#pragma omp target has_device_addr(store::cells)
  store::cells[2] = 30;
#pragma omp target data map(tofrom : store::window[1 : 4]) use_device_ptr(store::window)
  {
    int *const q = store::window;
#pragma omp target is_device_ptr(q)
    q[4] += 50;
  }
}

void unnamed_types() {
  struct { int k; double d[3]; } one = {1, {1, 2, 3}}, *to = &one;
  enum { FIRST, SECOND } which = FIRST;
  auto next = [](int k) { return k + 1; };
#pragma omp target data map(tofrom : one, which, next) use_device_addr(one, which, next)
#pragma omp target has_device_addr(one, which, next)
  one.k = next(8), which = SECOND;
#pragma omp target data map(tofrom : to[0 : 1]) use_device_ptr(to)
#pragma omp target is_device_ptr(to)
  to->k++;
  printf("unnamed_types: %d %d\n", one.k, which);
}

int main() {
  unnamed_types();
  double storage[8];
  int integers[8], array[5] = {1, 2, 3, 4, 5}, value = 10, more[3] = {0, 0, 0}, *pointer = more;
  Vector<double> v;
  Vector<int> w;
  v.fill(storage, 8), w.fill(integers, 6);
  v.twice(), w.twice();
  printf("%g %d\n", v.sum(), w.sum());
  v.shifted(), w.shifted();
  printf("%g %d\n", v.sum(), w.sum());
  v.whole(), w.whole(), Counter::next(), Counter::next();
  printf("%g %d %d\n", v.sum(), w.sum(), Counter::count);
  const int same = references(array, value, pointer);
  printf("%d %d %d %d\n", same, array[1], value, more[2]);
  names();
  printf("%d %d\n", store::cells[2], store::cells[4]);
  return 0;
}
