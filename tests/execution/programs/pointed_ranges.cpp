// Range-based loops over what a pointer points to, and over classes whose iterators are objects.
#include <cstdio>
#include <array>
// Elements that are computed; operators that take iterators by value.
struct At {
  int i;
  int operator*() const { return i * 2; }
  int operator[](long d) const { return (i + d) * 2; }
  At &operator++() { return ++i, *this; }
  At &operator+=(long d) { return i += d, *this; }
  friend At operator+(At a, long d) { return a += d; }
  friend long operator-(At a, At b) { return a.i - b.i; }
  friend bool operator<(At a, At b) { return a.i < b.i; }
  friend bool operator!=(At a, At b) { return a.i != b.i; }
};
struct Numbers {
  int from, to;
  At begin() const { return {from}; }
  At end() const { return {to}; }
};
template <class T> struct Strided {
  struct iterator {
    T *p;
    int step;
    T &operator*() const { return *p; }
    T &operator[](long i) const { return p[i * step]; }
    iterator &operator++() { return p += step, *this; }
    bool operator!=(const iterator &o) const { return p != o.p; }
    long operator-(const iterator &o) const { return (p - o.p) / step; }
  };
  T *p;
  int n, step;
  iterator begin() const { return {p, step}; }
  iterator end() const { return {p + n * step, step}; }
};
int main() {
  Numbers numbers{3, 50};
  int twice = 0, sum = 0, every[12] = {}, *there = every;
#pragma omp target teams distribute parallel for reduction(+ : twice)
  for (int i : numbers) twice += i;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (At i = At{2}; i < At{40}; ++i) sum += *i;
#pragma omp target data map(tofrom : there[0 : 12]) use_device_ptr(there)
  {
    Strided<int> third{there, 4, 3};
#pragma omp target teams distribute parallel for
    for (int &v : third) v += 5;
  }
  printf("%d %d %d %d %d\n", twice, sum, every[0], every[1], every[9]);
  std::array<int, 4> a{1, 2, 3, 4}; auto *p = &a; int s = 0; int raw[3] = {1, 2, 3}; int (*q)[3] = &raw;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a)
  for (int x : a) s += x;
#pragma omp target map(to : p[0 : 1]) map(tofrom : s)
  for (int x : *p) s += x;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0 : 1])
  for (int x : *p) s += x;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : q[0 : 1])
  for (int x : *q) s += x;
  printf("%d\n", s);
}
