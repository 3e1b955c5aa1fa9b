// Locals that nothing changes, whose values kernels know, beside others that something changes: no value may be stale.
#include <algorithm>
#include <cstdio>

static void bump(int &x) { x += 5; }
static void look(const int &x) { printf("look %d\n", x); }
template <class T> static void bump_any(T &&x) { x += 1; }
static void set(int *x, int to) { *x = to; }
#define SET(x, y) ((x) = (y))

// The same local is known in one instance and passed in another: a double's value travels.
template <class T, int K> static T both(T *out, int n) {
  T scale = 3;
  int reps = sizeof(T);
  unsigned char small = 300 & 255;
  unsigned long long large = 1ull << 40;
#pragma omp target teams distribute parallel for map(tofrom : out[0 : n])
  for (int i = 0; i < n; i++)
    for (int k = 0; k < reps; k++) out[i] += scale * K + small + (T)(large >> 38);
  return out[n - 1] + reps;
}

template <class T> static T changes(T *out, int n) {
  T scale = 3;
  if (sizeof(T) == 8) {
    T &r = scale;
    r = 7;
  }
#pragma omp target teams distribute parallel for map(tofrom : out[0 : n])
  for (int i = 0; i < n; i++) out[i] += scale;
  return out[n - 1];
}

static void by_functions(int *v) {
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
  bump(a), look(b), bump_any(c);
  auto add = [&] { d++; };
  add();
  SET(e, 9);
  set(&f, 8);
  int *alias = &g;
#pragma omp target map(tofrom : v[0 : 8])
  {
    v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e, v[5] = f, v[6] = g;
    decltype(b) own = 1;
    own++;
    v[7] = own + (int)sizeof(g);
  }
  *alias = 2;
#pragma omp target map(tofrom : v[0 : 8])
  v[6] += 10 * g;
}

// C++ lets a constant reference change what is no constant.
struct view {
  const int &of;
};
static void change(const int &x) { const_cast<int &>(x) = 9; }
static void by_constants(int *v) {
  int a = 3, b = 4, c = 5, d = 6, e = 7;
  change(a);
  const int &r = b;
  const_cast<int &>(r) = 10;
  view seen{c};
  const_cast<int &>(seen.of) = 11;
  const_cast<int &>(std::max(d, 1)) = 12;
  int least = std::min(e, 100);
#pragma omp target map(tofrom : v[0 : 6])
  v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e, v[5] = least;
}

static void by_statements(int *v) {
  int a = 7, b = 8, c = 9, d = 10, e = 13, f = 14, g = (f = 15, 3), h = -5;
  bool yes = true;
  char letter = 'c';
  unsigned most = 4000000000u;
  const int &same = e;
  int list[3] = {a, b, c};
  b += 2, c++, --d;
  int m = std::max(a, 1);
  {
    int h = 1; // another one
    h++;
    v[8] = h;
  }
#pragma omp target map(tofrom : v[0 : 8])
  {
    v[0] = a + 100 * b, v[1] = c + 100 * d, v[2] = e + same, v[3] = f + g, v[4] = h + yes, v[5] = letter;
    v[6] = (int)(most / 1000), v[7] = list[1] + m;
    int a = 5;
    a++;
    v[0] += a;
  }
  int last = 1, sum = 2, there = 3, step = 4, copied = 5;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < 4; i++) last = i;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 4; i++) sum += 1;
#pragma omp target map(tofrom : there)
  there += 4;
#pragma omp simd linear(step : 2)
  for (int i = 0; i < 4; i++) v[8] += step > 0;
#pragma omp parallel firstprivate(copied) num_threads(2)
  {
#pragma omp single
    {
#pragma omp target map(tofrom : v[0 : 9])
      v[8] += last + 10 * sum + 100 * there + 1000 * copied;
    }
  }
}

static void in_loops(int *v, int n) {
  for (int round = 0; round < 3; round++) {
    int inner = 2, later = 3;
#pragma omp target teams distribute parallel for map(tofrom : v[0 : n]) firstprivate(later)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < inner; j++) v[i] += j + later;
    later++;
  }
  auto of_lambda = [=](int start) {
    int step = 4, own = start;
#pragma omp target teams distribute parallel for map(tofrom : v[0 : n])
    for (int i = 0; i < n; i++) v[i] += step * n + own;
    return step;
  };
  v[0] += of_lambda(6);
  int state = 0;
again:
  int fresh = 5;
#pragma omp target map(tofrom : v[0 : 1])
  v[0] += fresh + state;
  if (++state < 3) goto again;
}

int main() {
  const int n = 10;
  int a[n] = {0}, v[9] = {0};
  double d[n] = {0};
  long l[n] = {0};
  float f[n] = {0};
  printf("%d %g %ld %g\n", both<int, 2>(a, n), both<double, 3>(d, n), both<long, 4>(l, n), both<float, 5>(f, n));
  printf("%d %g %ld %g\n", changes(a, n), changes(d, n), changes(l, n), changes(f, n));
  by_functions(v);
  for (int x : v) printf("%d ", x);
  by_constants(v);
  for (int x : v) printf("%d ", x);
  by_statements(v);
  for (int x : v) printf("%d ", x);
  in_loops(a, n);
  for (int x : a) printf("%d ", x);
  printf("\n");
}
