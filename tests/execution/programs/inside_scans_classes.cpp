// Prefix sums inside regions of C++: classes, references, scopes, templates, functions that are templates.
#include <cstdio>
#include <omp.h>

constexpr int N = 150;

namespace counts {
static int all = 2;
}

// A value with a copy operation of its own.
struct Tally {
  long sum;
  int steps;
  Tally(long sum = 0, int steps = 0) : sum(sum), steps(steps) {}
  Tally(const Tally &other) : sum(other.sum), steps(other.steps) {}
  Tally &operator=(const Tally &other) {
    sum = other.sum;
    steps = other.steps;
    return *this;
  }
  ~Tally() {}
  void operator+=(int x) {
    sum = 2 * sum + x;
    steps++;
  }
};
#pragma omp declare reduction(after : Tally : omp_out = Tally((omp_out.sum << omp_in.steps) + omp_in.sum, omp_out.steps \
                              + omp_in.steps)) initializer(omp_priv = Tally())

struct Point {
  double x, y;
  Point &operator+=(const Point &o) {
    x += o.x;
    y += o.y;
    return *this;
  }
};
#pragma omp declare reduction(+ : Point : omp_out += omp_in)

static int a[N], in[N], ex[N];

static void show(const char *what, const int *values) {
  unsigned sum = 0;
  for (int i = 0; i < N; i++) sum = sum * 31u + (unsigned)values[i];
  std::printf("%s %u\n", what, sum);
}

static void references(int &given) {
  Point p = {1, 2};
#pragma omp target map(to : a) map(tofrom : in, ex, given, p, counts::all)
  {
    int width = 35;
#pragma omp parallel num_threads(width)
    {
#pragma omp for reduction(inscan, + : given)
      for (int i = 0; i < N; i++) {
        given += a[i];
#pragma omp scan inclusive(given)
        in[i] = given;
      }
#pragma omp for reduction(inscan, + : counts::all)
      for (int i = 0; i < N; i++) {
        ex[i] = counts::all;
#pragma omp scan exclusive(counts::all)
        counts::all += a[i];
      }
#pragma omp for reduction(inscan, + : p)
      for (int i = 0; i < N; ++i) {
        p += Point{0.5, (double)a[i]};
#pragma omp scan inclusive(p)
        in[i] += (int)(p.x + p.y);
      }
    }
  }
  std::printf("%d %d %g %g\n", given, counts::all, p.x, p.y);
  show("in", in);
  show("ex", ex);
}

static void classes() {
  Tally t(1, 0), u(1, 0), v(0, 0);
#pragma omp target map(to : a) map(tofrom : in, ex, t, u, v)
  {
    int width = 40;
#pragma omp parallel num_threads(width)
    {
#pragma omp for reduction(inscan, after : t)
      for (int i = 0; i < 50; i++) {
        t += a[i] & 1;
#pragma omp scan inclusive(t)
        in[i] = (int)(t.sum % 10007) + t.steps;
      }
    }
#pragma omp parallel for reduction(inscan, after : u)
    for (int i = 0; i < 50; i++) {
      ex[i] = (int)(u.sum % 10007) + u.steps;
#pragma omp scan exclusive(u)
      u += a[i] & 1;
    }
#pragma omp simd reduction(inscan, after : v)
    for (int i = 0; i < 50; i++) {
      v += a[i] & 1;
#pragma omp scan inclusive(v)
      ex[i] += v.steps;
    }
  }
  std::printf("%ld %d %ld %d %ld %d\n", t.sum, t.steps, u.sum, u.steps, v.sum, v.steps);
  show("in", in);
  show("ex", ex);
}

template <class T> static T of_template(T first, int width) {
#pragma omp target map(to : a) map(tofrom : in, first)
  {
    width++;
#pragma omp parallel for reduction(inscan, + : first) num_threads(width)
    for (int i = 0; i < N; i++) {
      first += (T)a[i] / 2;
#pragma omp scan inclusive(first)
      in[i] = (int)(first * 2);
    }
  }
  return first;
}

template <class T> static void prefix(const T *from, T *to, int n, long &sum) {
#pragma omp for reduction(inscan, + : sum)
  for (int i = 0; i < n; i++) {
    to[i] = (T)sum;
#pragma omp scan exclusive(sum)
    sum += from[i];
  }
}

struct Rows {
  int width, offset;
  long run(int n, const int *a, int *ex) {
    long sum = offset;
#pragma omp target map(to : a[0 : N]) map(tofrom : ex[0 : N], sum)
    {
      long own = sum;
#pragma omp parallel num_threads(width)
      {
        prefix(a, ex, n, own);
        prefix(a, ex, n / 2, own);
      }
      int *sums = ex;
      auto scan = [&](int from) {
        int s = from;
#pragma omp parallel for reduction(inscan, + : s)
        for (int i = 0; i < width; i++) {
          s += offset;
#pragma omp scan inclusive(s)
          sums[i] += s;
        }
        return s;
      };
      sum = own + scan(width);
    }
    return sum;
  }
};

int main() {
  for (int i = 0; i < N; i++) a[i] = (i * 37) % 101 - 20;
  int given = 4;
  references(given);
  classes();
  std::printf("%d\n", of_template(3, 20));
  std::printf("%g\n", of_template(0.5, 63));
  std::printf("%ld\n", of_template(7L, 0));
  show("in", in);
  Rows rows = {33, 5};
  std::printf("%ld\n", rows.run(N, a, ex));
  show("ex", ex);
  return 0;
}
