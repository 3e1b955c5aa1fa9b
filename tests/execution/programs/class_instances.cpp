// Explicit instantiations of class templates: their methods run on the device.
#include <cstdio>
template <class T> class S { T *a; int n; public: S(T *p, int m); ~S(); void twice(); T total(); private: void hidden(); };
template <class T> S<T>::S(T *p, int m) : a(p), n(m) {
  T *q = p;
#pragma omp target enter data map(to: q[0:m])
}
template <class T> S<T>::~S() { T *q = a;
#pragma omp target exit data map(from: q[0:n])
}
template <class T> void S<T>::twice() { T *q = a;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) q[i] *= 2;
  hidden();
}
template <class T> void S<T>::hidden() { T *q = a;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) q[i] += 1;
}
template <class T> T S<T>::total() { T *q = a; T s = 0;
#pragma omp target teams distribute parallel for reduction(+: s) map(tofrom: s)
  for (int i = 0; i < n; i++) s += q[i];
  return s;
}
template class S<float>;
template class S<double>;
int main() { double a[4] = {1,2,3,4}; { S<double> s(a, 4); s.twice(); std::printf("%g\n", s.total()); } std::printf("%g\n", a[3]); }
