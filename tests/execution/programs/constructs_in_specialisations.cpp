/* Constructs in specialisations of templates that the user has written: kernels have those of the specialisation. */
#include <cstdio>

template <int N> void add(int *, int) {}
template <> void add<7>(int *r, int k) {
#pragma omp for
  for (int j = 0; j < 8; j++)
    if (j == k) r[0] += 1;
}

template <class T> void once(T *r, int) {
#pragma omp critical
  r[1] += 100;
}
template <> void once<int>(int *r, int k) {
#pragma omp single
  r[1] += k;
}

template <class T> struct Of {
  static void all(T *, int) {}
  void own(T *r, int);
  template <class U> void other(U *, int) {}
};
template <> void Of<int>::all(int *r, int) {
#pragma omp masked
  r[2] += 3;
#pragma omp barrier
}
template <class T> void Of<T>::own(T *r, int) {
#pragma omp single
  r[3] += 1;
}
template <> void Of<int>::own(int *r, int) {
#pragma omp single
  r[3] += 4;
}
template <> template <> void Of<int>::other<int>(int *r, int) {
#pragma omp single
  r[4] += 5;
}

template <class T> struct Whole {
  static void go(T *, int) {}
};
template <> struct Whole<int> {
  static void go(int *r, int) {
#pragma omp single
    r[5] += 6;
  }
  void operator+=(int *r) const {
#pragma omp sections
    {
#pragma omp section
      r[6] += 7;
#pragma omp section
      r[7] += 8;
    }
  }
};
template <class T> struct Whole<T *> {
  static void go(T *r, int) {
#pragma omp single
    r[8] += 9;
  }
};

template <class T> void run(T *r) {
#pragma omp target parallel num_threads(8) map(tofrom : r[0 : 9])
  {
    add<7>(r, 2);
    once(r, 5);
    Of<T>::all(r, 1);
    Of<T> o;
    o.own(r, 1), o.other(r, 1);
    Whole<T>::go(r, 1);
    Whole<T>() += r;
    Whole<T *>::go(r, 1);
  }
}

int main() {
  int r[9] = {0};
  run(r);
  for (int v : r) std::printf("%d ", v);
#pragma omp target parallel num_threads(8) map(tofrom : r)
  {
    add<7>(r, 2);
    once(r, 5);
    Whole<int>() += r;
  }
  for (int v : r) std::printf("%d ", v);
  std::printf("\n");
}
