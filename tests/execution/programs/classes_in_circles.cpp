// Classes that are made of themselves in some way: arguments of their own parts, and referred to by their members.
#include <cstdio>
#include <vector>

struct tree {
  int value;
  std::vector<tree> below;
};
template <class T> struct ends {
  T *first = nullptr, *last = nullptr;
};
template <class T> struct list : ends<T> {
  int count = 0;
};
struct part {
  double value;
  list<part> further;
};
struct linked {
  double value;
  const linked &other;
};
struct owner;
struct owned {
  int number;
  const owner &of;
};
struct owner {
  owned only;
  int number;
};
template <class D> struct shape {
  double area() const { return static_cast<const D &>(*this).side() * 2; }
};
template <class T> struct square : shape<square<T>> {
  T length;
  double side() const { return length; }
};

int main() {
  const tree whole{3, {{4, {}}, {5, {}}}};
  const part one{1.5, {}};
  const linked self{2.25, self};
  const owner both{{7, both}, 8};
  square<float> drawn;
  drawn.length = 3;
  const square<float> fixed = drawn;
  double sum = 0;
#pragma omp target map(tofrom : sum)
  sum += whole.value + one.value + self.value + both.number + both.only.number + fixed.area();
  auto more = [=](double by) { return by * one.value + both.number; };
#pragma omp target map(tofrom : sum)
  sum = more(sum);
  double all = 0;
#pragma omp target teams distribute parallel for reduction(+ : all) firstprivate(one, fixed)
  for (int i = 0; i < 100; i++) all += i * one.value + fixed.side();
  std::printf("%g %g\n", sum, all);
}
