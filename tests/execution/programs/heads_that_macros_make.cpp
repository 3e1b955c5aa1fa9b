// Macros that make the head of a function template or of a class, whose body stands behind their use.
#include <cstdio>

#define FROM_SEQUENCE(Self, Seq, seq) template <class Seq> explicit Self(Seq &seq, typename Seq::result_type * = 0)
#define TAKE_SEQUENCE(Self, Seq, seq) template <class Seq> void take(Seq &seq, typename Seq::result_type * = 0)
#define FROM_NUMBER(Self, T, x) explicit Self(const T &x)
#define CONCEPT(name, T)                            \
  template <class T> void name##_known(name<T> *); \
  template <class T> struct name
#define TWO(name)                                                     \
  struct name##_first {                                               \
    int a;                                                            \
    int get() const { return a; }                                     \
  };                                                                  \
  struct name##_second : name##_first

struct sequence {
  typedef int result_type;
  int v;
};
template <class U, int N> struct engine {
  U x;
  FROM_NUMBER(engine, U, value) { x = value; }
  FROM_SEQUENCE(engine, Seq, seq) { take(seq); }
  TAKE_SEQUENCE(engine, Other, seq) { x = seq.v; }
  U operator()();
};
template <class U, int N> U engine<U, N>::operator()() { return x + N; }

template <class T> struct holds;
template <class T> struct counts;
CONCEPT(holds, T) {
  T v;
  T get() const { return v; }
};
CONCEPT(counts, T) : holds<T> {
  T more() const { return this->get() + 1; }
  TWO(in) {
    int both() const { return this->get() + this->a; }
  };
};
TWO(of) {
  int both() const { return get() + a; }
};

int main() {
  int s = 4, t = 0;
#pragma omp target map(tofrom : s, t)
  {
    counts<int> c;
    c.v = s;
    of_second o;
    o.a = 3;
    counts<int>::in_second i;
    i.a = 1;
    s = c.more() + o.both() + i.both();
    sequence q{3};
    engine<int, 4> e(q), f(7);
    t = e() + f();
  }
  std::printf("%d %d\n", s, t);
}
