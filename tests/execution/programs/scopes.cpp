#include <cstdio>
#include <cmath>
#include <tuple>
#include <vector>
#include <cstdint>
namespace shapes { struct Vec { float x; typedef double real; enum Kind { A, B }; static const int count = 4; }; inline int area(int a) { return a; }
 template <typename T> constexpr T two = T(2);
 namespace inner { struct Deep { int z; }; inline int deep(Deep d) { return d.z; } typedef long wide; }
}
namespace sh = shapes;
using shapes::area;
using std::sqrt;
inline namespace v1 { namespace { int hidden(int x) { return x + 1; } } 
int table[4] = {1, 2, 3, 4}; }
enum class Mode : unsigned { Slow, Fast };
template <Mode M, unsigned N> int mode(int n) {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = M == Mode::Fast ? n : (int)(N % 7);
  return s;
}
class Base { protected: int b = 5; static int triple(int x) { return 3 * x; } enum { SEVEN = 7 }; };
class Derived : public Base {
  struct Entry { int v; };
  static int twice(int x) { return 2 * x; }
  static constexpr int LIMIT = 9;
  enum Color { RED = 3 };
  int mine = 2;
public:
  int run(int n) {
    int r = 0;
    Entry e{n};
#pragma omp target map(tofrom : r)
    { Entry f = e; r = f.v + twice(n) + LIMIT + RED + triple(n) + SEVEN + b + mine; Color c = RED; r += c; 
#pragma omp atomic
    r += 1; }
    return r;
  }
  int other(int n) {
    int r = n;
#pragma omp parallel for reduction(+ : r)
    for (int i = 0; i < n; i++) r += i;
#pragma omp target map(tofrom : r)
    r++;
    return r;
  }
};
namespace lib { int scale = 3; static double weights[2] = {1, 2};
namespace { int secret = 11; }
int in_lib(int n) {
  using namespace shapes;
  using shapes::Vec;
  using inner::Deep;
  namespace s2 = shapes::inner;
  Vec v{1};
  Deep d{5};
  s2::wide w = 3;
  auto [first, second] = std::tuple<int, double>{4, 0.5};
  int a[3] = {1,2,3};
  float out = 0;
#pragma omp target map(tofrom : out, a)
  {
  for (int &x : a) x *= 2;
  for (int x : a) out += v.x + x + first + second + lib::scale + ::lib::secret + two<int> + s2::deep(d) + w + sh::area(2) + area(1) + sqrt(4.0f) + table[1] + weights[1] + hidden(1) + Vec::count + Vec::B;
  }
#pragma omp target teams distribute parallel for reduction(+ : out)
  for (int i = 0; i < lib::scale; i++) out += ::table[i] * lib::weights[i % 2];
  return (int)out + a[2];
}}
int main() {
  using namespace std;
  using std::int64_t;
  int64_t q = 0;
  uint8_t z = 4;
  vector<float> host(3);
  float *p = host.data();
#pragma omp target teams distribute parallel for map(from : p[0:3]) reduction(+ : q)
  for (int64_t i = 0; i < 3; i++) { p[i] = pow(2.0, (double)i) + z; q += (int64_t)p[i]; }
  printf("%d %d %g %ld\n", lib::in_lib(2), Derived().run(3), p[2], (long)q);
  printf("%d %d %d\n", mode<Mode::Fast, 4294967295u>(3), mode<Mode::Slow, 4294967295u>(3), Derived().other(3));
}
