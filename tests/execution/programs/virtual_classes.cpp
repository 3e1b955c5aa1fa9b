// Objects with virtual functions that regions make: destructors and functions defined outside of their classes too.
#include <stdio.h>

static int destroyed(int n);

#pragma omp begin declare target
class Shape {
protected:
  int *where;

public:
  static int alive;
  explicit Shape(int *p) : where(p) { alive++; }
  virtual ~Shape() = 0;
  virtual int area() const;
  virtual int corners() const = 0;
};
int Shape::alive = 10;
#pragma omp end declare target

Shape::~Shape() {
  alive--;
  where[0] += destroyed(1);
}
int Shape::area() const { return -corners(); }

struct Part {
  int size = 3;
  ~Part();
};
int parts = 0;
#pragma omp declare target(parts)
Part::~Part() { parts += size; }

class Square : public Shape {
  Part part;
  int side;

public:
  Square(int *p, int n) : Shape(p), side(n) {}
  ~Square();
  int area() const override { return side * side * part.size; }
  int corners() const override;
};
Square::~Square() { where[1] += 100; }
int Square::corners() const { return 4; }

struct Dot : Shape {
  using Shape::Shape;
  int corners() const override { return 1; }
};

template <typename T> struct Box {
  T value;
  int *where;
  Box(T v, int *p) : value(v), where(p) {}
  ~Box();
};
template <typename T> Box<T>::~Box() { where[0] += (int)value; }

void elsewhere(int *p);
struct OnHost {
  int x = 6;
  ~OnHost();
};
OnHost::~OnHost() { elsewhere(&x); }
void elsewhere(int *p) { ++*p; }

static int destroyed(int n) { return n * 7; }

int main() {
  OnHost host;
  int found[2] = {0, 0}, r = 0, left = 0;
#pragma omp target map(tofrom : found) map(from : r, left)
  {
    Shape *shapes[2] = {new Square(found, 5), new Dot(found)};
    r = host.x;
    for (Shape *s : shapes) r += s->area() * 10 + s->corners();
    left = Shape::alive;
    for (Shape *s : shapes) delete s;
    Dot local(found);
    Box<double> box(1000.5, found);
    left = left * 100 + Shape::alive;
  }
#pragma omp target update from(Shape::alive, parts)
  printf("%d %d %d %d %d %d\n", found[0], found[1], r, left, Shape::alive, parts);
}
