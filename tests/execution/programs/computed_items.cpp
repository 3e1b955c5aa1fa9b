// List items whose storage an expression computes: choices, results of functions, targets of computed pointers.
#include <cstdio>

#ifdef _OPENMP
#define EVALUATED(counted, times) ((counted) == (times))
#else
#define EVALUATED(counted, times) 1
#endif

struct part {
  int n;
  double x[4];
};
struct box {
  part parts[3];
  part &at(int i) { return parts[i]; }
};

static int calls;
static box store;
#pragma omp declare target
int table[8];
int &entry(int i) { return table[i]; }
#pragma omp end declare target

box &the_box() {
  calls++;
  return store;
}
part *pointed(int i) {
  calls++;
  return store.parts + i;
}

static void choices(bool first) {
  int a = 1, b = 2, seen = 0;
#pragma omp target enter data map(to : a, b)
  a = 10, b = 20;
#pragma omp target update to(first ? a : b)
#pragma omp target map(from : seen) map(tofrom : a, b)
  {
    seen = first ? a : b;
    if (first)
      a++;
    else
      b++;
  }
#pragma omp target update from(first ? a : b)
  std::printf("%d %d: %d\n", a, b, seen);
#pragma omp target exit data map(delete : first ? a : b, first ? b : a)
}

static void results() {
  for (int i = 0; i < 3; i++) store.parts[i].n = i, store.parts[i].x[2] = i / 2.0;
#pragma omp target data map(tofrom : the_box().at(1)) map(to : (*pointed(2)).x) map(alloc : pointed(0)->n)
  {
    part *p = store.parts + 1;
    double *x = store.parts[2].x;
    int *n = &store.parts[0].n;
#pragma omp target update to(pointed(0)->n)
#pragma omp target map(p[0 : 1], x[0 : 4], n[0 : 1])
    {
      p->n += *n + 5;
      p->x[2] += x[2];
    }
#pragma omp target update from(the_box().at(1).x[2])
    std::printf("inside %g\n", store.parts[1].x[2]);
  }
  std::printf("%d %g %d\n", store.parts[1].n, store.parts[1].x[2], EVALUATED(calls, 5));
}

static void of_functions() {
  for (int i = 0; i < 8; i++) table[i] = i;
  for (int i = 0; i < 8; i += 3) {
#pragma omp target update to(entry(i))
  }
  int sum = 0;
#pragma omp target map(tofrom : sum) map(entry(3))
  {
    for (int i = 0; i < 8; i += 3) sum += entry(i);
    entry(3) = 100;
  }
#pragma omp target update from(entry(3), *(sum ? &table[6] : &table[0]))
  std::printf("%d %d %d\n", sum, table[3], table[6]);
}

template <class T> static T most(T a, T b) {
  T seen = 0;
#pragma omp target data map(tofrom : a > b ? a : b)
  {
    T *p = a > b ? &a : &b;
#pragma omp target map(p[0 : 1]) map(from : seen)
    seen = (*p)++;
  }
  return seen + a + b;
}

int main() {
  choices(true);
  choices(false);
  results();
  of_functions();
  std::printf("%d %g\n", most(3, 4), most(4.5, 2.5));
}
