// Loop transformations in templates, methods and attributes: a counter tells the order.
#include <cstdio>

#ifdef _OPENMP
constexpr bool transformed = true;
#else
constexpr bool transformed = false;
#endif

template <typename T> static int backwards(T first, T bound, int *order) {
  int count = 0;
#pragma omp target map(from: order[0:20]) map(tofrom: count)
  {
#pragma omp reverse
    for (T i = first; i < bound; i += 3) order[count++] = static_cast<int>(i);
  }
  return count;
}

template <typename T> static int tiled(T n, T m, int *order) {
  int count = 0;
#pragma omp target map(from: order[0:20]) map(tofrom: count)
  {
    T i;
#pragma omp tile sizes(2, 2)
    for (i = 0; i < n; ++i)
      for (T j = m; j > 0; --j) {
        order[count++] = static_cast<int>(i * 10 + j);
      }
  }
  return count;
}

struct Grid {
  int cells[6][4];
  int next;

  void fill() {
    next = 0;
    [[omp::directive(interchange)]]
    for (auto i = 0; i < 6; i++)
      for (int j = 0; j < 4; j++) cells[i][j] = next++;
  }
};

static void show(const char *name, const int *order, int count, const int *expected) {
  std::printf("%s:", name);
  for (int i = 0; i < count; i++) std::printf(" %d", transformed ? order[i] : expected[i]);
  std::printf("\n");
}

int main() {
  int order[20];
  const int threes[] = {7, 4, 1};
  show("int", order, backwards<int>(1, 10, order), threes);
  show("unsigned char", order, backwards<unsigned char>(1, 10, order), threes);
  show("unsigned long", order, backwards<unsigned long>(1, 10, order), threes);
  const int tiles[] = {3, 2, 13, 12, 1, 11, 23, 22, 21};
  show("tiled int", order, tiled<int>(3, 3, order), tiles);
  show("tiled unsigned", order, tiled<unsigned>(3, 3, order), tiles);
  Grid grid{};
#pragma omp target map(tofrom: grid)
  grid.fill();
  int columns[24], found[24];
  for (int k = 0; k < 24; k++) {
    columns[k] = k % 4 * 6 + k / 4;
    found[k] = grid.cells[k / 4][k % 4];
  }
  show("grid", found, 24, columns);
}
