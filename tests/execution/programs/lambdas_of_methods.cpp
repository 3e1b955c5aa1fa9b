// Lambdas in methods that are defined outside of their classes, and where using directives are.
#include <cstdio>
namespace numbers {
struct slot { int at; };
inline int plain(slot i) { return i.at; }
namespace inner { inline int twice(int x) { return 2 * x; } }
}
namespace run {
template <class Body> void forall(int n, Body body) {
#pragma omp target teams distribute parallel for firstprivate(body)
  for (int i = 0; i < n; ++i) body(i);
}
template <class Body> void of_indices(int n, Body &&body) {
  auto own = body;
#pragma omp target teams distribute parallel for firstprivate(own)
  for (int i = 0; i < n; ++i) own(numbers::slot {i});
}
template <class T> struct view {
  T *held; int from;
  view(T *p, int f) : held(p), from(f) {}
  T &operator()(int i) const { return held[i - from]; }
};
}
namespace suite {
static const int bias = 3;
struct base { static int shared(int x) { return x + 1; } int run_reps = 2; };
class kernel : public base {
public:
  explicit kernel(int n) : m_n(n), m_x(new int[n]()) {}
  ~kernel() { delete[] m_x; }
  int run(int which);
private:
  static int own(int x) { return x - 1; }
  int m_n; int *m_x;
};
#define SETUP int *x = m_x; const int n = m_n; using namespace numbers; using numbers::inner::twice; namespace in = numbers::inner; using view_of = run::view<int>;
#define BODY(i) x[i] += 3 * i + bias
int kernel::run(int which) {
  SETUP
  view_of view(x, 0);
#pragma omp target enter data map(to : x[0 : n])
  for (int r = 0; r < run_reps; ++r) {
    run::forall(n, [=](int i) { BODY(i); });
    run::of_indices(n, [=](slot i) { x[plain(i)] += twice(1) + in::twice(i.at); });
  }
  {
    using namespace numbers::inner;
    run::forall(n, [=](int i) { x[i] += twice(i) + suite::base::shared(0); });
  }
#pragma omp target exit data map(from : x[0 : n])
  int s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * (i % 5) + view(i) * which;
  return s;
}
}
int main() {
  suite::kernel k(40);
  printf("%d\n", k.run(1));
}
