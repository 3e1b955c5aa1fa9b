// Virtual functions called on objects that the host has made: pointers, references, arrays, templates, several bases.
#include <stdio.h>

#pragma omp begin declare target
int where = 1, calls = 0; // the device's functions count with the device's variable
namespace geometry {
struct Point {
  double x, y;
  Point(double a, double b) : x(a), y(b) {}
};
class Shape {
protected:
  int scale = 3;

public:
  virtual int area(int times = 2) const = 0;
  virtual int corners() const { return 0 + where; }
  virtual void grow(int by) { scale += by; }
  virtual double at(Point p, const Point &origin) const { return p.x - origin.x + scale; }
  virtual int area(const char *) { return -1; } // another function of the name
  int twice() const { return 2 * area() + this->corners(); }
  virtual ~Shape() {}
};
} // namespace geometry
#pragma omp end declare target

class Square : public geometry::Shape {
  int side;
  int area(int times) const override { // private
#pragma omp atomic
    calls++;
    return side * side * times * scale + where;
  }

public:
  Square(int s) : side(s) {}
  int area(const char *name) override { return name[0] + side; }
  void grow(int by) override {
    Shape::grow(by);
    side += by;
  }
};
namespace {
struct Dot : geometry::Shape {
  int area(int) const override { return where; }
  double at(geometry::Point, const geometry::Point &) const final { return corners() * 0.5; }
};
} // namespace
struct Named {
  char name[8] = "named";
  virtual int length() const { return 5; }
};
struct Label : Named, geometry::Shape { // Shape is not where the object begins
  int area(int times) const override { return times + length() + name[0]; }
  int length() const override { return 9 + where; }
};
template <int N> struct Poly : geometry::Shape {
  int area(int x) const override { return N * x + where; }
  int corners() const override { return N; }
};
template <> struct Poly<2> : geometry::Shape {
  int area(int x) const override { return -x + where; }
};

template <class T> struct Base {
  T first = 1;
  virtual T f(T x) const = 0;
  virtual T g(T x) { return f(x) + first; }
};
template <class T> struct Scaled : Base<T> {
  T by;
  Scaled(T b) : by(b) {}
  T f(T x) const override { return x * by + where; }
};
struct Half : Base<double> {
  double f(double x) const override { return x / 2 + where; }
};

struct Scene {
  geometry::Shape *shapes[4];
  const geometry::Shape *one;
  Dot dot;
  int total() { return dot.area(1) + one->area(); }
};

template <class S> int measure(const S &s) { return s.area(2) + s.corners(); }
static int sum(geometry::Shape **shapes, int n) {
  int found = 0;
  for (int i = 0; i < n; i++) found = 3 * found + shapes[i]->area() + shapes[i]->corners();
  return found;
}

struct Counter {
  int n = 4;
  virtual int next(int by) { return n += by; }
  int run() {
    int r = 0;
#pragma omp target map(tofrom : r, this[:1])
    r = next(2) + this->next(3) * 10;
    return r;
  }
  int n_after() { return next(0); }
};
#pragma omp begin declare target
struct Uses { // calls in first values
  geometry::Shape *s;
  int here = s->corners() + 1, there;
  Uses(geometry::Shape *p) : s(p), there(p->area(3)) {}
};
#pragma omp end declare target
struct Twice : Counter {
  int next(int by) override { return n += 2 * by; }
};

int main() {
  Square square(5);
  Dot dot;
  Label label;
  Poly<6> hexagon;
  Poly<2> line;
  geometry::Shape *list[5] = {&square, &dot, &label, &hexagon, &line};
  int r[8] = {0};
  double d[4] = {0};
#pragma omp target enter data map(to : square, dot, label, hexagon, line)
#pragma omp target map(iterator(i = 0 : 5), to : list[i][0 : 1]) map(to : list) map(from : r, d)
  {
    r[0] = sum(list, 5);
    r[1] = list[0]->twice() + list[2]->twice();
    r[2] = measure(*list[0]) + measure(hexagon) + measure(line);
    geometry::Shape &s = *list[0];
    r[3] = s.area("a") + label.length() + square.area("b");
    d[0] = list[0]->at(geometry::Point(4, 5), {1, 2}) + list[1]->at({1, 1}, {1, 1}) + dot.at({2, 2}, {0, 0});
    Named *named = &label;
    r[4] = named->length();
    geometry::Shape *own[2] = {new Square(2), new Poly<6>}; // the device's
    r[5] = sum(own, 2) + own[0]->twice();
    for (geometry::Shape *o : own) delete o;
    Dot local;
    r[6] = local.area(3) + measure(local);
    auto call = [&](int i) { return list[i]->area(i); };
    r[7] = call(0) + call(4);
    for (int i = 0; i < 5; i++) list[i]->grow(i + 1);
  }
  for (int x : r) printf("%d ", x);
  printf("%g\n", d[0]);
#pragma omp target exit data map(from : square, dot, label, hexagon, line)
#pragma omp target update from(calls)
  printf("%d\n", calls); // the objects are the host's again: their functions are, too
  printf("%d %d %d\n", sum(list, 5), list[0]->twice(), label.length());

  Scaled<int> scaled(4);
  Scaled<double> doubled(0.25);
  Half half;
  Base<int> *bi = &scaled;
  Base<double> *bd[2] = {&doubled, &half};
#pragma omp target map(to : scaled, doubled, half, bd) map(to : bd[0][0 : 1], bd[1][0 : 1]) map(from : r, d)
  {
    r[0] = bi->f(3) + bi->g(4);
    for (int i = 0; i < 2; i++) d[i] = bd[i]->f(5) + bd[i]->g(6);
  }
  printf("%d %g %g\n", r[0], d[0], d[1]);

  Scene scene = {{&square, &dot, &hexagon, &line}, &hexagon, dot};
  int found = 0;
#pragma omp target data map(to : square, dot, hexagon, line)
#pragma omp target map(tofrom : scene, found) map(iterator(i = 0 : 4), to : scene.shapes[i][0 : 1]) map(to : scene.one[0 : 1])
  found = sum(scene.shapes, 4) + scene.total();
  printf("%d\n", found);

  int many[64];
  geometry::Shape *first = &square, *second = &hexagon;
#pragma omp target teams distribute parallel for map(to : square, hexagon, first[0 : 1], second[0 : 1]) map(from : many)
  for (int i = 0; i < 64; i++) many[i] = (i % 3 ? first : second)->area(i) + measure(*first);
  long all = 0;
  for (int x : many) all = all * 3 % 1000003 + x;
  printf("%ld\n", all);

#pragma omp target map(to : hexagon, second[0 : 1]) map(from : found)
  {
    found = 0;
#pragma omp parallel for num_threads(second->corners()) schedule(static, second->corners()) reduction(+ : found)
    for (int i = 0; i < second->area(4); i++) found += i % second->corners();
    Uses uses(second);
    found = found * 100 + uses.here + uses.there;
  }
  printf("%d\n", found);

  Counter counter;
  Twice twice;
  Counter *counters[2] = {&counter, &twice};
  for (Counter *c : counters) printf("%d ", c->run());
  printf("%d %d\n", counter.n_after(), twice.n_after());
}
