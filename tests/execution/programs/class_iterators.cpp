// Loops over random access iterators of the user's classes, with each form of an increment that a loop may have. Pairs
// is made of a pointer and goes by two elements, with operators outside of the class.
#include <cstdio>
#include <iterator>
struct Triple {
  typedef std::random_access_iterator_tag iterator_category;
  typedef int value_type;
  typedef long difference_type;
  typedef const int *pointer;
  typedef int reference;
  int v;
  Triple(int x = 0) : v(x) {}
  Triple(const Triple &o) : v(o.v) {}
  Triple &operator=(const Triple &o) { return v = o.v, *this; }
  int operator*() const { return v * 3; }
  Triple &operator++() { return v++, *this; }
  Triple operator++(int) { return Triple(v++); }
  Triple &operator--() { return v--, *this; }
  Triple operator--(int) { return Triple(v--); }
  Triple &operator+=(long d) { return v += d, *this; }
  Triple &operator-=(long d) { return v -= d, *this; }
  Triple operator+(long d) const { return Triple(v + d); }
  friend Triple operator+(long d, const Triple &o) { return Triple(o.v + d); }
  Triple operator-(long d) const { return Triple(v - d); }
  long operator-(const Triple &o) const { return v - o.v; }
  bool operator<(const Triple &o) const { return v < o.v; }
  bool operator>(const Triple &o) const { return v > o.v; }
  bool operator<=(const Triple &o) const { return v <= o.v; }
  bool operator>=(const Triple &o) const { return v >= o.v; }
  bool operator!=(const Triple &o) const { return v != o.v; }
};
template <class I> static void each(I b, I e, int step) {
  const int back = -step;
  long s[10] = {0};
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = b; i < e; i += 3) s[0] += *i * (i - b);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = b; i <= e; i += step) s[1] += *i;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = e; i >= b; i -= step) s[2] += *i * (e - i);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = e; i > b; i = i - 2) s[3] += *i * (e - i);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = b; i < e; i = (i + step)) s[4] += *i * (e - i);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = b; e > i; i = step + i) s[5] += *i * (e - i);
#pragma omp target teams distribute parallel for reduction(+ : s) collapse(2)
  for (I i = b; i < e; i += step)
    for (I j = e; j > b; j -= 5) s[6] += *i * (e - j) + *j;
#pragma omp target map(tofrom : s)
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 2)
  for (I i = e; i > b; i += -2) s[7] += *i * (e - i);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = e; i > b; i += back) s[8] += *i * (e - i);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = e; b < i; i--) s[9] += *i * (e - i);
  for (long x : s) printf("%ld ", x);
}
static void plain(Triple b, Triple e, int step) {
  long s[4] = {0};
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (Triple i = b; i < e; i += 3) s[0] += *i * (i - b);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (Triple i = e; i >= b; i -= step) s[1] += *i * (e - i);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (Triple i = b; i < e; i = step + i) s[2] += *i * (e - i);
#pragma omp target parallel for reduction(+ : s)
  for (Triple i = b; i != e; ++i) s[3] += *i * (e - i);
  for (long x : s) printf("%ld ", x);
}
struct Pairs {
  typedef std::random_access_iterator_tag iterator_category;
  typedef int value_type;
  typedef long difference_type;
  typedef const int *pointer;
  typedef const int &reference;
  const int *p;
  Pairs(const int *at, int skipped = 0) : p(at + skipped) {}
  int operator*() const { return *p; }
  Pairs &operator++() { return p += 2, *this; }
};
static void go(Pairs &i, long d);
static Pairs &operator+=(Pairs &i, long d) { return go(i, d), i; }
static Pairs operator+(Pairs i, long d) { return i += d; }
static long operator-(const Pairs &i, const Pairs &j) { return (i.p - j.p) / 2; }
static bool operator<(const Pairs &i, const Pairs &j) { return i.p < j.p; }
static void go(Pairs &i, long d) { i.p += 2 * d; }
template <class I> static long made(const int *b, const int *e) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (I i = b; i < I(e); ++i) s += *i;
  return s;
}
static void converted(const int *b, int n) {
  long s[5] = {0};
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : b[0 : n])
  for (Pairs i = b; i < b + n; ++i) s[0] += *i;
#pragma omp target parallel for reduction(+ : s) map(to : b[0 : n])
  for (Pairs i(b); i < Pairs(b + n); i += 3) s[1] += *i * (i - Pairs(b));
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : b[0 : n])
  for (Pairs i{b + 1}; i < Pairs{b + n - 1}; ++i) s[2] += *i;
#pragma omp target teams distribute parallel for reduction(+ : s) collapse(2) map(to : b[0 : n])
  for (Pairs i = b; i < b + n; ++i)
    for (Pairs j = {b + 4}; j < Pairs(b + n, -2); ++j) s[3] += *i * *j;
#pragma omp target data map(to : b[0 : n]) use_device_ptr(b)
  s[4] = made<Pairs>(b, b + n);
  for (long x : s) printf("%ld ", x);
}
int main() {
  int t[60];
  for (int i = 0; i < 60; i++) t[i] = i * i % 17;
  plain(Triple(4), Triple(57), 3);
  each(Triple(3), Triple(50), 2);
#pragma omp target data map(to : t)
  each((const int *)t, (const int *)t + 59, 3);
  converted(t, 60);
  puts("");
  return 0;
}
