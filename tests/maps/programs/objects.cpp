// C++: references, this, base classes, static members, templates, lambdas, storage of a vector.
#include "shape.h"

#include <vector>

constexpr int N = 10;

static void reference_to_scalar() {
  int x = 3, &r = x;
  shape("reference to a scalar tofrom");
  NOTE(x);
#pragma omp target map(tofrom : r)
  r += 4;
  check(x == 7);
}

static void reference_to_array() {
  int x[N] = {3}, (&r)[N] = x;
  shape("reference to an array tofrom");
  NOTE(x);
#pragma omp target map(tofrom : r)
  r[0] += 4;
  check(x[0] == 7);
}

static void reference_to_array_section() {
  int x[N] = {3}, (&r)[N] = x;
  shape("reference to an array, r[l:n]");
  NOTE(x);
#pragma omp target map(tofrom : r[2 : 3])
  r[2] += 4;
  check(x[2] == 4);
}

static void reference_to_pointer() {
  int x[N] = {3}, *p = x, *&r = p;
  shape("reference to a pointer, r[0:n]");
  NOTE(x), NOTE(p);
#pragma omp target map(tofrom : r[0 : N])
  r[0] += 4;
  check(x[0] == 7);
}

static void reference_implicit(double &r, int (&a)[N]) {
  shape("references, implicit");
  NOTE(r), NOTE(a);
#pragma omp target
  a[0] = static_cast<int>(r);
  check(a[0] == 5);
}

static void reference_in_data(int &r) {
  shape("reference in target data, enter and update");
  NOTE(r);
#pragma omp target enter data map(to : r)
#pragma omp target data map(tofrom : r)
  {
    r = 6;
#pragma omp target update to(r)
#pragma omp target map(r)
    r++;
#pragma omp target update from(r)
  }
#pragma omp target exit data map(release : r)
  check(r == 7);
}

struct Pair {
  int a;
  double b;
};

static void reference_to_struct(Pair &s) {
  shape("member of a reference to a struct");
  NOTE(s);
#pragma omp target map(tofrom : s.b)
  s.b += 4;
  check(s.b == 6);
}

static void reference_to_struct_members(Pair &s) {
  shape("two members of a reference to a struct");
  NOTE(s);
#pragma omp target map(tofrom : s.b) map(to : s.a)
  s.b += s.a;
  check(s.b == 7);
}

struct Base {
  int count = 2;
  double *values = nullptr;
};

struct Grid : Base {
  int width = 3;
  double cells[N] = {1};
  double *far = nullptr;
  Pair inner = {4, 5};

  void whole_object() {
    shape("*this implicitly, through a member");
    note("*this", this, sizeof *this);
#pragma omp target
    width += 4;
    check(width == 7);
  }

  void this_section() {
    shape("this[:1]");
    note("*this", this, sizeof *this);
#pragma omp target map(tofrom : this[:1])
    width += 4;
    check(width == 11);
  }

  void this_member() {
    shape("this->width");
    note("*this", this, sizeof *this);
#pragma omp target map(tofrom : this->width)
    this->width += 4;
    check(width == 15);
  }

  void member_by_name() {
    shape("width, a member by its name");
    note("*this", this, sizeof *this);
#pragma omp target map(tofrom : width)
    width += 4;
    check(width == 19);
  }

  void members_by_name() {
    shape("width and cells[l:n], members by name");
    note("*this", this, sizeof *this);
#pragma omp target map(to : width) map(tofrom : cells[2 : 3])
    cells[2] = width;
    check(cells[2] == width);
  }

  void pointer_member() {
    shape("far[0:n], a member by its name");
    note("*this", this, sizeof *this), note("*far", far, N * sizeof *far);
#pragma omp target map(tofrom : far[0 : N])
    far[1] += 4;
    check(far[1] == 5);
  }

  void this_pointer_member() {
    shape("this->far[l:n] and this->width");
    note("*this", this, sizeof *this), note("*far", far, N * sizeof *far);
#pragma omp target map(tofrom : this->far[1 : 4]) map(to : this->width)
    far[1] += width;
    check(far[1] == 5 + width);
  }

  void nested_member() {
    shape("inner.b, a member of a member");
    note("*this", this, sizeof *this);
#pragma omp target map(tofrom : inner.b)
    inner.b += 4;
    check(inner.b == 9);
  }

  void base_member() {
    shape("count, a member of the base class");
    note("*this", this, sizeof *this);
#pragma omp target map(tofrom : count)
    count += 4;
    check(count == 6);
  }

  void base_pointer_member() {
    shape("values[0:n], a pointer of the base class, and width");
    note("*this", this, sizeof *this), note("*values", values, N * sizeof *values);
#pragma omp target map(tofrom : values[0 : N]) map(to : width)
    values[1] += width;
    check(values[1] == 1 + width);
  }

  void object_and_pointer() {
    shape("this[:1] and far[0:n]");
    note("*this", this, sizeof *this), note("*far", far, N * sizeof *far);
#pragma omp target map(tofrom : this[:1]) map(tofrom : far[0 : N])
    {
      far[2] += 4;
      width = 5;
    }
    check(far[2] == 5 && width == 5);
  }

