// Alias templates, members of classes and decltype that say const or volatile: kernels unpack and copy types without.
#include <cstdio>
template <class T> using Fixed = const T;
template <class T> using Changing = volatile T;
template <class T> struct Traits { using fixed = const T; typedef T *const pointer; };
struct Pair { int a[2]; };
const long original = 9;
int main() {
  Fixed<long> l = 9 + printf("");
  Fixed<Fixed<int>> twice = 2 + printf("");
  const Fixed<int> more = 4 + printf("");
  Changing<int> v = 8;
  const Changing<int> both = 6;
  Traits<float>::fixed f = 1.5f + printf("");
  decltype(original) d = 3 + printf("");
  Fixed<Pair> pair = {{1, 2}};
  int data[6] = {1, 2, 3, 4, 5, 6};
  Traits<int>::pointer p = data;
  Fixed<int *> q = data;
#pragma omp target teams distribute parallel for map(tofrom : p[0:6]) firstprivate(l, twice, more, v, both, f, d, pair)
  for (int i = 0; i < 6; i++) p[i] += (int)(l + twice + more + v + both + f * 2 + d + pair.a[i % 2]);
  double sum = 0;
#pragma omp target teams distribute parallel for map(to : q[0:6]) reduction(+ : sum)
  for (int i = 0; i < 6; i++) sum += q[i] * l * f + twice + d + pair.a[1];
  printf("%g\n", sum);
  for (int x : data) printf("%d ", x);
  puts("");
}
