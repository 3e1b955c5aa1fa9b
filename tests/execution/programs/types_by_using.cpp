// Objects of class templates whose arguments another function names through a using declaration, or declares itself.
#include <cstdio>

template <class T> struct Scaled {
  T by;
  double operator()(double x) const { return x * by.factor(); }
};
template <class T> Scaled<T> scaled(T by) { return {by}; }
namespace far {
struct Plain {
  double v;
  double factor() const { return 3 * v; }
};
} // namespace far
namespace {
namespace hidden {
struct Plain2 {
  double v;
  double factor() const { return 5 * v; }
};
} // namespace hidden
} // namespace

static auto named() {
  using far::Plain;
  return scaled(Plain{2});
}
static auto unnamed() {
  using hidden::Plain2;
  return scaled(Plain2{2});
}
static auto local() {
  struct Own {
    double v;
    double factor() const { return 7 * v; }
  };
  return scaled(Own{2});
}
static auto captured() {
  struct Held {
    double v;
    double twice() const { return 2 * v; }
  };
  Held held{1.5};
  return [held](double x) { return x + held.twice(); };
}

int main() {
  auto a = named();
  auto b = unnamed();
  auto c = local();
  auto d = captured();
  double r[4] = {};
#pragma omp target map(from : r)
  {
    r[0] = a(1);
    r[1] = b(1);
    r[2] = c(1);
    r[3] = d(1);
  }
  std::printf("%g %g %g %g\n", r[0], r[1], r[2], r[3]);
}
