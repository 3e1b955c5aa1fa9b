// Arrays, and arrays of arrays and of pointers, whose element type is named by an alias of the library or through a using
// declaration, and of which a kernel alone has that name: constants, mapped, private, reduced and of teams.
#include <cstdint>
#include <cstdio>
namespace lib {
typedef long wide;
using narrow = short;
struct cell {
  int v;
};
using box = cell;
} // namespace lib
using lib::box;
using lib::narrow;
static long constants(int n) {
  static constexpr std::int16_t a[] = {7, 8, 9};
  const std::uint8_t b[2][2] = {{1, 2}, {3, 4}};
  constexpr narrow c[3] = {1, 2, 3};
  using lib::wide;
  static const wide d[2] = {10, 20};
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += a[i % 3] + b[1][i % 2] + c[i % 3] + d[i % 2];
  return s;
}
template <class T> static T mapped(T n) {
  std::int32_t a[3] = {7, 8, 9};
  std::uint16_t b[2][3] = {{1, 2, 3}, {4, 5, 6}};
  box c[2] = {{3}, {4}};
  std::int8_t x = 5, *d[2] = {&x, &x};
  using lib::wide;
  wide e[4] = {};
  T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s, e) map(tofrom : a, b) map(to : x)
  for (int i = 0; i < 3; i++) {
    a[i] += b[1][i];
    b[0][i] += c[i % 2].v;
    e[i] += n;
    s += a[i] + (d[0] == d[1]);
  }
  return s + b[0][2] + a[1] + T(e[0] + e[2]);
}
static int private_ones(int n) {
  std::uint32_t a[3] = {1, 2, 3}, last[2];
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) firstprivate(a) lastprivate(last)
  for (int i = 0; i < n; i++) {
    a[0] += i;
    last[0] = a[1] + i;
    s += a[2];
  }
  std::int64_t t = 0;
#pragma omp target teams distribute num_teams(2) reduction(+ : t)
  for (int k = 0; k < 4; k++) {
    std::uint64_t team[8];
#pragma omp parallel for
    for (int i = 0; i < 8; i++) team[i] = i * k;
    for (auto v : team) t += v;
  }
  return s + int(last[0]) + int(t);
}
int main() { printf("%ld %d %ld %d\n", constants(10), mapped(2), mapped(3L), private_ones(20)); }
