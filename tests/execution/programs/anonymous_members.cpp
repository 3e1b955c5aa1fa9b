// Members of anonymous unions and structures, of this and of objects; names of the file that they hide.
#include <cstdio>

int i = 1000, lo = 77;

template <class T> struct mixed {
  union {
    int i;
    float f;
    struct { short lo, hi; };
  };
  struct { T deep; } named;
  T k = 1;
  T sum() {
    T r;
#pragma omp target map(from : r)
    {
      auto inner = [&] { return i + named.deep; };
      r = i + lo + hi + this->i + named.deep + k + (*this).named.deep + inner();
    }
    return r;
  }
  void change(int n) {
#pragma omp target teams distribute parallel for map(tofrom : i, k, named)
    for (int q = 0; q < n; q++)
      if (q == 2) {
        i += 5;
        named.deep = i + 1;
        mixed::k += 2;
      }
#pragma omp target map(tofrom : lo)
    {
      lo++;
      this->lo++;
    }
  }
};
struct nested {
  union {
    int a;
    struct {
      short b;
      union {
        char c;
        short d;
      };
    };
  };
  int e;
};

int main() {
  mixed<int> u;
  u.i = 65538;
  u.named.deep = 20;
  std::printf("%d\n", u.sum());
  u.change(5);
  std::printf("%d %d %d %d\n", u.i, u.lo, u.k, u.named.deep);
  nested w, *p = &w;
  int r;
  w.a = 0;
  w.e = 1;
#pragma omp target map(from : r)
  r = w.b + w.d + w.e + w.a;
#pragma omp target map(tofrom : w.d, w.b)
  {
    w.d = 3;
    w.b = 4;
  }
#pragma omp target map(tofrom : p->d) map(tofrom : p->e)
  {
    p->d += 3;
    p->e++;
  }
  std::printf("%d %d %d %d %d\n", r, w.d, w.b, w.e, i + lo);
}
