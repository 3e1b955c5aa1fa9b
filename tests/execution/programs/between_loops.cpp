// Code between collapsed loops in C++: templates, functions that regions call, objects, iterators, macros.
#include <cstdio>
#include <cstring>

constexpr int N = 9, M = 6;

struct Grid {
  int cells[N][M];
  int rows[N];
};
static Grid grid;

static void show(const char *what) {
  long long where = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < M; j++) where += static_cast<long long>(grid.cells[i][j]) * (i * 101 + j);
    where += 7LL * i * grid.rows[i];
  }
  std::printf("%s: %lld\n", what, where);
  std::memset(&grid, 0, sizeof grid);
}

struct Scale {
  int by;
  explicit Scale(int i) : by(i + 3) {}
  int operator()(int x) const { return by * x; }
};

template <typename T>
void fill(T *cells, int *rows, T n, T m) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : cells[0 : N * M], rows[0 : N])
  for (T i = 0; i < n; i++) {
    const Scale scale(static_cast<int>(i));
    const auto by = [&](T x) {
      for (int k = 0; k < 2; k++)
        if (k == 0) continue;
      return scale(static_cast<int>(x));
    };
    rows[i] = scale.by;
    for (T j = 0; j < m; ++j) {
      if (j == 1) continue;
      cells[i * M + j] += by(j);
    }
    rows[i] += 0;
  }
}

template <typename T>
void orphan(Grid &g, T n, T m) {
#pragma omp for collapse(2)
  for (T i = 0; i < n; i++) {
    T base = i * 10;
    g.rows[i] = static_cast<int>(base);
    for (T j = m - 1; j >= 0; j--) {
      if (j == 2) continue;
      g.cells[i][j] += static_cast<int>(base + j);
    }
    g.rows[i] += 0;
  }
}

static void plain(Grid &g, int n, int m) {
  int j;
#pragma omp for collapse(2) schedule(static, 2) nowait
  for (int i = 0; i < n; i++) {
    int base = i * 10;
    for (j = 0; j < m; j++) g.cells[i][j] += base + j;
  }
}

#define LIMIT 4
#define EACH(x) for (int x = 0; x < LIMIT; x++)

int main() {
  int flat[N * M] = {0};
  long wide[N * M] = {0};
  fill<int>(flat, grid.rows, N, M);
  std::memcpy(grid.cells, flat, sizeof flat);
  show("template of int");
  fill<long>(wide, grid.rows, N - 1, M);
  for (int i = 0; i < N * M; i++) grid.cells[i / M][i % M] = static_cast<int>(wide[i]);
  show("template of long");
#pragma omp target parallel map(tofrom : grid) num_threads(7)
  {
    orphan(grid, N, M);
    orphan(grid, static_cast<long>(N), static_cast<long>(M - 1));
    plain(grid, N - 2, M);
  }
  show("in functions");
  int *first = &grid.cells[0][0];
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : first[0 : N * M])
  for (int i = 0; i < N; i++) {
    int *row = first + i * M;
#if LIMIT > 3
    int add = 5;
#else
    int add = 6;
#endif
    // a comment between the loops, with for (;;) in it
    for (int j = 0; j < LIMIT; j++)
#ifdef LIMIT
      row[j] += i + add;
#else
      row[j] += 1;
#endif
  }
  show("conditional text");
#pragma omp target map(tofrom : grid)
#pragma omp parallel for collapse(2)
  for (int i = 0; i < N; i++) {
    switch (i) {
    case 0: grid.rows[i] = 4; break;
    default: grid.rows[i] = i;
    }
    int k = 0;
    while (k < 5) {
      if (++k == 3) break;
    }
    for (int j = 0; j < M; j++) {
      for (int l = 0; l < 3; l++) {
        if (l == 1) continue;
        grid.cells[i][j] += k + l;
      }
    }
    if (grid.rows[i] > 5) {
      grid.rows[i] = 6;
    }
  }
  show("statements of all sorts");
}
