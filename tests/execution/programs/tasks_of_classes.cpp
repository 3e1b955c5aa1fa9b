/* nowait and depend in methods, lambdas and templates; values of every kind that change after the task was made. */
#include <cstdio>
#include <utility>

#pragma omp begin declare target
static int slow(int v) { volatile int s = 0; for (int i = 0; i < 400000; i++) s += i & 1; return v + (s < 0); }
#pragma omp end declare target

struct M {
  int base = 4, out[3] = {0};
  void run() {
    auto work = [this](int at) {
#pragma omp target nowait map(tofrom : this[:1]) depend(inout : out)
      out[at] = slow(base) + at;
    };
    for (int i = 0; i < 3; i++) work(i);
#pragma omp taskwait
    auto init = [m = base + 1, this](int at) mutable {
      m += at;
      int r = 0;
#pragma omp target nowait map(tofrom : r) depend(out : r)
      r = slow(m);
      m = 0;
#pragma omp taskwait
      out[at] += r;
    };
    init(1); init(2);
  }
};
static int stat() {
  static int seen = 3; static const int c = 9;
  int r = 0;
#pragma omp target nowait map(tofrom : r)
  r = slow(seen) + c;
  seen = 50;
#pragma omp taskwait
  seen = 3;
  return r;
}
enum class Color { red = 1, blue = 5 };
template <class T> struct Vec {
  T *p; int n;
  explicit Vec(int n) : p(new T[n]()), n(n) {
#pragma omp target enter data map(to : this[0 : 1], p[0 : n]) nowait depend(out : *this)
  }
  ~Vec() {
#pragma omp target exit data map(delete : p[0 : n], this[0 : 1]) depend(inout : *this)
    delete[] p;
  }
  template <class U> void add(U by, int times) {
    for (int t = 0; t < times; t++) {
#pragma omp target teams distribute parallel for nowait depend(inout : *this) firstprivate(by)
      for (int i = 0; i < n; i++) p[i] += by + (i ? 0 : slow(0));
      by = by + 1;
    }
  }
  T total() {
    T sum = 0;
#pragma omp target update from(p[0 : n]) nowait depend(inout : *this)
#pragma omp target map(tofrom : sum) depend(in : *this)
    for (int i = 0; i < n; i++) sum += p[i];
    T host = 0;
    for (int i = 0; i < n; i++) host += p[i];
    return sum * 1000 + host;
  }
};
template <class T> struct Members {
  T n = 2, arr[4] = {};
  T *p = arr;
  T go() {
    T r = 0;
#pragma omp target nowait depend(out : n, arr[1], p[0:2]) map(tofrom : r, n)
    {
      n = slow(n) + 1;
      r = n;
    }
#pragma omp target depend(in : this->n, arr) map(tofrom : r) map(to : n)
    r += n;
    return r;
  }
};

int main() {
  Members<int> whole;
  Members<double> real;
  printf("%d %g\n", whole.go(), real.go());
  { Vec<int> v(8); v.add(1, 3); v.add(2.5, 2); printf("%d\n", v.total()); }
  { Vec<double> v(5); v.add(0.5f, 2); printf("%g\n", v.total()); }
  M m; m.run(); printf("%d %d %d\n", m.out[0], m.out[1], m.out[2]);
  printf("%d\n", stat());
  Color col = Color::blue; bool yes = true; const int lim = 7; long double ld = 1.5; unsigned char ch = 200; float fl = .5f; int r = 0, q = 0;
#pragma omp parallel num_threads(2) default(none) shared(col, yes, lim, ld, ch, fl, r, q)
#pragma omp single
  {
#pragma omp target nowait map(tofrom : r) depend(out : r)
    r = slow((int)col) + yes + lim + (int)(fl * 2) + ch;
    col = Color::red; yes = false; fl = 100; ch = 0;
#pragma omp target teams distribute parallel for nowait map(tofrom : q) depend(out : q) reduction(+ : q) num_threads(lim) if (yes || lim)
    for (int i = 0; i < lim; i++) q += ch + (int)col + slow(0);
    ch = 9;
  }
  printf("%d %d\n", r, q);
  auto [first, second] = std::make_pair(3, 4);
#pragma omp target nowait map(tofrom : r) depend(out : r)
  r = slow(first) * 10 + second;
#pragma omp target map(tofrom : r) depend(inout : r)
  r += first;
  printf("%d\n", r);
}
