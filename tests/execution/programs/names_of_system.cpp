// Names of the system's namespaces, in a file with functions whose names CUDA has too.
#include <string.h>
#include <cstdio>
#include <cstring>
#include <functional>
#include <type_traits>
struct point {
  int x, y;
};
namespace mine {
template <class T> struct limits {
  static constexpr T last() { return T(100); }
};
template <class T> T max(T a, T b) { return a < b ? b : a; }
template <class T> T atomicAdd(T *to, T by) { return *to += by; }
struct key {
  int value;
};
} // namespace mine
namespace others {
using ::mine::key;
using ::mine::max;
} // namespace others
namespace std {
template <> struct hash<point> {
  size_t operator()(const point &p) const noexcept { return p.x * 31 + p.y; }
};
template <> struct hash<mine::key> {
  size_t operator()(const ::mine::key &k) const noexcept { return k.value * 7; }
};
} // namespace std
using namespace mine;
struct copier {
  void copy(void *to, const void *from, unsigned long n) const { std::memcpy(to, from, n); }
};
int main() {
  int most = 0, copied = 0, again = 0, added = 3;
  unsigned long hashed = 0;
#pragma omp target map(tofrom : most, copied, again, added, hashed)
  {
    most = ::mine::max(4, others::max(7, 2)) + ::mine::limits<int>::last();
    int value = 12;
    copier().copy(&copied, &value, sizeof value);
    std::memcpy(&again, &copied, sizeof again);
    ::memcpy(&value, &again, sizeof value);
    atomicAdd<int>(&added, value);
    hashed = std::hash<point>()(point {1, 2}) + std::hash<others::key>()(others::key {3});
  }
  printf("%d %d %d %d %lu\n", most, copied, again, added, hashed);
}
