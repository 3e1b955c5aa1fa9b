// Updates of sections with gaps in C++: templates, whose extents differ, references, members of `this`.
#include <cstdio>

#pragma omp declare target
static int shared;

static int expected(bool moved, int now, int before) { return shared || moved ? now : before; }
#pragma omp end declare target

// Eight columns are all of a row in one instance and part of it in the other.
template <int WIDTH> int columns() {
  int wrong = 0, m[4][WIDTH];
  for (int i = 0; i < 4 * WIDTH; i++) m[i / WIDTH][i % WIDTH] = i;
#pragma omp target enter data map(to : m)
  for (int i = 0; i < 4 * WIDTH; i++) m[i / WIDTH][i % WIDTH] = 1000 + i;
#pragma omp target update to(m[1 : 3][0 : 8])
#pragma omp target map(tofrom : wrong)
  for (int i = 0; i < 4 * WIDTH; i++)
    wrong += m[i / WIDTH][i % WIDTH] != expected(i >= WIDTH && i % WIDTH < 8, 1000 + i, i);
#pragma omp target exit data map(delete : m)
  return wrong;
}

struct Grid {
  double *cells;
  int flags[9];
  int width;

  int move(int from, int stride) {
    int wrong = 0;
    double *at = cells;
    for (int i = 0; i < 3 * width; i++) cells[i] = i;
#pragma omp target enter data map(to : at[0 : 3 * width])
    for (int i = 0; i < 3 * width; i++) cells[i] = 100 + i;
#pragma omp target update to(cells[from : 3 : stride])
#pragma omp target map(tofrom : wrong)
    for (int i = 0; i < 3 * width; i++) wrong += at[i] != expected(i >= from && (i - from) % stride == 0, 100 + i, i);
#pragma omp target exit data map(delete : at[0 : 3 * width])
    return wrong;
  }

  int flag() {
    int wrong = 0;
    for (int i = 0; i < 9; i++) flags[i] = i;
#pragma omp target enter data map(to : this[:1])
    for (int i = 0; i < 9; i++) flags[i] = 10 + i;
#pragma omp target update to(this->flags[0 : 3 : 4])
#pragma omp target map(tofrom : wrong)
    for (int i = 0; i < 9; i++) wrong += flags[i] != expected(i % 4 == 0, 10 + i, i);
#pragma omp target exit data map(delete : this[:1])
    return wrong;
  }
};

static int through(int (&a)[12], int *&p) {
  int wrong = 0;
  for (int i = 0; i < 12; i++) a[i] = p[i] = i;
#pragma omp target enter data map(to : a, p[0 : 12])
  for (int i = 0; i < 12; i++) a[i] = p[i] = 100 + i;
#pragma omp target update to(a[1: :5], p[2 : 3 : 4])
#pragma omp target map(tofrom : wrong)
  for (int i = 0; i < 12; i++) {
    wrong += a[i] != expected(i % 5 == 1, 100 + i, i);
    wrong += p[i] != expected(i % 4 == 2, 100 + i, i);
  }
#pragma omp target exit data map(delete : a, p[0 : 12])
  return wrong;
}

int main() {
  int probe = 1;
#pragma omp target map(to : probe)
  probe = 2;
  shared = probe == 2;
#pragma omp target update to(shared)

  std::printf("templates: %d, %d\n", columns<8>(), columns<11>());
  Grid grid = {new double[15], {}, 5};
  std::printf("members: %d, %d\n", grid.move(2, 5), grid.flag());
  int a[12], *p = new int[12];
  std::printf("references: %d\n", through(a, p));
  return 0;
}
