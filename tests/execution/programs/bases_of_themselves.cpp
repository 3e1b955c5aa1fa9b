// Class templates that are bases of themselves with other arguments, down to a specialisation.
#include <cstdio>

template <int N> struct steps : steps<N - 1> {
  int size = N;
  int sum() const { return size + steps<N - 1>::sum(); }
};
template <> struct steps<0> {
  int value = 1;
  int sum() const { return value; }
};
template <int N> struct shape : shape<N - 1> {
  int corners() const override { return 10 * N; }
};
template <> struct shape<0> {
  int by = 2;
  virtual int corners() const { return by; }
};
template <int N> struct odd;
template <int N> struct even : odd<N - 1> {
  int sides() const override { return N + 100; }
};
template <> struct even<0> {
  int by = 3;
  virtual int sides() const { return by; }
};
template <int N> struct odd : even<N - 1> {
  int sides() const override { return N + 200; }
};
static int of(const shape<0> &any) { return any.corners(); }
static int sides(const even<0> &any) { return any.sides() + any.by; }
template <int N> static int through(const steps<N> &all) { return all.sum() + all.value; }

int main() {
  steps<4> many;
  many.value = 5;
  const steps<3> fixed;
  int sum = 0, seen = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) firstprivate(many)
  for (int i = 0; i < 20; i++) sum += many.sum() * i + fixed.value + through(fixed);
#pragma omp target map(tofrom : seen)
  {
    shape<2> two;
    shape<0> none;
    even<4> four;
    odd<3> three;
    seen += of(two) + 1000 * of(none) + sides(four) + 7 * sides(three);
  }
  steps<2> *mapped = &(steps<2> &)many;
  int there = 0;
#pragma omp target map(to : mapped[0 : 1]) map(tofrom : there)
  there += mapped->sum() + mapped[0].value;
  std::printf("%d %d %d\n", sum, seen, there);
}
