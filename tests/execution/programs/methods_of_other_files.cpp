/* Classes of device code have methods that call what other files define, or throw; regions call none of them. */
#include <cstdio>
#include <stdexcept>
void elsewhere(const char *s);
struct Text {
  const char *at;
  void reset();
  void set(const char *s) {
    reset();
    at = s;
  }
  void twice(const char *s) { set(s), set(s); }
  const char *value() const { return at; }
};
struct Element;
struct Manager {
  int level;
  Text name;
  Manager() : level(1), name() { elsewhere("none"); }
  Manager(int l) : level(l), name() {}
  Manager(const char *s) : level(0), name{s} { elsewhere(s); }
  const Element *first(const char *n) const;
  Element *first(const char *n) { return const_cast<Element *>(static_cast<const Manager *>(this)->first(n)); }
  template <class T> void all(T n) {
    for (T i = 0; i < n; i++) name.twice("");
  }
  int depth() const { return level + 1; }
};
struct Ended {
  int n;
  ~Ended() {
    if (n < 0) elsewhere("end");
  }
};
struct Shape {
  int sides;
  Shape(int n) : sides(n) {
    if (n < 0) throw std::runtime_error("sides");
  }
  virtual int area() const { throw std::runtime_error("no area"); }
  virtual ~Shape() = default;
  int corners() const { return sides; }
};
struct Square : Shape {
  int length;
  Square(int l) : Shape(4), length(l) {}
  int area() const override { return length * length; }
  int border() {
    int b = 0;
#pragma omp target map(to : this[0 : 1]) map(from : b)
    b = length * corners();
    return b;
  }
};
template <class T> struct Owner {
  Manager manager;
  T n;
  const T *ended(const Ended &e) const { return &e.n; }
  void name(const char *s) { manager.name.set(s); }
  T twice() const { return n * 2; }
};
void elsewhere(const char *);
int main() {
  Owner<int> o = {Manager(3), 4};
  int r = 0;
#pragma omp target map(to : o) map(from : r)
  r = o.twice() + o.manager.depth();
  Square s(3);
  printf("%d %d %d\n", r, s.border(), s.area());
}
