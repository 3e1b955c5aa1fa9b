// Types of one name that blocks of functions, templates, methods and lambdas declare.
#include <cstdio>

template <class T> static int of_template(T a) {
  int s = 0;
  {
    struct P {
      T x;
    } p = {a};
#pragma omp target map(tofrom : s)
    {
      P q = p;
      s += q.x;
    }
  }
  {
    struct P {
      T x;
      int y[3];
    } p = {a, {1, 2, 3}};
#pragma omp target map(tofrom : s)
    {
      P q = p;
      s += q.x + q.y[2];
    }
  }
  return s;
}

struct S {
  int n;
  int of_method() const {
    int s = 0, m = n;
    {
      struct P {
        int x;
      } p = {m};
#pragma omp target map(tofrom : s)
      {
        P q = p;
        s += q.x;
      }
    }
    auto lambda = [&] {
      {
        struct P {
          double x;
          int y[3];
        } p = {2.5, {1, 2, m}};
#pragma omp target map(tofrom : s)
        {
          P q = p;
          s += q.x + q.y[2];
        }
      }
      enum E { FIVE = 5 };
      struct P {
        E e;
        long z;
      } p = {FIVE, m};
#pragma omp target map(tofrom : s)
      s += p.e * 10 + p.z;
    };
    lambda();
    return s;
  }
};

template <class F> static void call(F f) { f(1); }

// Classes that statements of a shared loop declare with variables or names: what their methods return leaves no loop.
int declared_with_variables() {
  int r = 0, n = 3;
  double x[4] = {};
#pragma omp target teams distribute parallel for reduction(+ : r) map(tofrom : x)
  for (int i = 0; i < 4; i++) {
    struct Sum {
      int v[4];
      int all() const {
        int t = 0;
        for (const int &e : v) t += e;
        return t;
      }
    } sum{{i, n, 2, 1}}, two[2] = {{{1}}, {{2}}};
    typedef struct {
      int k;
      int twice() const { return k * 2; }
    } Twice;
    while (true) {
      struct Own {
        int a;
        Own operator+(const Own &o) const { return {a + o.a}; }
      } own{i};
      r += (own + own).a;
      break;
    }
    x[i] = sum.all() + two[1].all();
    r += sum.all() + Twice{i}.twice();
  }
  return r + (int)x[3];
}

/** Types that name constants of their functions; those of two blocks have one name. */
#define WIDTH 3
static int blocks(int *p, int n) {
  {
    constexpr int W = WIDTH, H = W + 1;
    struct Line {
      int k[W];
      int first() const { return k[0] + W; }
    };
    using Row = int[H];
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) {
      Line l{{i}};
      Row row = {1, 2, 3, 4};
      p[i] += l.first() + row[H - 1];
    }
  }
  {
    const int W = 5;
    struct Bits {
      unsigned low : W, high : 8 - W;
    };
#pragma omp target map(tofrom : p[0 : n])
    {
      Bits b{31, 5};
      p[0] += b.low * W + b.high;
    }
  }
  return p[0];
}
template <class T> static T made(T *p, int n) {
  constexpr int W = sizeof(T);
  const int shift = 2;
  struct Line {
    T k[W];
    static constexpr int size() { return W; }
    T last() const { return k[W - 1] + shift; }
  };
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) {
    Line l{};
    l.k[W - 1] = p[i];
    p[i] = l.last() + Line::size();
  }
  return p[1];
}

/** Types of methods that name what their class keeps to itself. */
template <class T> class Totals {
  using sum_type = T;
  static constexpr int two = 2;
  enum { one = 1 };
  T *d;

public:
  explicit Totals(T *p) : d(p) {}
  T of(int n) {
    struct Part {
      sum_type v[two];
      sum_type all() const { return v[0] + v[1] + one; }
    };
    T sum{};
    const T *d = this->d;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : d[0 : n])
    for (int i = 0; i < n; ++i) {
      Part p{{d[i], 1}};
      sum += p.all();
    }
    return sum;
  }
};

// Constants of templates that are made of packs and templates.
enum Kind { kNone, kOne, kTwo };
template <int K> struct Twice { enum { value = K * 2 }; };
template <class T, class... Rest> static long with_pack(T *a, int n, Rest...) {
  constexpr int count = sizeof...(Rest);
  constexpr Kind kind = static_cast<Kind>(sizeof...(Rest));
  const long least = -static_cast<long>(sizeof...(Rest)) - 1, more = count + 2;
  struct Part {
    int v[count + 1];
    Kind of() const { return kind; }
    long all() const { return least + 3 * more; }
  } part{};
  part.v[count] = 9;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += part.v[count] + part.of() + part.all();
  return (long)a[n - 1];
}
template <template <int> class Of> static long with_template(int *a, int n) {
  constexpr int count = Of<3>::value;
  struct Part {
    int v[count + 1];
  } part{};
  part.v[count] = 9;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += part.v[count];
  return a[n - 1];
}

int main() {
  int s = 0;
  call([&](int k) {
    struct P {
      int x;
    } p = {k};
#pragma omp target map(tofrom : s)
    {
      P q = p;
      s += q.x;
    }
  });
  S five{5};
  std::printf("%d %d %d %d\n", of_template(4), of_template(2.5), five.of_method(), s);
  std::printf("%d\n", declared_with_variables());
  int a[4] = {1, 2, 3, 4};
  short b[3] = {1, 2, 3};
  const int of_blocks = blocks(a, 4), of_int = made(a, 4);
  std::printf("%d %d %d\n", of_blocks, of_int, made(b, 3));
  double c[2] = {1.5, 2};
  std::printf("%d %g\n", Totals<int>(a).of(4), Totals<double>(c).of(2));
  const long none = with_pack(a, 4), both = with_pack(c, 2, 1, 'b'), twice = with_template<Twice>(a, 4);
  std::printf("%ld %ld %ld\n", none, both, twice);
  return 0;
}
