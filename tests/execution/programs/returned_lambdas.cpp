// Lambdas that functions return, called in regions: device code names their classes.
#include <cstdio>
#include <utility>

static auto scaler(double k) { return [k](double x) { return x * k; }; }
template <class T> auto mover(T k) { return [k = std::move(k)](auto x) { return x + k; }; }
template <class F, class G> constexpr auto compose(F f, G g) {
  return [f = std::move(f), g = std::move(g)](auto &&...xs) { return f(g(std::forward<decltype(xs)>(xs)...)); };
}
static auto reader(const double *p, int n) {
  return [=](int i) { return i < n ? p[i] : -1; };
}
struct Table {
  double factor = 3;
  auto times() const {
    const double f = factor;
    return [f](double x) { return f * x; };
  }
};

int main() {
  double s = 0;
  auto a = scaler(2);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < 10; i++) s += a(i);
  std::printf("%f\n", s);
  double v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma omp target data map(to : v)
  {
    const auto r = reader(v, 8);
    auto t = Table{}.times();
    auto copy = a;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < 10; i++) s += r(i) + t(i) + copy(1);
  }
  std::printf("%f\n", s);
  auto big = scaler(1e3), small = scaler(1e-3);
  double out[3];
  constexpr auto twice = [](auto x) { return x + x; };
  auto both = compose(twice, mover(1));
#pragma omp target map(from : out)
  {
    out[0] = big(5) + small(2);
    auto inner = scaler(7);
    out[1] = inner(big(1));
    out[2] = both(20);
  }
  std::printf("%f %f %f\n", out[0], out[1], out[2]);
  return 0;
}
