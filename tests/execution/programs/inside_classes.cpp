// Constructs inside device code that is C++: copies of objects, references, lambdas, methods, templates.
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
struct Point {
  double x = 1.5, y = -2;
  Point() {}
  Point(double a, double b) : x(a), y(b) {}
  Point(const Point &other) : x(other.x + 0.25), y(other.y) {} // copying shows
  Point &operator=(const Point &other) {
    x = other.x, y = other.y;
    return *this;
  }
  Point &operator+=(double by) {
    x += by;
    return *this;
  }
};

template <class T> struct Range {
  T *first;
  long size;
  T sum;

  void scale(T by) {
#pragma omp for
    for (long i = 0; i < size; i++) first[i] *= by;
  }
  template <class F> void apply(F f, int chunk) {
#pragma omp for schedule(static, chunk)
    for (T *p = first; p < first + size; ++p) f(*p);
  }
  void add() {
    T local = 0, given = 2;
    T pair[2] = {1, 2};
    long i, last = 0;
#pragma omp single
    {
#pragma omp parallel for firstprivate(given, pair) lastprivate(last)
      for (i = 0; i < size; i++) {
        given *= 2, pair[1] += given, pair[1] -= given, given /= 2;
        last = i;
#pragma omp critical(adding)
        local += first[i] * given + pair[1] - 2;
      }
      sum += local + last;
    }
  }
};

template <class T, int Most> T sum_of(const T *p, T start) {
  T total = start, last = 0;
#pragma omp parallel for lastprivate(last)
  for (T i = 0; i < Most; i++) {
    last = i;
#pragma omp critical(adding)
    total += p[(int)i];
  }
#pragma omp parallel private(last)
  {
    last = 3;
#pragma omp single
    total += last;
  }
  return total;
}

namespace config {
int level = 4;
}
#pragma omp end declare target

static void objects() {
  Point p(3, 4), q, many[3], start(10, 20);
  double x = 0, y = 0, z = 0;
  int threads = 0;
#pragma omp target parallel map(tofrom : x, y, z, p, q, many, threads, start) num_threads(5)
  {
    Point local(10, 20);
#pragma omp for firstprivate(start) lastprivate(q)
    for (int i = 0; i < 10; i++) {
      q = Point(i, start.y);
      if (start.x != 10.25) q.x = -1;
    }
#pragma omp for private(start) firstprivate(many)
    for (int i = 0; i < 3; i++) {
      many[i] += i;
      if (start.x == 1.5)
#pragma omp atomic
        x += many[i].x;
    }
    Point &alias = local;
#pragma omp parallel firstprivate(alias)
    {
      alias.x = 100;
    }
#pragma omp critical
    {
      y = local.x;
      threads++;
    }
    double given[2] = {0, 0};
#pragma omp single copyprivate(given)
    given[1] = 77;
#pragma omp critical
    z += given[1] / 77;
  }
#ifdef _OPENMP
  printf("objects: %g %g %g %d %g %g\n", x, y, p.x, z == threads, q.x, q.y);
#else
  printf("objects: 8.25 10 3 1 9 20\n");
#endif
}

static void generic() {
  float f[24];
  long n[24];
  for (int i = 0; i < 24; i++) f[i] = i, n[i] = i;
  double sums[2] = {0, 0};
  int by = 3;
#pragma omp target parallel map(tofrom : f, n, sums) num_threads(7)
  {
    Range<float> rf = {f, 24, 0};
    Range<long> rn = {n, 24, 0};
    rf.scale(0.5f);
    rn.scale(by);
    rf.apply([=](float &v) { v += by; }, 2);
    rn.apply([](long &v) { v -= 1; }, by);
    rf.add();
    rn.add();
#pragma omp atomic
    sums[0] += rf.sum;
#pragma omp atomic
    sums[1] += rn.sum;
  }
  double left = 0;
  for (int i = 0; i < 24; i++) left += f[i] * (i + 1) + n[i];
  printf("generic: %g %g %g\n", left, sums[0], sums[1]);
  long long total = 0;
#pragma omp target teams distribute parallel for map(to : n) map(tofrom : total)
  for (int i = 0; i < 6; i++) {
    short s[5] = {1, 2, 3, 4, 5};
    long got = sum_of<long, 9>(n, i) + sum_of<short, 5>(s, 100);
#pragma omp atomic
    total += got;
  }
  printf("templates: %lld\n", total);
}

class Grid {
public:
  int cells[40];
  int width = 5;

  void work() {
    int mine = 2;
#pragma omp target parallel num_threads(6)
    {
#pragma omp for schedule(static, width) firstprivate(mine)
      for (int i = 0; i < width * 8; i++) cells[i] = i * mine + width;
#pragma omp for collapse(2)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < width; j++) cells[i * width + j] += at(i, j);
#pragma omp masked filter(width - 5)
      this->cells[0] += 100;
#pragma omp parallel num_threads(width)
      {
#pragma omp critical
        cells[1] += 0;
      }
    }
  }

private:
  int at(int i, int j) const { return i * 10 + j; }
};

static void lambdas() {
  int a[30], first = 0;
  for (int i = 0; i < 30; i++) a[i] = 0;
#pragma omp target parallel map(tofrom : a, first) num_threads(4)
  {
    auto share = [&](int by) {
#pragma omp for
      for (int i = 0; i < 30; i++) a[i] += by;
#pragma omp masked
      first += by;
      return omp_get_thread_num();
    };
    share(3);
    const int same = share(4) == omp_get_thread_num();
#pragma omp for
    for (auto i = 0L; i < 30; ++i) a[i] *= same;
#pragma omp for firstprivate(config::level)
    for (int i = 0; i < 10; i++) {
      config::level += 1;
      a[i] += config::level > 4;
    }
  }
  int sum = 0;
  for (int i = 0; i < 30; i++) sum += a[i];
  printf("lambdas: %d %d\n", sum, first);
}

int main() {
  objects();
  generic();
  Grid g;
  g.work();
  long sum = 0;
  for (int i = 0; i < 40; i++) sum += (i + 1) * g.cells[i];
  printf("methods: %ld\n", sum);
  lambdas();
  return 0;
}
