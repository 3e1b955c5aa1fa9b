// List items of every shape in C++: members of this, of base classes and of references, references as members,
// static members, objects of classes, templates and the storage of std::vector.
#include <cstdio>
#include <vector>

struct base {
  int count = 2;
  double *numbers = nullptr;
};

struct middle : base {
  double weights[5] = {1, 2, 3, 4, 5};
};

struct inner {
  int i;
  double &linked;
  double *far;
};

struct object : middle {
  int width;
  double *cells;
  double &total;
  double *&shared;
  inner in;
  object *next = nullptr;
  static double factor;
  static double *table;

  object(int width, double &total, double *&shared)
      : width(width), cells(new double[width]), total(total), shared(shared), in{width, total, new double[4]} {
    numbers = new double[6];
    for (int i = 0; i < width; i++) cells[i] = i;
    for (int i = 0; i < 6; i++) numbers[i] = i;
    for (int i = 0; i < 4; i++) in.far[i] = i;
  }

  void own(int n) {
#pragma omp target map(width)
    width += n;
#pragma omp target map(this->cells[0 : n], this->width)
    { this->cells[1] += width; width++; }
#pragma omp target map(tofrom : cells[1 : n])
    for (int i = 1; i <= n; i++) cells[i] *= 2;
#pragma omp target map(this[ : 1])
    { width++; count++; in.i = 3; }
#pragma omp target map(this[ : 1], cells[0 : n], numbers[0 : n])
    { cells[2] += width; numbers[1] = count; }
#pragma omp target map(*this)
    weights[1] += width;
#pragma omp target map((*this).width, (*this).weights[1 : 2])
    weights[2] += (*this).width;
#pragma omp target
    { width++; weights[3] = in.i; }
#pragma omp target map(cells[0 : 2])
    { cells[1] += weights[1]; width++; }
  }

  void bases(int n) {
#pragma omp target map(count, width)
    { count += width; width += count; }
#pragma omp target map(numbers[1 : n])
    numbers[2] += 5;
#pragma omp target map(base::count, middle::weights[0 : n], numbers[0 : n], width)
    { weights[1] = count + width; numbers[n - 1] = weights[1]; }
  }

  void references(int n) {
#pragma omp target map(total)
    total += 1;
#pragma omp target map(total, width)
    { total += width; width = 4; }
#pragma omp target map(shared[0 : n])
    shared[1] += 2;
#pragma omp target map(this->shared[1 : n], this->total, cells[0 : n])
    { shared[2] += total; cells[1] = shared[1]; total++; }
#pragma omp target map(in.linked, in.i)
    { in.linked += in.i; in.i++; }
#pragma omp target map(in.far[0 : n], in.linked)
    { in.far[1] = in.linked; in.linked = 9; }
  }

  void statics(int n) {
#pragma omp target map(factor, cells[0 : n])
    { factor *= 2; cells[0] = factor; }
#pragma omp target map(tofrom : table[0 : n]) map(object::factor)
    { table[1] = object::factor; factor = 3; }
  }

  void show(const char *what) const;
};

double object::factor = 1.5;
double *object::table = new double[4]{1, 2, 3, 4};

void object::show(const char *what) const {
  double sum = total * 3 + factor;
  for (int i = 0; i < 6; i++) sum += cells[i] * (i + 1) + numbers[i] * (i + 2) + shared[i] * (i + 3);
  for (int i = 0; i < 4; i++) sum += weights[i] * i + in.far[i] * (i + 5);
  std::printf("%s: %d %d %d %g %g\n", what, count, width, in.i, total, sum);
}

namespace space {
double values[4] = {1, 2, 3, 4};
double *heap = new double[5]{5, 4, 3, 2, 1};
object *chain;
} // namespace space

static void elsewhere(object &r, object *p, int n) {
#pragma omp target map(r.width, r.cells[0 : n])
  { r.cells[1] = r.width; r.width = 12; }
#pragma omp target map(p->total, p->width)
  { p->total += p->width; p->width--; }
#pragma omp target map(p->next->cells[0 : n], p->next->total)
  { p->next->cells[0] = p->next->total; p->next->total = 6; }
#pragma omp target map(r.in.far[1 : n - 1], r.numbers[0 : n], r.count)
  { r.in.far[1] += r.numbers[1]; r.count++; }
#pragma omp target map(p->shared[0 : n], p->middle::weights)
  { p->shared[0] += p->weights[4]; p->weights[0] = 7; }
#pragma omp target map(space::values[1 : 2], space::heap[0 : n])
  { space::values[1] = space::heap[1]; space::heap[2] = 8; }
#pragma omp target map(space::chain->cells[0 : n], space::chain->width)
  { space::chain->cells[1] = space::chain->width; space::chain->width = 1; }
#pragma omp target data map(r.cells[0 : n], r.total, r.in.linked)
  {
#pragma omp target map(r.cells[0 : n], r.total)
    { r.cells[2] = r.total; r.total += 2; }
#pragma omp target update from(r.total, r.cells[2 : 1])
    std::printf("update: %g %g\n", r.total, r.cells[2]);
  }
}

template <typename T, int N> struct grid {
  T *data;
  T edge[N];
  int used;

  void fill(int n) {
#pragma omp target map(from : data[0 : n]) map(to : used)
    for (int i = 0; i < n; i++) data[i] = used + i;
#pragma omp target map(edge[1 : N - 1], used)
    { edge[N - 1] = used; used++; }
  }
};

template <typename T> static T through(grid<T, 4> *g, T &scale, int n) {
#pragma omp target map(g->data[0 : n], g->used) map(scale)
  { g->data[1] *= scale; g->used += n; scale += 1; }
#pragma omp target enter data map(to : g->data[0 : n], g->edge)
#pragma omp target map(g->data[0 : n], g->edge)
  { g->data[0] = g->edge[3]; g->edge[1] = scale; }
#pragma omp target exit data map(from : g->data[0 : n], g->edge)
  return g->data[0] + g->data[1] + g->edge[1] + g->used;
}

int main() {
  double total = 10, other = 20, *shared = new double[6]{1, 2, 3, 4, 5, 6};
  object first(6, total, shared), second(7, other, shared);
  first.next = &second;
  space::chain = &second;
  first.own(3);
  first.show("own");
  first.bases(4);
  first.show("bases");
  first.references(3);
  first.show("references");
  first.statics(3);
  std::printf("static: %g %g\n", object::factor, object::table[1]);
  elsewhere(first, &first, 4);
  first.show("elsewhere");
  second.show("second");
  std::printf("space: %g %g\n", space::values[1], space::heap[2]);

  std::vector<double> storage(8, 1.0);
  double *elements = storage.data();
  std::vector<int> ids{1, 2, 3};
  int *id = ids.data();
#pragma omp target teams distribute parallel for map(tofrom : elements[0 : 8]) map(to : id[0 : 3])
  for (int i = 0; i < 8; i++) elements[i] += id[i % 3];
  double sum = 0;
  for (double element : storage) sum += element;
  std::printf("vector: %g\n", sum);

  grid<double, 4> doubles{new double[5], {1, 2, 3, 4}, 2};
  grid<int, 3> ints{new int[5], {1, 2, 3}, 7};
  doubles.fill(5);
  ints.fill(4);
  double scale = 3;
  double result = through(&doubles, scale, 4);
  std::printf("grids: %g %d %g %d %g\n", doubles.data[4], ints.data[3], doubles.edge[3], ints.edge[2], result);
  return 0;
}
