// Static members of classes in regions: first-private scalars, mapped arrays and pointers, explicit maps.
#include <stdio.h>

struct Box {
  int own = 3;
  static int count;
  static double table[4];
  static int *where;
  static const int size = 4;

  int by_this() {
    int r = 0;
#pragma omp target map(tofrom : r)
    r = this->count + (*this).count + count + this->own;
    return r;
  }
  int run() {
    int r = 0;
    const int before = count;
#pragma omp target map(tofrom : r)
    {
      count += 5;
      r = count + own + size;
      table[1] += 2.5;
      where[2] = 9;
    }
    count = before;
    return r;
  }

  template <typename T> T sum(T by) {
    T r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r) map(tofrom : count)
    for (int i = 0; i < 10; i++) r += by + count;
    return r;
  }
};

int Box::count = 10;
double Box::table[4] = {1, 2, 3, 4};
int *Box::where = nullptr;

namespace shelf {
class Row {
  static long total;

public:
  static long add(int n) {
#pragma omp target map(tofrom : total)
    for (int i = 0; i < n; i++) total += i;
    return total;
  }
};
long Row::total = 100;
} // namespace shelf

static int elsewhere() {
  int r = 0;
#pragma omp target map(tofrom : r, Box::count)
  {
    Box::count++;
    r = Box::count + (int)Box::table[2];
  }
  return r;
}

// By an object or a pointer in front of them.
static int through(Box *pointer) {
  Box o;
  int k = 0;
#pragma omp target map(tofrom : k, Box::count)
  {
    Box inside;
    inside.count += 2;
    k += o.count + pointer->count + (int)o.table[2] + pointer->size;
  }
#pragma omp target teams distribute parallel for reduction(+ : k)
  for (int i = 0; i < pointer->count; i++) k += o.count * (int)pointer->table[i % 4];
  return k;
}

/** A class template whose static members are extents of a region's arrays; nothing else names its parameter there. */
template <class R> struct Extents {
  static constexpr int wide = sizeof(R);
  enum { half = wide / 2 };
  R &held;
  template <class X> void operator()(X x) const {
    auto &held = this->held;
#pragma omp target map(tofrom : held)
    {
      int parts[wide] = {1}, halves[2][half] = {{2}};
      held += x + parts[0] + halves[0][0] + (int)(sizeof parts / sizeof(int));
    }
  }
};

// Instantiations that name static members of different classes have one text on the host.
struct Near {
  static int s, t;
  static double w[3];
};
int Near::s = 6, Near::t = 3;
double Near::w[3] = {1, 2, 3};
namespace far {
struct Away {
  static int s, t;
  static double w[3];
};
int Away::s = 7, Away::t = 5;
double Away::w[3] = {4, 5, 6};
}

template <class T> int of_arguments() {
  int x[10] = {}, sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < 10; i++) x[i] += T::s;
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < 10; i++) x[i] += (int)T::w[i % 3];
#pragma omp target map(tofrom : x, T::t)
  for (int i = 0; i < 10; i++) {
    using Again = T;
    x[i] += Again::s + T::s;
    if (i == 3) T::t += 2;
  }
#pragma omp target teams distribute parallel for map(tofrom : x) firstprivate(T::s)
  for (int i = 0; i < 10; i++) {
    T::s += i;
    x[i] += T::s;
    T::s -= i;
  }
  for (int i = 0; i < 10; i++) sum = sum * 3 + x[i];
  return sum + T::t;
}

int main() {
  printf("%d %d\n", of_arguments<Near>(), of_arguments<far::Away>());
  Box b;
  int data[5] = {1, 2, 3, 4, 5};
  Box::where = data;
#pragma omp target data map(tofrom : data)
  {
    const int found = b.run();
    printf("%d %d\n", found, Box::count);
  }
  printf("%g %d\n", Box::table[1], data[2]);
  printf("%d\n", elsewhere());
  printf("%d %d %g\n", Box::count, b.sum(2), b.sum(0.5));
  const int by_this = b.by_this(), by_others = through(&b);
  printf("%d %d %d\n", by_this, by_others, Box::count);
  printf("%ld\n", shelf::Row::add(20));
  double sum = 0.5;
  short narrow = 1;
  Extents<double>{sum}(2);
  Extents<short>{narrow}(3);
  printf("%g %d\n", sum, narrow);
}
