#include <cstdio>
struct Part {
  int first, second;
};
struct Field {
  int size;
  double offset;
  double *data;
  double cells[4];
  Part part;
  void scale(double f) {
#pragma omp target teams distribute parallel for map(tofrom : data[0 : size])
    for (int i = 0; i < size; i++) data[i] *= f + offset;
  }
  void fill(int n) {
#pragma omp target map(from : cells)
    for (int i = 0; i < n; i++) cells[i] = i;
  }
  void count() {
#pragma omp target map(tofrom : this->part.second)
    part.second++;
#pragma omp target map(tofrom : part.first) map(to : cells)
    part.first += (int)cells[2] + size;
  }
  int captured() {
    int r = 0;
#pragma omp target map(tofrom : r)
    r = [this, k = size + 1, w = this->size] { return k * 100 + w * 10 + size; }();
    return r;
  }
  double only(int n) {
    double s = 0;
#pragma omp target data map(to : data[0 : n])
#pragma omp target teams distribute parallel for map(to : data[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; i++) s += this->data[i];
#pragma omp target update from(offset)
    return s;
  }
};
/* In a constant method the object is constant: overloads and deduced types say so. */
template <class T> struct Either {
  T value = 3;
  mutable int asked = 0;
  int cells[3] = {1, 2, 3};
  int get() { return 1; }
  int get() const { return 2; }
  template <class S> static int is_constant(S &) { return Is<S>::constant; }
  template <class S> struct Is { enum { constant = 0 }; };
  template <class S> struct Is<const S> { enum { constant = 1 }; };
  int told() const {
    int r = 0;
#pragma omp target map(tofrom : r)
    {
      r = get() + is_constant(*this) * 10 + is_constant(value) * 100 + is_constant(cells[1]) * 1000;
      asked++;
    }
    return r;
  }
  int copied() const {
    int r = 0;
#pragma omp target map(tofrom : r)
    r = [*this] { return get() + value; }() + [*this, k = 2]() mutable { return get() * 10 * k; }() +
        [*this] { auto self = this; return (self->get() + (*this).get()) * 100; }();
    r += [own = *this] { return own.get() * 1000; }() + [k = get(), *this] { return get() + k * 10000; }();
    return r;
  }
  int copied() {
    int r = 0;
#pragma omp target map(tofrom : r)
    {
      r = [*this] { return get() + value; }() + [*this]() mutable { value = 9; return get() * 10 + value; }();
      r += value * 100;
    }
    return r;
  }
  int told() {
    int r = 0;
#pragma omp target map(tofrom : r)
    r = get() + is_constant(*this) * 10 + is_constant(value) * 100 + is_constant(cells[1]) * 1000;
    return r;
  }
};

int main() {
  Either<int> changing;
  const Either<int> fixed;
  const int one = changing.told(), other = fixed.told();
  std::printf("%d %d %d\n", one, other, fixed.asked);
  const int from_changing = changing.copied(), from_fixed = fixed.copied();
  std::printf("%d %d\n", from_changing, from_fixed);
  double d[4] = {1, 2, 3, 4};
  Field f{4, 0.5, d, {9, 9, 9, 9}, {1, 2}};
  f.scale(2), f.fill(3), f.count();
  std::printf("%g %g %g %g\n", d[3], f.cells[0], f.cells[2], f.only(4));
  const int captured = f.captured();
  std::printf("%d\n", captured);
  std::printf("%d %d %d %g %d\n", f.part.first, f.part.second, f.size, f.offset, f.data == d);
}
