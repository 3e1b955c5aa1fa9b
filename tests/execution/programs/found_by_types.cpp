// What C++ finds by the types of arguments: functions that nobody names, functions that templates only ask for,
// specialisations of the library's templates and of members of templates. A device without them would compute something else.
#include <algorithm>
#include <cstdio>
#include <tuple>
#include <utility>

namespace found {
struct Row {
  int d[3];
};
int *begin(Row &r) { return r.d; }
int *end(Row &r) { return r.d + 3; }
struct Step {
  int i;
};
int operator*(Step s) { return s.i * s.i; }
Step &operator++(Step &s) { return ++s.i, s; }
bool operator!=(Step a, Step b) { return a.i != b.i; }
struct Steps {
  int from, to;
  Step begin() const { return {from}; }
  Step end() const { return {to}; }
};
struct Turned {
  int a, b;
};
template <std::size_t I> int get(const Turned &t) { return I == 0 ? t.b : t.a; }
struct Downward {
  int k;
};
bool operator<(const Downward &a, const Downward &b) { return a.k > b.k; }
struct Functor {
  bool operator()(int x, int y) const;
};
int through(int x) { return x * 3; }
bool Functor::operator()(int x, int y) const { return through(x) > y; }
} // namespace found

template <> struct std::tuple_size<found::Turned> {
  static constexpr std::size_t value = 2;
};
template <std::size_t I> struct std::tuple_element<I, found::Turned> {
  using type = int;
};

// asked, and never called
template <class T, class = void> struct Helped {
  static constexpr int value = 0;
};
template <class T> struct Helped<T, decltype((void)helper(T()))> {
  static constexpr int value = 1;
};
template <class T> struct Added {
  template <class U> static char test(decltype(U() + U()) *);
  template <class U> static long test(...);
  static constexpr int value = sizeof(test<T>(nullptr)) == 1;
};
template <class T, class = void> struct Equal : std::false_type {};
template <class T> struct Equal<T, std::void_t<decltype(std::declval<T>() == std::declval<T>())>> : std::true_type {};
namespace asked {
struct With {
  int v;
};
int helper(With w) { return w.v; }
With operator+(With, With);
bool operator==(const With &, const With &);
struct Without {};
char tag(With);
double tag(Without);
} // namespace asked
template <class T> constexpr int width = sizeof(tag(T()));
int declared_only(asked::With);

// specialisations that stand outside of what they are members of
template <class T> struct Outer {
  struct Inner {
    static int v() { return 1; }
  };
  template <class U> struct Deep {
    int v = 2;
  };
  enum E : int;
};
template <> struct Outer<asked::With>::Inner {
  static int v() { return 10; }
};
template <> template <> struct Outer<int>::Deep<int> {
  int v = 20;
};
template <> enum Outer<asked::Without>::E : int { LAST = 30 };
struct Plain {
  struct Later;
  enum class Kind : char;
  int first() const;
};
struct Plain::Later {
  int v = 40;
};
enum class Plain::Kind : char { B = 50 };
int Plain::first() const { return Later().v; }
template <class T> struct Constant {
  static const T outside;
  static constexpr T row[] = {1, 2, 3};
};
template <class T> const T Constant<T>::outside = sizeof(T) * 2;
template <> const char Constant<char>::outside = 77;

// guides say which instantiation a declaration means; first values of members find functions by their template's arguments
template <class T> struct Boxed {
  T v;
  Boxed(T x) : v(x) {}
};
Boxed(int) -> Boxed<long>;
namespace guided {
template <class T> struct Two {
  T a, b;
};
template <class T, class U> Two(T, U) -> Two<U>;
} // namespace guided
template <class T> struct Filled {
  int v = filling(T());
};
namespace asked {
int filling(With) { return 60; }
} // namespace asked
int filling(...) { return 70; }

struct Room {
  alignas(8) unsigned char bytes[32];
  int used;
};
void *operator new(std::size_t n, Room &room) { return room.bytes + (room.used += n) - n; }

static int all(int *p) {
  int s = 0, n = 0;
  auto keep = [&](int x) { p[n++] = x; };
  found::Row row{{1, 2, 3}};
  for (int &x : row) x *= 2;
  for (int x : row) s = s * 10 + x;
  keep(s);
  for (int x : found::Steps{1, 4}) s += x;
  keep(s);
  found::Turned turned{1, 2};
  auto [x, y] = turned;
  keep(x * 10 + y);
  found::Downward down[3] = {{1}, {5}, {3}};
  keep(std::max(down[0], down[1]).k);
  std::tuple<found::Downward, int> low{{1}, 0}, high{{2}, 0};
  keep(low < high);
  keep(std::max(4, 5, found::Functor()) + std::min(4, 5, [](int a, int b) { return found::Functor()(b, a); }));
  keep(Helped<asked::With>::value * 2 + Helped<asked::Without>::value);
  keep(Added<asked::With>::value * 2 + Added<asked::Without>::value);
  keep(Equal<asked::With>::value * 2 + Equal<asked::Without>::value);
  keep(width<asked::With> + width<asked::Without> + sizeof(declared_only({1})) + noexcept(declared_only({1})));
  keep(Outer<asked::With>::Inner::v() + Outer<int>::Inner::v());
  keep(Outer<int>::Deep<int>().v + Outer<int>::Deep<char>().v + Outer<asked::Without>::LAST);
  keep(Plain().first() + int(Plain::Kind::B));
  keep(Constant<long>::row[1] + Constant<long>::outside + Constant<char>::outside);
  Boxed boxed(3);
  guided::Two two_longs{1, 2L};
  keep(sizeof boxed + sizeof two_longs);
  keep(Filled<asked::With>().v);
  Room room{};
  new (room) long(5);
  keep(*new (room) long(6) + room.bytes[0] + room.used);
  return n;
}

int main() {
  int v[32] = {0}, n = 0;
#pragma omp target map(tofrom : v, n)
  n = all(v);
  for (int i = 0; i < n; i++) printf("%d\n", v[i]);
}
