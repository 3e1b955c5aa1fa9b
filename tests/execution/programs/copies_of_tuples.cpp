// Classes with an operator = of their own: copies of them, made for each thread, and values that threads reduce.
#include <cstdio>
#include <mutex>
#include <omp.h>

static int held(int i) {
  static std::mutex lock;
  std::lock_guard<std::mutex> guard(lock);
  return i;
}
struct Resource { // only the host makes one
  int number;
  Resource(int i = 1) : number(held(i)) {}
};
template <class A, class B> struct Pair {
  A first;
  B second;
  Pair() = default;
  Pair(A a, B b) : first(a), second(b) {}
  Pair(const Pair &) = default;
  template <class C, class D> Pair &operator=(const Pair<C, D> &other) {
    first = other.first + 1;
    second = other.second + 1;
    return *this;
  }
};
template <class F> struct Data {
  Pair<long, Pair<int, double>> offsets;
  Resource resource;
  F body;
  Data(Pair<long, Pair<int, double>> o, Resource r, F f) : offsets(o), resource(r), body(f) {}
  Data(const Data &) = default;
};
template <class F> struct Holder {
  Data<F> data;
  explicit Holder(const Data<F> &d) : data{d} {}
  Data<F> &get() { return data; }
};
template <class F> void each(long n, F f) {
  Data<F> data{{7, {3, 0.5}}, Resource(5), f};
  Holder<F> holder(data);
#pragma omp target teams distribute parallel for schedule(static, 1) firstprivate(holder)
  for (long i = 0; i < n; i++) {
    auto &own = holder.get();
    own.offsets.first = i;
    own.offsets.second = Pair<short, float>(2, 1.5f);
    own.body(own.offsets.first, own.offsets.second.first, own.offsets.second.second, own.resource.number);
  }
}
struct Sum {
  double value = 0;
  long count = 0;
  Sum() {}
  Sum(double v, long c) : value(v), count(c) {}
  template <class T> Sum &operator=(const T &t) { return value = t, *this; }
  void add(double v) { value += v, count++; }
};
struct Kept { // copies tell
  double value = 0;
  Kept() {}
  Kept(const Kept &other) : value(other.value) {}
  Kept &operator=(const Kept &) = default;
};
#pragma omp declare reduction(add : Sum : omp_out = Sum(omp_out.value + omp_in.value, omp_out.count + omp_in.count))
#pragma omp declare reduction(add : Kept : omp_out.value += omp_in.value)
template <class T> T total(int n, T begin) {
  T result = begin;
#pragma omp target teams distribute parallel for num_teams(8) schedule(static, 1) reduction(add : result)
  for (int i = 0; i < n; i++) result.value += i;
  return result;
}

int main() {
  const long n = 1000;
  double out[n];
  double *p = out;
#pragma omp target data map(from : out)
  {
    double *there = p;
#pragma omp target data use_device_ptr(p)
    there = p;
    each(n, [=](long i, int k, double x, int r) { there[i] = i + k * 1000 + x + r * 10000; });
  }
  double sum = 0;
  for (long i = 0; i < n; i++) sum += out[i];
  printf("%g %g %g\n", out[0], out[999], sum);
  Sum s(100, 3);
#pragma omp target teams distribute parallel for reduction(add : s)
  for (int i = 0; i < 500; i++) s.add(2);
  printf("%g %ld\n", s.value, s.count);
  Sum given = total(1001, Sum(1, 2));
  Kept kept;
  kept.value = 5;
  printf("%g %ld %g\n", given.value, given.count, total(1001, kept).value);
  return 0;
}
