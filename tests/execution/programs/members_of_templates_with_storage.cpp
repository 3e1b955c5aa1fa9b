// Constant members of class templates with their first value in the class and storage outside, bound to references, in
// functions that a constructor nobody names calls by a name that several have.
#include <cstdio>

#define SEED(T, x) void seed(const T &x)
template <class U, int w> struct shifts {
  static const U first = 341;
  static const int width = w;
  shifts() { seed(); }
  explicit shifts(const U &x) { seed(x); }
  void seed() { seed(first); }
  SEED(U, x) { value = x << w; }
  const U &start() const { return first; }
  U value;
};
template <class U, int w> const U shifts<U, w>::first;
template <class U, int w> const int shifts<U, w>::width;
template <class A, class B> struct combines {
  typedef A one_type;
  typedef B other_type;
  explicit combines(unsigned x) : spare() { seed(x); }
  void seed(unsigned x) { one.seed(x); }
  unsigned operator()() { return one.value + other.value + spare.value; }
  one_type one;
  other_type other, spare;
};

int main() {
  unsigned s = 4, t = 0;
#pragma omp target map(tofrom : s, t)
  {
    combines<shifts<unsigned, 2>, shifts<unsigned, 3>> c(s + 1);
    shifts<unsigned, 5> own;
    s = c();
    t = own.value + own.start() + own.width;
  }
  std::printf("%u %u\n", s, t);
}
