/* Lambdas hold objects whose destructors have a body: threads copy and end a first-private one, nobody a mapped one. */
#include <cstdio>

int ended;
#pragma omp declare target(ended)
void note();

struct Counted {
  int v;
  explicit Counted(int v) : v(v) {}
  Counted(const Counted &o) = default;
  ~Counted() { note(); }
};

template <class T> struct Held {
  T v;
  explicit Held(T v) : v(v) {}
  Held(const Held &o) : v(o.v) {}
  ~Held();
  T times(T by) const { return v * by; }
};

template <class T> Held<T>::~Held() { note(); }

void note() {
#pragma omp atomic
  ended++;
}

static int on_device() {
  int count;
#pragma omp target map(from : count)
  count = ended;
  return count;
}

template <class Body> void mapped(int n, Body body, int *out) {
#pragma omp target teams distribute parallel for map(from : out[ : n]) map(to : body)
  for (int i = 0; i < n; i++) out[i] = body(i);
}

template <class Body> void copied(int n, Body body, int *out) {
#pragma omp target teams distribute parallel for map(from : out[ : n]) firstprivate(body)
  for (int i = 0; i < n; i++) out[i] = body(i);
}

template <class Body> void copied_again(int n, const Body &body, int *out) {
  Body own = body;
#pragma omp target teams distribute parallel for map(from : out[ : n]) map(to : own)
  for (int i = 0; i < n; i++) {
    Body each = own;
    out[i] = each(i);
  }
}

static int sum(const int *out, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += out[i];
  return s;
}

template <class T> static void held(T value) {
  Held<T> h(value);
  int out[10];
  int scale[2] = {1, 2}, *p = scale;
#pragma omp target data map(to : scale)
  {
    mapped(10, [=](int i) { return (int)h.times(i) * p[1]; }, out);
    printf("held, mapped %d\n", sum(out, 10));
    copied(10, [=](int i) { return (int)h.times(i) + p[1]; }, out);
    printf("held, copied %d\n", sum(out, 10));
  }
}

int main() {
  Counted c(3);
  int out[10], before = ended, started = on_device();
  mapped(10, [=](int i) { return i * c.v; }, out);
  printf("mapped %d, host ends %d\n", sum(out, 10), ended - before);
  int after = on_device();
  printf("device ends none: %d\n", after == started || after - started == ended - before);
  copied(10, [c](int i) { return i + c.v; }, out);
  printf("copied %d, device ends some: %d\n", sum(out, 10), on_device() > after);
  after = on_device();
  copied_again(10, [&c, d = c](int i) { return i - d.v; }, out);
  printf("copied in the loop %d, device ends ten: %d\n", sum(out, 10), on_device() - after >= 10);
  held(2);
  held(1.5f);
  return 0;
}
