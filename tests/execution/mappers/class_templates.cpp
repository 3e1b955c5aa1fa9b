// Mappers in class templates: of member classes and of parameters, with an instance of the mapper for each of the class.
#include "checks.h"

struct Plain {
  int n;
  int *p;
};

template <class T> class Vec {
  struct Item {
    T *p;
    int n;
  };
  Item it;
#pragma omp declare mapper(Item v) map(v, v.p[0:v.n])
public:
  Vec(T *p, int n) : it{p, n} {}
  T last();
  void fill(T value) {
#pragma omp target map(tofrom : it)
    for (int i = 0; i < it.n; i++) it.p[i] = value;
    CHECK(!here(it.p) && !here(&it));
  }
};

template <class T> T Vec<T>::last() {
  Item local = it;
#pragma omp target data map(tofrom : local)
  {
    CHECK(here(local.p) && here(local.p + local.n - 1) && here(&local));
#pragma omp target
    for (int i = 0; i < local.n; i++) local.p[i] *= 2;
  }
  CHECK(!here(local.p));
  return local.p[local.n - 1];
}

template <class C> struct Keeper {
#pragma omp declare mapper(some : C c) map(c.n, c.p) map(c.p[0:c.n])
  static int sum(C c) {
    int found = 0;
#pragma omp target map(tofrom : found) map(mapper(some), to : c)
    for (int i = 0; i < c.n; i++) found += c.p[i];
    CHECK(!here(c.p));
    return found;
  }
};

template <class T> struct Unused {
  struct Item {
    T *p;
  };
#pragma omp declare mapper(Item v) map(v, v.p[0:2])
};

int main() {
  double d[4] = {1, 2, 3, 4};
  int a[3] = {5, 6, 7};
  CHECK(Vec<double>(d, 4).last() == 8 && d[0] == 2);
  CHECK(Vec<int>(a, 3).last() == 14);
  Vec<int>(a, 2).fill(9);
  CHECK(a[0] == 9 && a[2] == 14);
  CHECK(Keeper<Plain>::sum(Plain{3, a}) == 32);
  Unused<int> unused;
  (void)unused;
  printf("failures: %d\n", failures);
  return failures != 0;
}
