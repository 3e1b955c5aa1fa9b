// Numbers change through references to constants, and objects in constant methods, by casts: no value may be stale.
#include <cmath>
#include <cstdio>
#include <omp.h>

const int N = 64;
static inline void put(const float &r, float v) { const_cast<float &>(r) = v; }
static inline void put(const int &r, int v) { const_cast<int &>(r) = v; }
template <class T> inline void put_any(const T &r, T v) { (T &)r = v; }
static inline void deep(const int &r, int v) { put(r, v); }
struct box {
  const int &r;
  void set(int v) const { const_cast<int &>(r) = v; }
};
struct object {
  float e;
  mutable float m;
  float get() const {
    const_cast<object *>(this)->e += 1;
    return e;
  }
  void up() const { inner(); }
  void inner() const { ((object *)this)->e += 2; }
  float changed() const {
    m += 1;
    return m;
  }
};

struct bound {
  const int &r;
  bound(const int &x) : r(x) {}
  void set(int v) const { const_cast<int &>(r) = v; }
};

static void told(const float *z) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += z[i] * (i % 13);
  std::printf("%.2f\n", sum);
}

static void sines(float *z, const float *x, int n) {
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n]) map(to : x[0 : n])
  for (int i = 0; i < n; i++) {
    float e = x[i], r = sinf(e);
    put(e, e + 2);
    z[i] = r + cosf(e) * 3;
  }
  told(z);
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n]) map(to : x[0 : n])
  for (int i = 0; i < n; i++) {
    float e = x[i], r = sinf(e);
    const float &q = e;
    const_cast<float &>(q) = 0.25f;
    z[i] = r + cosf(e) * 5;
  }
  told(z);
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n]) map(to : x[0 : n])
  for (int i = 0; i < n; i++) {
    float e = x[i], r = sinf(e);
    put_any(e, 2.0f);
    z[i] = r + cosf(e) * 5;
  }
  told(z);
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n]) map(to : x[0 : n])
  for (int i = 0; i < n; i++) {
    object s{x[i], x[i]};
    float r = sinf(s.e);
    r += s.get() * 2;
    r += cosf(s.e) * 3;
    r += sinf(s.e) * 5;
    s.up();
    r += cosf(s.e) * 7;
    r += sinf(s.m) * 11;
    r += s.changed();
    z[i] = r + cosf(s.m) * 13;
  }
  told(z);
}

static void divisors(float *z, int n) {
  int a = 7, b = 7, c = 7, d = 7;
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n])
  for (int i = 0; i < n; i++) {
    float r = i / a;
    put(a, 3);
    r += i % a * 100;
    bound same(a);
    same.set(5);
    z[i] = r + i % a * 10;
    same.set(7);
  }
  told(z);
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n])
  for (int i = 0; i < n; i++) {
    float r = i / b;
    deep(b, 3);
    z[i] = r + i % b * 100;
    deep(b, 7);
  }
  told(z);
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n])
  for (int i = 0; i < n; i++) {
    float r = i / c;
    box held{c};
    held.set(3);
    z[i] = r + i % c * 100;
    held.set(7);
  }
  told(z);
#pragma omp target teams distribute parallel for map(tofrom : z[0 : n])
  for (int i = 0; i < n; i++) {
    float r = i / d;
    auto set = [&](int v) {
      const int &same = d;
      const_cast<int &>(same) = v;
    };
    set(3);
    z[i] = r + i % d * 100;
    set(7);
  }
  told(z);
}

// Each thread has a copy of its own, which only a cast changes.
struct large {
  int n, others[60];
  int next() const {
    const_cast<large *>(this)->n += 1;
    return n;
  }
};
static inline int take(const large &from) {
  ((large &)from).n += 2;
  return from.n;
}

static void copies() {
  large c{5, {}}, d{6, {}};
  int out[2] = {};
#pragma omp target parallel num_threads(2) firstprivate(c, d) map(tofrom : out)
  {
    int t = omp_get_thread_num(), r = c.next() + 10 * take(d);
#pragma omp barrier
    out[t] = r + 100 * c.n + 10000 * d.n;
  }
  std::printf("%d\n", out[0]);
}

// What comes by a reference to a constant is mapped both ways where a cast changes it.
struct pair_of {
  int first, others[4];
};
static void by_object(const pair_of &p) {
#pragma omp target
  {
    const_cast<pair_of &>(p).first = 6;
    const_cast<int &>(p.others[2]) = 8;
  }
}
static void by_array(const int (&a)[4]) {
#pragma omp target
  put(a[3], 9);
}

int main() {
  static float z[N], x[N];
  for (int i = 0; i < N; i++) x[i] = i % 37 * 0.1f;
  sines(z, x, N);
  divisors(z, N);
  copies();
  pair_of p{1, {1, 2, 3, 4}};
  by_object(p);
  by_array(p.others);
  std::printf("%d %d %d\n", p.first, p.others[2], p.others[3]);
}
