// Methods that no region calls, with static objects and streams, directly or through functions, inside and outside.
#include <cstdio>
#include <iostream>
#include <map>
#include <string>
struct registry;
static registry &the_one();
struct registry {
  static std::map<std::string, int> &all() { static std::map<std::string, int> held; return held; }
  template <class T> static T &one() { static std::map<T, T> some; return some[T()]; }
  int at(const char *name) { return ++all()[name]; }
  void say() const { std::cout << "said\n"; }
  template <class T> T outside(T by) const;
  int x = 4;
  int half() const { return x / 2; }
};
static registry &the_one() {
  static registry one;
  static std::string name = "one";
  one.x += name.size();
  return one;
}
// Classes that register themselves: static members that constructors of the host make, in the class and outside.
template <class K> struct registered {
  std::string name;
  registered(const char *called) : name(called) { the_one().at(called); }
};
class scaled {
  static const registered<scaled> before;
  static inline const registered<scaled> here{"here"}; int by;
  inline static registered<int> also = // on two lines
      registered<int>("also");
public:
  explicit scaled(int by) : by(by) {}
  int of(int i) const {
    int r = 0;
#pragma omp target map(tofrom : r)
    r = i * by;
    return r;
  }
};
const registered<scaled> scaled::before("before");
template <class T> T registry::outside(T by) const { return the_one().x + by; }
int main() {
  registry r;
  int h = 0, o = r.outside(2);
  r.at("a"); fflush(stdout);
  r.say();
  std::cout.flush();
  registry::one<int>() = 3;
#pragma omp target map(tofrom : h) map(to : r)
  h = r.half() + r.x;
  printf("%d %d %d %d\n", h, o, r.at("a"), registry::one<int>());
  printf("%d %d %d %d\n", scaled(3).of(4), r.at("here"), r.at("also"), r.at("before"));
}
