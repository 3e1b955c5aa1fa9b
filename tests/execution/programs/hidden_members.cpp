// SPDX-License-Identifier: Apache-2.0
// Members of base classes that others hide: clauses name them with their class.
#include <cstdio>

struct Base {
  int x = 3;
  int *p;
};

template <class T> struct Other {
  T y = 5;
};

struct Derived : Base, Other<int> {
  int x = 4, y = 6;
  int *p;

  int mapped() {
    int seen = 0;
#pragma omp target map(from : seen) map(tofrom : Base::x, Other<int>::y)
    {
      Base::x += 5;
      this->Other<int>::y += 1;
      seen = Derived::Base::x * 10 + Other<int>::y;
    }
    return seen * 1000 + Base::x * 10 + x;
  }
  int pointed() {
    int seen = 0;
#pragma omp target map(from : seen) map(tofrom : Base::p[0 : 1], this->x)
    {
      this->Base::p[0] += 5;
      x += 2;
      seen = Base::p[0] * 10 + x;
    }
    return seen * 100 + p[0];
  }
  int reduced() {
#pragma omp target parallel for reduction(+ : Base::x)
    for (int i = 0; i < 8; i++) Base::x += 3;
    return Base::x * 100 + x;
  }
  int copied() {
    int seen[8];
#pragma omp target parallel for map(from : seen) firstprivate(Base::x)
    for (int i = 0; i < 8; i++) seen[i] = Base::x + i;
    return seen[4] * 10000 + Base::x * 100 + x;
  }
  int entered() {
#pragma omp target enter data map(to : Base::x)
#pragma omp target map(alloc : Base::x)
    Base::x += 7;
#pragma omp target update from(Base::x)
#pragma omp target exit data map(delete : Base::x)
    return Base::x * 100 + x;
  }
};

int main() {
  int values[2] = {30, 40};
  Derived d;
  d.Base::p = values;
  d.p = values + 1;
  std::printf("%d ", d.mapped());
  std::printf("%d ", d.pointed());
  std::printf("%d ", d.reduced());
  std::printf("%d ", d.copied());
  std::printf("%d\n", d.entered());
#pragma omp target map(tofrom : d.Base::x, d.Other<int>::y)
  {
    d.Base::x += 1;
    d.Other<int>::y += 1;
  }
  std::printf("%d %d %d %d\n", d.x, d.Base::x, d.y, d.Other<int>::y);
  return 0;
}
