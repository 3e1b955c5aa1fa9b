// Static members of class templates as list items.
#include <cstdio>
namespace lib { template <class T, int N> struct P { static T v; static T arr[N]; }; 
template <class T, int N> T P<T, N>::v = 5; template <class T, int N> T P<T, N>::arr[N] = {1, 2}; }
template <class T> struct S { static int v; static int arr[4]; };
template <class T> int S<T>::v = 5;
template <class T> int S<T>::arr[4] = {1, 2, 3, 4};
template <class T> struct Own {
  static T count;
  int add() {
#pragma omp target map(tofrom : count, S<T>::v)
    count += S<T>::v++;
    return (int)count + S<T>::v;
  }
};
template <class T> T Own<T>::count = 2;

int main() {
#pragma omp target map(tofrom : S<int>::v)
  S<int>::v += 1;
#pragma omp target map(tofrom : S<int>::arr[0:2])
  S<int>::arr[1] += 1;
#pragma omp target map(tofrom : S<float>::v, S<S<int>>::arr[1])
  { S<float>::v += 1; S<S<int>>::arr[1] += 5; }
  printf("%d %d %d %d\n", S<int>::v, S<int>::arr[1], S<float>::v, S<S<int>>::arr[1]);
  Own<int> oi;
  Own<double> od;
  printf("%d %d\n", oi.add(), od.add());
  int a = 1;
#pragma omp target map(tofrom : a, lib::P<int, 3>::v, lib::P<long, 2>::arr[0:1])
  { lib::P<int, 3>::v += a; lib::P<long, 2>::arr[0] = 4; }
  printf("%d\n", lib::P<int, 3>::v);
#pragma omp target data map(tofrom : lib::P<int, 3>::v)
  {
#pragma omp target map(lib::P<int, 3>::v)
  lib::P<int, 3>::v += 3;
#pragma omp target update from(lib::P<int, 3>::v)
  printf("%d\n", lib::P<int, 3>::v);
  }
#pragma omp target firstprivate(lib::P<int, 3>::v) map(tofrom : a)
  { a = lib::P<int, 3>::v + 7; }
  printf("%d %ld\n", a, lib::P<long, 2>::arr[0]);
}
