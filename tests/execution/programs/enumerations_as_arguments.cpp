// Enumerations as arguments of templates whose text names them outside of the region alone.
#include <cstdio>
namespace lib { enum class Mem { Host, Device };
enum Old { zero, one };
enum class Way : char { a = 'a', b }; template <class T, Mem M = Mem::Device, Old O = one> struct Array { T *p; int n; };
template <class A> struct traits; template <class T, Mem M, Old O> struct traits<Array<T, M, O>> { static void fill(Array<T, M, O> a, T v) { T *p = a.p; int n = a.n;
#pragma omp target teams distribute parallel for map(from: p[0:n])
  for (int i = 0; i < n; i++) p[i] = v + i;
  } };
template <Way W, class T> struct Used { static void fill(T *p, int n) { constexpr bool is = W == Way::b;
#pragma omp target teams distribute parallel for map(from: p[0:n])
  for (int i = 0; i < n; i++) p[i] = W == Way::a ? i : is + 100;
  } };
template <Mem M> void named(int *p, int n) {
#pragma omp target map(tofrom: p[0:n])
  { constexpr Mem mine = M; for (int i = 0; i < n; i++) p[i] += static_cast<int>(mine) * 10 + (M == Mem::Host); }
}
template <Mem M, Mem N> struct Two { static int sum(int n) { struct Tag { Mem m; }; const Tag t{M}; int s = 0; (void)t;
#pragma omp target map(tofrom: s)
  for (int i = 0; i < n; i++) s += i * (int)N;
  return s; } };
}
struct Config { enum Kind { A = 3, B }; struct Deep { enum class Level : short { low, high }; }; };
using Level = Config::Deep::Level;
using index = long;
template <Config::Kind K, Level L, class T, index I = 2, T *P = nullptr> struct Nested { static void fill(T *p) {
    T x[K] = {}; auto *q = p; T (&r)[K] = x; T y[I]; (void)y; (void)r; const bool is = L == Level::high; (void)is;
#pragma omp target teams distribute parallel for map(from: q[0:5])
    for (int i = 0; i < 5; i++) q[i] = 7 - i;
  } };
// Enumerations that are members of class templates.
template <class T, int N> struct Grades { enum Kind { low, high = N }; enum class Way : char { up = 'u' };
  template <Kind K> static int kind(); template <Way W> static int way() { int r = 0;
#pragma omp target map(tofrom : r)
    r = (W == Way::up) + (int)W;
    return r; } };
template <class T, int N> template <typename Grades<T, N>::Kind K> int Grades<T, N>::kind() { int r = 0;
#pragma omp target map(tofrom : r)
  r = K == high ? N * 10 : K + 1;
  return r; }

// Other types that are members of the class around.
template <class T, int M> struct Counters { using index = T; typedef int fixed;
  template <index I> static int f() { int r = 0;
#pragma omp target map(tofrom : r)
    r = I + sizeof(I);
    return r; }
  template <fixed I> int g() { int r = 0;
#pragma omp target map(tofrom : r)
    r = I + M;
    return r; } };
struct Plain { enum E { p0, p1 }; template <E I> static int h() { int r = 0;
#pragma omp target map(tofrom : r)
  r = I + 5;
  return r; } };

int main() {
  printf("%d %d %d ", Counters<short, 1>::f<7>(), Counters<unsigned char, 1>::f<200>(), Counters<long, 2>().g<4>());
  printf("%d ", Plain::h<Plain::p1>());
  printf("%d %d %d\n", Grades<int, 4>::kind<Grades<int, 4>::high>(), Grades<char, 9>::kind<Grades<char, 9>::low>(),
         Grades<int, 4>::way<Grades<int, 4>::Way::up>());
  float f[13];
  lib::traits<lib::Array<float>>::fill({f, 13}, 2); int i[4];
  lib::Used<lib::Way::b, int>::fill(i, 4);
  lib::Used<lib::Way::a, float>::fill(f + 5, 4);
  lib::named<lib::Mem::Device>(i, 4);
  lib::named<lib::Mem::Host>(i, 2); double n[5];
  lib::traits<lib::Array<int, lib::Mem::Host, lib::zero>>::fill({i, 3}, 8);
  Nested<Config::B, Level::high, double>::fill(n);
  float s = n[4]; for (float x : f) s += x;
  printf("%g %d %d %d\n", s, i[0], i[3], lib::Two<lib::Mem::Host, lib::Mem::Device>::sum(5)); }
