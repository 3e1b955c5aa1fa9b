// Macros that make several declarations each, of which a region needs one.
#include <cstdio>
struct sequential {};
struct parallel {};
template <class Policy, class T> class Sum;
template <class Policy, class T> class Least;
template <class Policy, class T> class Most;
template <class T> struct first_of_sum {
  static constexpr T value = T(0);
};
template <class T> struct first_of_least {
  static constexpr T value = T(1000);
};
template <class T> struct first_of_most {
  static constexpr T value = T(-1000);
};
#define REDUCER(name, first, policy, better)                                                                           \
  template <class T> class name<policy, T> {                                                                           \
    T held = first<T>::value;                                                                                          \
                                                                                                                       \
  public:                                                                                                              \
    void take(T by) { held = better; }                                                                                 \
    T get() const { return held; }                                                                                     \
  };
#define REDUCERS(policy)                                                                                               \
  REDUCER(Sum, first_of_sum, policy, held + by)                                                                        \
  REDUCER(Least, first_of_least, policy, by < held ? by : held)                                                        \
  REDUCER(Most, first_of_most, policy, by > held ? by : held)
REDUCERS(sequential)
REDUCERS(parallel)
#define PAIR(name, factor)                                                                                             \
  static int name##_once(int x) { return helper_##factor(x); }                                                         \
  static int name##_twice(int x) { return helper_##factor(helper_##factor(x)); }
static int helper_2(int x) { return 2 * x; }
static int helper_3(int x) { return 3 * x; }
PAIR(doubled, 2)
PAIR(tripled, 3)
int main() {
  int r[3] = {0, 0, 0};
#pragma omp target map(tofrom : r)
  {
    Sum<parallel, int> sum;
    Most<sequential, int> most;
    for (int i = 0; i < 10; ++i) {
      sum.take(i);
      most.take((i * 7) % 10);
    }
    r[0] = sum.get();
    r[1] = most.get();
    r[2] = doubled_twice(5);
  }
  printf("%d %d %d %d\n", r[0], r[1], r[2], tripled_once(1) + tripled_twice(1) + doubled_once(1));
}
