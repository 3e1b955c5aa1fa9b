// Objects of the C++ library without members, and functions that are constexpr since C++20, in device code.
#include <array>
#include <cstdio>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
struct Part {
  int a = 0, b = 0;
  constexpr Part() = default;
  constexpr Part(int a, int b) : a(a), b(b) {}
  virtual ~Part() = default;
};
struct Add { int by; int operator()(int x) const { return x + by; } int of(int x) const { return x * by; } };
int main() {
  int r[10] = {};
#pragma omp target map(tofrom : r)
  {
    std::tie(r[0], std::ignore) = std::make_tuple(4, 5);
    std::ignore = r[0];
    std::optional<int> o = 5;
    auto old = std::exchange(o, std::nullopt);
    r[1] = old.value_or(-1) * 10 + std::invoke(Add{2}, 5);
    r[2] = !o.has_value();
    int q = 4;
    auto w = std::ref(q);
    w.get() = 5;
    std::reference_wrapper<int> u = q;
    r[3] = u;
    Add add{8};
    r[4] = std::invoke(&Add::of, add, 2);
    auto not_small = std::not_fn([](int x) { return x > 3; });
    r[5] = not_small(2) * 10 + not_small(5) + 3;
    auto f = std::bind([](int a, int b) { return a * 10 + b; }, std::placeholders::_1, 3);
    r[6] = f(4);
    auto second = std::mem_fn(&Add::by);
    r[7] = second(add) - 4;
    std::array<int, 3> a{3, 1, 2};
    a.fill(r[7]);
    Part part(1, 2);
    r[8] = a[2] == 4 && part.b == 2;
    std::variant<int, double> v = 3;
    v = 2.5;
    r[9] = std::visit([](auto x) { return (int)(x * 2); }, v) + (std::holds_alternative<double>(v) ? 3 : 0);
  }
  for (int i = 0; i < 10; i++) printf("%d%c", r[i], i == 7 || i == 9 ? '\n' : ' ');
}
