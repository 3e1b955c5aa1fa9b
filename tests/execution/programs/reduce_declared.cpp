// User-defined reductions in C++: namespaces, classes, overloads, templates, classes that are no plain data.
#include <cstdio>
#include <utility>

namespace lib {
struct box {
  int low, high;
  box(int l, int h) : low(l), high(h) {}
  void join(const box &other) {
    if (other.low < low) low = other.low;
    if (other.high > high) high = other.high;
  }
};
#pragma omp declare reduction(join : box : omp_out.join(omp_in)) initializer(omp_priv(omp_orig))
namespace deep {
inline long smaller(long a, long b) { return a < b ? a : b; }
#pragma omp declare reduction(join : long : omp_out = smaller(omp_out, omp_in)) initializer(omp_priv = 1000)
#pragma omp declare reduction(join : int : omp_out = (int)smaller(omp_out, omp_in)) initializer(omp_priv{1000})
}
}

template <class T> struct vec3 {
  T x, y, z;
  vec3 &operator+=(const vec3 &o) { x += o.x, y += o.y, z += o.z; return *this; }
};
typedef vec3<float> float_vector;
typedef std::pair<int, long> counted;

#pragma omp declare reduction(+ : vec3<float>, vec3<double> : omp_out += omp_in) initializer(omp_priv = {0, 0, 0})
#pragma omp declare reduction(operator+ : std::pair<int, long> : omp_out.first += omp_in.first,                        \
                              omp_out.second += omp_in.second)

enum class mode { NONE, SOME, ALL };
#pragma omp declare reduction(max : mode : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = mode::NONE)

// Copies by a constructor of its own, so its bytes may not be moved.
class total {
  long sum;
  int parts;

public:
  total() : sum(0), parts(0) {}
  total(const total &o) : sum(o.sum), parts(o.parts) {}
  total &operator=(const total &o) { sum = o.sum, parts = o.parts; return *this; }
  void add(long v) { sum += v; }
  void add(const total &o) { sum += o.sum, parts += o.parts; }
  long value() const { return sum; }
};
#pragma omp declare reduction(add : total : omp_out.add(omp_in))

struct meter {
  int limit;
  enum { STEP = 3 };
  static int clip(int v) { return v > 5000 ? 5000 : v; }
#pragma omp declare reduction(clipped : int : omp_out = clip(omp_out + omp_in * STEP / 3))
  int run(int n) {
    int s = 1;
#pragma omp target teams distribute parallel for reduction(clipped : s) num_teams(4)
    for (int i = 0; i < n; i++) s += i;
    return s;
  }
};

template <class T, int Scale> T scaled(const T *p, int n) {
  T most = p[0], sum = T();
#pragma omp declare reduction(most : T : omp_out = omp_out < omp_in ? omp_in : omp_out) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(scale : T : omp_out += omp_in / Scale) initializer(omp_priv = T(Scale))
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(most : most) num_teams(3)
  for (int i = 0; i < n; i++)
    if (most < p[i]) most = p[i];
  return most + sum;
}

static void namespaces(int n) {
  lib::box b(5, 6);
  long l = 2000;
  int i0 = 2000;
#pragma omp target teams distribute parallel for reduction(join : b)
  for (int i = 0; i < n; i++) b.join(lib::box(-i, i * 2));
#pragma omp target teams distribute parallel for reduction(lib::deep::join : l, i0)
  for (int i = 0; i < n; i++) {
    if (700 - i < l) l = 700 - i;
    if (900 - i < i0) i0 = 900 - i;
  }
  using namespace lib::deep;
  int i1 = 5000;
#pragma omp target parallel for reduction(join : i1)
  for (int i = 0; i < n; i++)
    if (600 - i < i1) i1 = 600 - i;
  std::printf("%d %d %ld %d %d\n", b.low, b.high, l, i0, i1);
}

static void classes(int n) {
  float_vector f = {1, 2, 3};
  vec3<double> d = {1, 2, 3};
  counted c(4, 5);
  mode m = mode::NONE;
  total t;
#pragma omp target teams distribute parallel for reduction(+ : f, d, c)
  for (int i = 0; i < n; i++) {
    f.x += 0.5f, f.y -= 1;
    d.z += i;
    c.first++, c.second += i;
  }
#pragma omp target teams distribute parallel for reduction(max : m) reduction(add : t) num_teams(3) num_threads(7)
  for (int i = 0; i < n; i++) {
    if (i == 77 && m < mode::SOME) m = mode::SOME;
    t.add(i);
  }
  std::printf("%g %g %g %g %g %g %d %ld %d %ld\n", f.x, f.y, f.z, d.x, d.y, d.z, c.first, c.second, (int)m, t.value());
}

int main() {
  namespaces(500);
  classes(500);
  meter m = {7};
  int a[] = {3, 9, 4, 1};
  double d[] = {0.5, -4, 2.25};
  std::printf("%d %d %g\n", m.run(20), scaled<int, 2>(a, 4), scaled<double, 4>(d, 3));
}
