// Statements that `if constexpr` discards: they need not be valid for what a template is instantiated with.
#include <cstdio>
#include <type_traits>

struct Point {
  int x;
  int get() const { return x + 1; }
};
template <class T> struct IsPoint { static constexpr bool value = false; };
template <> struct IsPoint<Point> { static constexpr bool value = true; };
#define FOR_POINTS if constexpr (IsPoint<T>::value)
#define CHOOSE(c, a, b) if constexpr (c) { a; } else { b; }

template <class T> int sum(int n, const T *a) {
  int s = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    if constexpr (IsPoint<T>::value) {
      s += a[i].get();
    } else if constexpr (std::is_same<T, float>::value)
      s += (int)(a[i] * 2.0f);
    else
      s += a[i] % 7;
  }
  return s;
}

template <class T> int whole(int n, const T *a, int *out) {
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(from : out[0 : n])
  for (int i = 0; i < n; i++)
    if constexpr (IsPoint<T>::value)
      out[i] = a[i].x;
    else
      out[i] = a[i] % 5;
  return out[n - 1];
}

template <int D> int dim(int n, const int *a) {
  int s = 0;
#pragma omp target map(to : a[0 : n]) map(tofrom : s)
  {
    if constexpr (D > 2) {
      struct L { char c[D - 2]; };
      s += sizeof(L);
    }
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
      if constexpr (D == 1) { int b[D] = {a[i]}; s += b[0]; }
      else { static_assert(D > 1, "no"); s += D * a[i]; }
    if constexpr (D == 1) {
#pragma omp parallel for reduction(+ : s)
      for (int i = 0; i < n; i++) s += i / D;
    } else {
      int fixed[D - 1] = {7};
#pragma omp parallel for reduction(+ : s)
      for (int i = 0; i < n; i++) s += fixed[0];
    }
  }
  return s;
}

template <class T> int macros(int n, const T *a) {
  int s = 0;
#pragma omp target map(to : a[0 : n]) map(tofrom : s)
  for (int i = 0; i < n; i++) {
    FOR_POINTS s += a[i].x;
    FOR_POINTS { s += a[i].get(); }
    CHOOSE(IsPoint<T>::value, s += a[i].x, s += (int)a[i] * 3)
  }
  return s;
}

template <class T> int regions(int n, const T *a) { // a region in each branch
  int s = 0;
  if constexpr (IsPoint<T>::value) {
#pragma omp target map(to : a[0 : n]) map(tofrom : s)
    for (int i = 0; i < n; i++) s += a[i].x;
  } else {
#pragma omp target map(to : a[0 : n]) map(tofrom : s)
    for (int i = 0; i < n; i++) s += (int)a[i];
  }
  if constexpr (sizeof(T) == 1) {
#pragma omp target map(tofrom : s)
    s += a->no_such_member;
  }
  return s;
}

template <class T> struct Row {
  T *p;
  int n;
  template <bool UP> void shift();
  int closures() {
    int s = 0;
    auto one = [](const T &v) { if constexpr (IsPoint<T>::value) return v.x; else return (int)v; };
#pragma omp target map(to : p[0 : n]) map(tofrom : s)
    for (int i = 0; i < n; i++) {
      auto add = [&](auto by) {
        if constexpr (sizeof(by) == 1) s += by;
        else if constexpr (IsPoint<T>::value) s += p[i].x * by;
        else s += (int)p[i] + by;
      };
      add(i), add('\1');
      s += one(p[i]);
    }
    return s;
  }
  int local() {
    struct L {
      int f(const T &v) const { if constexpr (IsPoint<T>::value) { return v.get(); } else return (int)(v * 2); }
    } l;
    int s = 0;
#pragma omp target map(to : p[0 : n]) map(tofrom : s)
    for (int i = 0; i < n; i++) s += l.f(p[i]);
    return s;
  }
};
template <class T> template <bool UP> void Row<T>::shift() {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) {
    constexpr bool HERE = IsPoint<T>::value;
    if constexpr (UP && HERE) p[i].x += 10;
    else if constexpr (UP) { p[i] += 10; }
    else if constexpr (!HERE)
      for (int k = 0; k < 2; k++) p[i] -= k; // no braces
    else { if (p[i].x > 3) { p[i].x--; } }
  }
}

template <bool B> int unused(int n) {
  int s = n;
  if constexpr (B) {
#pragma omp target map(tofrom : s)
    { s += typename std::enable_if<!B, int>::type(); }
  } else {
#pragma omp target map(tofrom : s)
    { s *= 2; }
  }
  return s;
}

#pragma omp declare target
template <int W> int called(int n, const int *a) { // each instantiation discards one of the constructs
  int s = 0;
  if constexpr (W == 1) {
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += a[i];
  } else if constexpr (W == 2) {
#pragma omp critical
    s += a[n - 1];
  }
  return s;
}
#pragma omp end declare target

int calls(int n, const int *a) {
  int s = 0;
#pragma omp target map(to : a[0 : n]) map(tofrom : s)
  s = called<0>(n, a) + called<1>(n, a) + called<2>(n, a);
  return s;
}

int main() {
  Point p[5] = {{1}, {2}, {3}, {4}, {5}};
  float f[5] = {1, 2, 3, 4, 5.5f};
  int k[5] = {10, 20, 30, 40, 50}, out[5];
  printf("%d %d %d\n", sum(5, p), sum(5, f), sum(5, k));
  printf("%d %d\n", whole(5, p, out), whole(5, k, out));
  printf("%d %d %d\n", dim<1>(5, k), dim<2>(5, k), dim<4>(5, k));
  printf("%d %d\n", macros(5, p), macros(5, f));
  printf("%d %d\n", regions(5, p), regions(5, k));
  Row<Point> points{p, 5};
  Row<float> floats{f, 5};
  points.shift<true>(), points.shift<false>(), floats.shift<true>(), floats.shift<false>();
  printf("%d %g\n", p[4].x, f[4]);
  printf("%d %d %d %d\n", points.closures(), floats.closures(), points.local(), floats.local());
  printf("%d\n", unused<false>(4));
  printf("%d\n", calls(5, k));
}
