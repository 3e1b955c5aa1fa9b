// Using declarations of each kind of name, of a file and of a function, in regions and in functions that these call.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <utility>
namespace lib {
template <class T> constexpr int size_v = sizeof(T);
template <> constexpr int size_v<char> = 100;
template <class T> inline constexpr T half{T(1) / 2};
template <class T, int N> using vec = std::array<T, N>;
template <class T> struct pair_of {
  T a, b;
};
template <class T> T twice(T x) { return 2 * x; }
inline int over(int x) { return x + 1; }
inline int over(double x) { return int(x) + 100; }
enum flavour { plain, salty = 4 };
enum class colour : short { red = 3, blue };
constexpr int count = 5;
constexpr int table[3] = {7, 8, 9};
struct metre {
  double v;
};
inline metre operator+(metre a, metre b) { return {a.v + b.v}; }
constexpr double operator""_km(unsigned long long k) { return k * 1000.0; }
typedef long wide;
using narrow = short;
} // namespace lib
namespace at_file {
using lib::colour;
using lib::count;
using lib::half;
using lib::metre;
using lib::narrow;
using lib::over;
using lib::pair_of;
using lib::plain;
using lib::salty;
using lib::size_v;
using lib::table;
using lib::twice;
using lib::vec;
using lib::wide;
using lib::operator""_km;
using std::is_same_v;
inline double called(int i) {
  vec<int, 2> v{i, 2};
  return size_v<wide> + v[1] + half<double> + is_same_v<wide, long>;
}
static double run(int n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    pair_of<wide> p{i, 3};
    vec<narrow, 3> v{1, 2, narrow(i)};
    s += size_v<char> + size_v<int> + half<float> + twice(i) + over(i) + over(0.5 * i) + salty + plain + count;
    s += table[i % 3] + p.b + v[2] + int(colour::red) + 2_km + called(i) + (metre{1} + metre{2}).v;
    if constexpr (is_same_v<narrow, short>) s += 1;
  }
  return s;
}
} // namespace at_file
template <class T> static double run(T n) {
  using lib::colour;
  using lib::count;
  using lib::half;
  using lib::metre;
  using lib::narrow;
  using lib::over;
  using lib::pair_of;
  using lib::plain;
  using lib::salty;
  using lib::size_v;
  using lib::table;
  using lib::twice;
  using lib::vec;
  using lib::wide;
  using lib::operator""_km;
  using std::clamp;
  using std::hypot;
  using std::is_same_v;
  using std::max;
  using std::numeric_limits;
  using std::swap;
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (T i = 0; i < n; i++) {
    pair_of<wide> p{i, 3};
    vec<narrow, 3> v{1, 2, narrow(i)};
    swap(p.a, p.b);
    s += size_v<char> + size_v<T> + half<T> + twice(i) + over(int(i)) + over(0.5 * i) + salty + plain + count;
    s += table[i % 3] + p.b + v[2] + int(colour::red) + 2_km + (metre{1} + metre{2}).v;
    s += max(i, T(3)) + clamp(int(i), 2, 5) + hypot(3.0, 4.0) + numeric_limits<narrow>::max() % 7;
    if constexpr (is_same_v<T, int>) s += 1;
  }
  return s;
}
int main() { printf("%g %g %g\n", at_file::run(10), run(10), run(10L)); }
