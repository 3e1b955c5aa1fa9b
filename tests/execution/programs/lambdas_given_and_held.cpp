/* A lambda that a method's template gets as an argument, and that an object of its region has in its type, too: it may
   capture what the method has, as far as its text tells, but it stands elsewhere, and is made a class as an argument is. */
#include <cstdio>
#include <type_traits>

template <class Body> struct Privatizer {
  Body priv;
  explicit Privatizer(Body const &b) : priv(b) {}
  Body &get() { return priv; }
};
struct Executor {
template <class Body> static void loop(int n, Body &&body) {
  using Plain = typename std::decay<Body>::type;
  Privatizer<Plain> privatizer(body);
#pragma omp target teams distribute parallel for firstprivate(privatizer)
  for (int i = 0; i < n; i++) {
    Privatizer<Plain> own(privatizer);
    own.get()(i);
  }
}
};
struct Kernel {
  int factor = 3;
  void run(int n, int *a) {
    int scale = factor;
#pragma omp target data map(tofrom : a[0:n]) use_device_ptr(a)
    Executor::loop(n, [=](int i) { a[i] = scale * i; });
  }
};
int main() {
  int a[20] = {0};
  Kernel().run(20, a);
  for (int i = 0; i < 20; i++) std::printf("%d ", a[i]);
  std::puts("");
}
