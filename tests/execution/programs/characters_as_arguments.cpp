// Template arguments of character types: clang prints them as characters, of which those above 127 are negative.
#include <cstdio>

template <typename T, T N> struct Box {
  int at;
  int value() const { return N + at; }
};
template <auto N> struct Own {
  int at;
  int value() const { return N + at; }
};
template <unsigned char N> struct Byte {
  int at;
  int value() const { return N + at; }
};
template <class A, class B> struct Two {
  A a;
  B b;
  int value() const { return a.value() * 7 + b.value(); }
};

template <class B> int run(B b) {
  B several[2] = {b, b};
  int r = 0;
#pragma omp target map(tofrom : r) map(to : several) firstprivate(b)
  r = b.value() + several[1].value();
  return r;
}

template <typename T, T N> int direct() {
  Box<T, N> b{1};
  Box<T, (T)(N - 1)> c[2] = {{1}, {2}};
  Byte<(unsigned char)N> d{3};
  int r = 0;
#pragma omp target map(tofrom : r) map(to : b, c, d)
  r = b.value() * 1000 + c[1].value() + d.value();
  return r;
}

template <typename T, T N> int captured() {
  Box<T, N> s{0};
  auto by = [=](int i) { return i + N + s.value(); };
  int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < 10; i++) r += by(i);
  return r;
}

template <unsigned char N> struct Outer {
  struct Inner {
    int v;
    int value() const { return v + N; }
  };
};

template <unsigned char first, unsigned char... rest> struct Listed {
  int v;
  int value() const { return v + first + Listed<rest...>{0}.value(); }
};
template <unsigned char only> struct Listed<only> {
  int v;
  int value() const { return v + only; }
};

int main() {
  printf("%d %d %d\n", run(Box<unsigned char, 255>{1}), run(Own<(unsigned char)200>{1}), run(Byte<128>{2}));
  printf("%d %d %d\n", run(Box<char, 'b'>{0}), run(Box<signed char, -1>{0}), run(Own<(signed char)-3>{1}));
  printf("%d\n", run(Two<Box<unsigned char, 201>, Two<Byte<250>, Box<signed char, -2>>>{}));
  printf("%d %d %d\n", direct<unsigned char, 255>(), direct<signed char, -5>(), direct<char, 'x'>());
  printf("%d %d\n", captured<unsigned char, 254>(), captured<char16_t, 0xffff>());
  printf("%d %d\n", run(Outer<200>::Inner{1}), run(Listed<3, 250, 199, 100>{1}));
}
