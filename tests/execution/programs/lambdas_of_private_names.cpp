// Lambdas in methods that name private enumerators, enumerations and static members, alone and behind the class's name.
#include <cstdio>

template <class F> long run(int n, F f) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}

class Plain {
  int secret = 4;
  enum Kind { Few = 2 };
  enum class Level { Low = 1, High = 9 };
  static int hidden(int x) { return x + 1; }
  struct Inner {
    static constexpr int Size = 6;
    enum { Rest = 7 };
  };

public:
  long values(const Plain &o) const {
    Plain c = o;
    return run(5, [=](int i) { return i * c.secret + Few; }) + run(5, [k = 2](int i) { return i * Few + k; }) +
           run(5, [this, q = o](int i) { return hidden(i) + secret * q.secret; });
  }
  long qualified() const {
    return run(3, [=](int i) {
             Kind k = Few;
             const Plain::Kind other = Kind::Few;
             return i + k + Plain::Kind::Few + other + static_cast<int>(Level::High);
           }) +
           run(3, [this](int i) { return Plain::hidden(i) + secret + Plain::Few + Inner::Size + Inner::Rest; });
  }
};

template <class T> class Typed {
  T secret = 4;
  enum Kind { Few = 2 };
  static T hidden(T x) { return x + 1; }

public:
  long values(const Typed &o) const {
    auto c = o;
    return run(5, [=](int i) { return long(i * c.secret) + Few; }) +
           run(5, [this, q = o](int i) { return long(hidden(T(i)) + secret * q.secret); });
  }
};

int main() {
  Plain p;
  Typed<float> f;
  Typed<int> i;
  std::printf("%ld %ld %ld %ld\n", p.values(p), p.qualified(), f.values(f), i.values(i));
  return 0;
}
