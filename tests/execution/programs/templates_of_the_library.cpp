/* Templates with regions that only templates of system headers instantiate. */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

struct Raise {
  template <class T> void operator()(std::vector<T> &v) const {
    T *p = v.data();
    int n = (int)v.size();
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i] += 1;
  }
};

struct Scale {
  int by;
  template <class T> void over(T *v, int n) {
    int f = by;
#pragma omp target map(tofrom : v[0 : n])
    for (int i = 0; i < n; i++) v[i] *= f;
  }
};

/* What an object's class needs, where a template of the library makes the object. */
struct Case {
  virtual ~Case() = default;
  virtual double run() = 0;
};
template <class T> void twice(T *v, int n) {
#pragma omp target teams distribute parallel for map(tofrom : v[0 : n])
  for (int i = 0; i < n; i++) v[i] *= 2;
}
template <class T> class Doubled : public Case {
  int n;

public:
  explicit Doubled(int n) : n(n) {}

private:
  double run() override {
    std::vector<T> v(n, T(3.25));
    twice(v.data(), n);
    return v[n - 1];
  }
};
template <class T> struct Maker {
  template <class F> static std::unique_ptr<Case> make(F f) { return std::make_unique<Doubled<T>>(f()); }
};

/* Classes that virtual functions make, whose virtual functions make others. */
template <class T, int depth> struct Chain : Case {
  double run() override {
    std::unique_ptr<Case> next = std::make_unique<Chain<T, depth - 1>>();
    T one = 1;
#pragma omp target map(tofrom : one)
    one *= depth;
    return one * next->run();
  }
};
template <class T> struct Chain<T, 0> : Case {
  double run() override { return T(1); }
};

/* A virtual function of a class of the library's shape calls the user's. */
template <class... Ts> struct Runs {
  static void all() { (std::printf("%g ", std::make_shared<Chain<Ts, 2>>()->run()), ...); }
};

int main() {
  std::vector<std::vector<short>> all(3, std::vector<short>(5, 7));
  std::for_each(all.begin(), all.end(), Raise());
  for (auto &v : all) std::printf("%d ", v[4]);
  std::variant<std::vector<int>, std::vector<float>> some = std::vector<float>(4, 2.5f);
  std::visit(Raise(), some);
  std::printf("%g\n", std::get<1>(some)[3]);

  std::function<void(std::vector<unsigned char> &)> raise = Raise();
  std::vector<unsigned char> letters(3, 'a');
  raise(letters);
  double halves[2] = {0.5, 1.5};
  long whole[3] = {1, 2, 3};
  Scale scale{3};
  std::function<void(Scale &, double *, int)> over = &Scale::over<double>;
  over(scale, halves, 2);
  std::mem_fn (&Scale::over<long>)(scale, whole, 3);
  std::printf("%c %g %ld\n", letters[2], halves[1], whole[2]);

  std::vector<std::unique_ptr<Case>> cases;
  cases.push_back(std::make_unique<Doubled<double>>(4));
  cases.emplace_back(new Doubled<long>(5));
  cases.push_back(Maker<unsigned>::make([] { return 3; }));
  cases.push_back(std::make_unique<Chain<float, 3>>());
  for (auto &c : cases) std::printf("%g ", c->run());
  Runs<int, unsigned long>::all();
  std::printf("\n");
}
