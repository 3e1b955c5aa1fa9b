// Loops over ranges of the user's own classes, named and made in the header, by constructors, functions and methods, whose
// iterators are objects without an index operator; also those that refer to themselves while they are used.
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <vector>
template <class I> class Range {
  I b_, e_;

public:
  class iterator {
    I v_;

  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using pointer = const I *;
    using reference = const I &;
    explicit iterator(I v) : v_(v) {}
    const I &operator*() const { return v_; }
    iterator &operator++() {
      ++v_;
      return *this;
    }
    iterator &operator+=(difference_type n) {
      v_ += n;
      return *this;
    }
    iterator operator+(difference_type n) const { return iterator(v_ + n); }
    difference_type operator-(const iterator &o) const { return difference_type(v_) - difference_type(o.v_); }
    bool operator!=(const iterator &o) const { return v_ != o.v_; }
    bool operator<(const iterator &o) const { return v_ < o.v_; }
  };
  Range(I b, I e) : b_(b), e_(e < b ? b : e) {}
  explicit Range(I e) : Range(I(0), e) {}
  iterator begin() const { return iterator(b_); }
  iterator end() const { return iterator(e_); }
};
template <class I> static Range<I> indices(I n) { return Range<I>(n); }

template <class It, class F> struct Applied {
  using difference_type = std::ptrdiff_t;
  using value_type = long;
  using reference = long;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  It it;
  F f;
  long operator*() const { return f(*it); }
  Applied &operator++() {
    ++it;
    return *this;
  }
  Applied &operator+=(difference_type n) {
    it += n;
    return *this;
  }
  friend Applied operator+(Applied a, difference_type n) { return a += n; }
  friend difference_type operator-(const Applied &a, const Applied &b) { return a.it - b.it; }
  friend bool operator<(const Applied &a, const Applied &b) { return a.it < b.it; }
  friend bool operator!=(const Applied &a, const Applied &b) { return a.it != b.it; }
};
template <class R, class F> struct View {
  R r;
  F f;
  auto begin() const { return Applied<decltype(r.begin()), F>{r.begin(), f}; }
  auto end() const { return Applied<decltype(r.end()), F>{r.end(), f}; }
};
template <class R, class F> static View<R, F> operator|(R r, F f) { return {r, f}; }
struct Times {
  long k;
  long operator()(long x) const { return x * k + 1; }
};
struct Slice {
  double *p;
  int n;
  double *begin() const { return p; }
  double *end() const { return p + n; }
};
static Slice slice(double *p, int from, int to) { return {p + from, to - from}; }
struct Mesh {
  int cells, ghosts;
  Range<int> inner() const { return Range<int>(ghosts, cells - ghosts); }
};
template <class T> static T of_template(T n) {
  T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (auto i : Range<T>(2, n)) s += i;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s)
  for (const T &i : indices(n))
    for (auto &&j : indices(T(3))) s += i * j;
  return s;
}
int main() {
  long s[8] = {0};
  const int n = 200;
  std::vector<double> v(n, 1.5);
  double *p = v.data();
  const Range<int> named(5, 50);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (auto i : named) s[0] += i;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (const int &i : Range<int>(3, n)) s[1] += i;
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (auto i : Range<std::size_t>(n)) p[i] *= i;
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (const int i : indices(n)) p[i] += i;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s)
  for (auto i : Range<int>(10))
    for (auto j : indices(7)) s[2] += i * j;
#pragma omp target teams distribute reduction(+ : s)
  for (int t = 0; t < 4; t++) {
    long q = 0;
#pragma omp parallel for reduction(+ : q)
    for (auto j : Range<int>(t, 4 * t)) q += j;
    for (auto k : Range<int>(2)) q += k;
    s[3] += q;
  }
#pragma omp target parallel for reduction(+ : s)
  for (auto i : Range<int>(9, 3)) s[4] += i;
  const auto view = Range<long>(0, 500) | Times{3} | Times{2};
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (long x : view) s[5] += x;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (long x : Range<long>(0, n) | Times{3}) s[6] += x;
  const Mesh mesh{100, 2};
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (auto i : mesh.inner()) s[7] += i;
  double *d = p;
#pragma omp target data map(tofrom : p[0 : n]) use_device_ptr(d)
  {
#pragma omp target teams distribute parallel for is_device_ptr(d)
    for (double &x : slice(d, 10, 20)) x = -x;
#pragma omp target teams distribute parallel for is_device_ptr(d)
    for (double &x : Slice{d + 30, 5}) x = 1;
  }
  double t = 0;
  for (double x : v) t += x;
  for (long x : s) printf("%ld ", x);
  printf("%g %d %ld\n", t, of_template(20), of_template(30L));
}
