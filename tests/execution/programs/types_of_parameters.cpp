// Types that a template's function takes from its parameters and from calls: regions copy functors and iterators by them.
#include <cstdio>
#include <iterator>
#include <type_traits>
#include <utility>
#define PRAGMA(x) _Pragma(#x)
#define COMBINED_BY(policy)                                                                                            \
  policy();                                                                                                            \
  PRAGMA(omp declare reduction(joined : typename std::remove_reference<decltype(results)>::type                        \
                               : layer::join(Policy {}, omp_out, omp_in)))
#define BOUNDS(range)                                                                                                  \
  auto first = std::begin(range);                                                                                      \
  auto last = std::end(range);                                                                                         \
  auto length = std::distance(first, last)
namespace layer {
namespace steps {
template <typename T = long, typename Difference = T> class numbers {
  T value;

public:
  using value_type = T;
  using difference_type = Difference;
  using pointer = T *;
  using reference = T &;
  using iterator_category = std::random_access_iterator_tag;
  explicit numbers(T at) : value(at) {}
  T operator*() const { return value; }
  T operator[](Difference by) const { return value + by; }
  Difference operator-(const numbers &other) const { return value - other.value; }
  numbers &operator++() { return ++value, *this; }
  bool operator!=(const numbers &other) const { return value != other.value; }
};
} // namespace steps
struct range {
  long from, to;
  steps::numbers<> begin() const { return steps::numbers<>(from); }
  steps::numbers<> end() const { return steps::numbers<>(to); }
};
template <int Threads> struct threads {};
struct any_threads {};
struct adding {
  template <class T> static T of(T a, T b) { return a + b; }
};
template <class T> struct results_of {
  T total = T(), most = T();
};
template <class Policy, class T> void join(Policy, results_of<T> &out, const results_of<T> &in) {
  out.total = adding::of(out.total, in.total);
  out.most = out.most < in.most ? in.most : out.most;
}
template <int Threads, class Range, class Function> void forall(const threads<Threads> &, Range &&range, Function &&each) {
  using Body = typename std::remove_reference<decltype(each)>::type;
  Body body = each;
  BOUNDS(range);
  auto i = length;
#pragma omp target teams distribute parallel for num_teams(3) schedule(static, 1) map(to : body, first)
  for (i = 0; i < length; ++i) {
    Body own = body;
    own(first[i]);
  }
}
template <class Range, class Function> void forall(const any_threads &, Range &&range, Function &&each) {
  using Body = typename std::remove_reference<decltype(each)>::type;
  Body body = each;
  BOUNDS(range);
#pragma omp target teams distribute parallel for firstprivate(body, first)
  for (decltype(length) i = 0; i < length; ++i) {
    Body own = body;
    own(first[i]);
  }
}
template <class Range, class Function, class Results>
void reduced(const any_threads &policy, Range &&range, Function &&each, Results &results) {
  using Policy = typename std::decay<decltype(policy)>::type;
  COMBINED_BY(Policy);
  using Body = typename std::remove_reference<decltype(each)>::type;
  Body body = each;
  BOUNDS(range);
#pragma omp target teams distribute parallel for firstprivate(body, first) reduction(joined : results)
  for (decltype(length) i = 0; i < length; ++i) {
    Body own = body;
    own(first[i], results);
  }
}
template <class Function> void once(Function &&each) {
  using Reference = decltype(each);
  using Same = decltype((each));
#pragma omp target map(tofrom : each)
  {
    Reference there = static_cast<Reference>(each);
    Same here = each;
    here(1);
    there(2);
  }
}
} // namespace layer
struct counter {
  int seen = 0;
  void operator()(int by) { seen += by; }
};
int main() {
  const int n = 50;
  int *x = new int[n]();
#pragma omp target enter data map(to : x[0 : n])
  layer::forall(layer::threads<64> {}, layer::range {0, n}, [=](long i) { x[i] += 2 * i; });
  layer::forall(layer::any_threads {}, layer::range {10, n}, [=](int i) { x[i] += 1; });
  layer::range all {0, n};
  auto three = [=](long i) { x[i] += 3; };
  layer::forall(layer::threads<32> {}, all, three);
#pragma omp target exit data map(from : x[0 : n])
  long total = 0;
  for (int i = 0; i < n; ++i) total += (i % 7) * x[i];
  printf("%ld %d %d\n", total, x[0], x[n - 1]);
  layer::results_of<long> whole;
  layer::reduced(layer::any_threads {}, all, [](long i, layer::results_of<long> &r) {
    r.total += i;
    r.most = r.most < i % 41 ? i % 41 : r.most;
  }, whole);
  layer::results_of<double> halves;
  layer::reduced(layer::any_threads {}, all, [](long i, layer::results_of<double> &r) { r.total += i / 2.0; }, halves);
  printf("%ld %ld %g\n", whole.total, whole.most, halves.total);
  counter seen;
  layer::once(seen);
  printf("%d\n", seen.seen);
  delete[] x;
}