  void in_data() {
    shape("enter data this[:1], then far[0:n]; update; exit data");
    note("*this", this, sizeof *this), note("*far", far, N * sizeof *far);
#pragma omp target enter data map(to : this[:1])
#pragma omp target enter data map(to : far[0 : N])
#pragma omp target
    {
      far[3] += 4;
      width = 6;
    }
#pragma omp target update from(width)
#pragma omp target exit data map(from : far[0 : N])
#pragma omp target exit data map(release : this[:1])
    check(far[3] == 5 && width == 6);
  }
};

struct Counter {
  static int total;
  static double table[N];
  static void mapped() {
    shape("static members");
    NOTE(total), NOTE(table);
#pragma omp target map(tofrom : total, table[0 : 4])
    {
      total++;
      table[3] = total;
    }
    check(total == 1 && table[3] == 1);
  }
};
int Counter::total;
double Counter::table[N];

static void object() {
  Grid grid;
  shape("object of a class tofrom");
  NOTE(grid);
#pragma omp target map(tofrom : grid)
  grid.width += grid.count;
  check(grid.width == 5);
}

static void object_base_member() {
  static Grid grid;
  shape("grid.count, a member of the base class");
  NOTE(grid);
#pragma omp target map(tofrom : grid.count, grid.width)
  grid.width += grid.count++;
  check(grid.width == 5 && grid.count == 3);
}

static void object_pointers(double *storage) {
  Grid grid;
  grid.far = grid.values = storage;
  shape("grid, grid.far[0:n]");
  NOTE(grid), note("storage", storage, N * sizeof *storage);
#pragma omp target map(to : grid) map(tofrom : grid.far[0 : N])
  grid.far[4] += grid.width;
  check(storage[4] == 4);
}

static void vector_storage() {
  std::vector<double> values(N, 2);
  double *p = values.data();
  shape("storage of a vector");
  note("*p", p, N * sizeof *p), NOTE(p);
#pragma omp target teams distribute parallel for map(tofrom : p[0 : N])
  for (int i = 0; i < N; i++) p[i] *= i;
  check(values[3] == 6);
}

template <class T, int M> static void in_template(const char *id) {
  T a[M] = {1};
  T *p = a;
  shape(id);
  NOTE(a), NOTE(p);
#pragma omp target map(tofrom : p[1 : M - 1])
  p[1] += 4;
  check(a[1] == 4);
}

static void lambda_by_value() {
  int x = 3, r = 0;
  auto add = [x](int y) { return x + y; };
  shape("lambda that captures by value");
  NOTE(add), NOTE(r);
#pragma omp target map(from : r)
  r = add(4);
  check(r == 7);
}

static void lambda_by_reference() {
  int x = 3, r = 0;
  auto add = [&x](int y) { return x + y; };
  shape("lambda that captures by reference");
  NOTE(add), NOTE(x), NOTE(r);
#pragma omp target map(from : r) map(to : x)
  r = add(4);
  check(r == 7);
}

static void lambda_with_pointer() {
  int x[N] = {3}, *p = x, r = 0;
  auto get = [p](int i) { return p[i]; };
  shape("lambda that captures a pointer to what is mapped");
  NOTE(get), NOTE(x), NOTE(r);
#pragma omp target map(from : r) map(to : p[0 : N])
  r = get(0);
  check(r == 3);
}

static void lambda_mapped() {
  int x = 3, r = 0;
  auto add = [x](int y) { return x + y; };
  shape("lambda mapped to");
  NOTE(add), NOTE(r);
#pragma omp target map(from : r) map(to : add)
  r = add(4);
  check(r == 7);
}

int main() {
  double d = 5, storage[N], more[N];
  int a[N] = {}, x = 1;
  Pair s = {1, 2};
  Grid grid;
  grid.far = storage, grid.values = more;
  for (int i = 0; i < N; i++) storage[i] = more[i] = 1;
  RUN(reference_to_scalar());
  RUN(reference_to_array());
  RUN(reference_to_array_section());
  RUN(reference_to_pointer());
  RUN(reference_implicit(d, a));
  RUN(reference_in_data(x));
  RUN(reference_to_struct(s));
  RUN(reference_to_struct_members(s));
  RUN(grid.whole_object());
  RUN(grid.this_section());
  RUN(grid.this_member());
  RUN(grid.member_by_name());
  RUN(grid.members_by_name());
  RUN(grid.pointer_member());
  RUN(grid.this_pointer_member());
  RUN(grid.nested_member());
  RUN(grid.base_member());
  RUN(grid.base_pointer_member());
  RUN(grid.object_and_pointer());
  RUN(grid.in_data());
  RUN(Counter::mapped());
  RUN(object());
  RUN(object_base_member());
  RUN(object_pointers(storage));
  RUN(vector_storage());
  RUN((in_template<int, 4>("p[l:n] in a template, int")));
  RUN((in_template<double, 6>("p[l:n] in a template, double")));
  RUN(lambda_by_value());
  RUN(lambda_by_reference());
  RUN(lambda_with_pointer());
  RUN(lambda_mapped());
  return 0;
}
