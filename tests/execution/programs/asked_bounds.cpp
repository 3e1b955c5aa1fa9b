// Loops whose bounds are members: the kernel asks whether the device's values are the host's, and has a form for either.
// Each is executed with the host's values on the device, with smaller and with greater ones, and where the device does not
// have the object; all elements are compared with those of the same loop on the host.
#include <cstdio>
#include <vector>

struct Grid {
  int nx, ny, nz, first, step;
  short rows;
  unsigned columns;
  long long wide;
};

constexpr int MOST = 64;
using Cells = std::vector<int>;

// one store: tiles
static void tiles(const Grid *g, int *out) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int y = 1; y < g->ny - 1; y++)
    for (int x = 1; x < g->nx; x++) out[y * MOST + x] = 1000 * y + x;
}
static void tiles(const Grid &g, Cells &out) {
  for (int y = 1; y < g.ny - 1; y++)
    for (int x = 1; x < g.nx; x++) out[y * MOST + x] = 1000 * y + x;
}

// two stores, one by a condition: one iteration after another
static void twice(const Grid *g, int *out) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 0; z < g->nz; z++)
    for (int y = g->first; y < g->ny; y++)
      for (int x = g->nx - 1; x >= 0; x--) {
        int i = (z * 20 + y) * 20 + x;
        out[i] += z * 10000 + y * 100 + x;
        if (out[i] % 3) out[i + 2000] = out[i];
      }
}
static void twice(const Grid &g, Cells &out) {
  for (int z = 0; z < g.nz; z++)
    for (int y = g.first; y < g.ny; y++)
      for (int x = g.nx - 1; x >= 0; x--) {
        int i = (z * 20 + y) * 20 + x;
        out[i] += z * 10000 + y * 100 + x;
        if (out[i] % 3) out[i + 2000] = out[i];
      }
}

// an inner loop that is long
static void sums(const Grid *g, int *out) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < g->rows; i++)
    for (unsigned j = 0; j < g->columns; j++) {
      int sum = 0;
      for (int k = 0; k < g->nx; k++) sum += k * (i + 1) + (int)j;
      out[i * MOST + j] = sum;
    }
}
static void sums(const Grid &g, Cells &out) {
  for (int i = 0; i < g.rows; i++)
    for (unsigned j = 0; j < g.columns; j++) {
      int sum = 0;
      for (int k = 0; k < g.nx; k++) sum += k * (i + 1) + (int)j;
      out[i * MOST + j] = sum;
    }
}

// loops of their own, by steps and downwards
static void line(const Grid *g, int *out) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < g->nx * g->ny; i++)
    if (i % 3) {
      out[i] = i;
      if (i % 5 == 0) out[i] = -i;
    }
}
static void line(const Grid &g, Cells &out) {
  for (int i = 0; i < g.nx * g.ny; i++)
    if (i % 3) out[i] = i % 5 == 0 ? -i : i;
}
static void steps(const Grid *g, int *out) {
#pragma omp target teams distribute parallel for
  for (int i = g->nx; i > g->first; i -= g->step) {
    int n = 0;
    while (n * n < i) n++;
    out[i] = n;
  }
}
static void steps(const Grid &g, Cells &out) {
  for (int i = g.nx; i > g.first; i -= g.step) {
    int n = 0;
    while (n * n < i) n++;
    out[i] = n;
  }
}
static void counted(const Grid *g, int *out) {
#pragma omp target teams distribute parallel for
  for (int i = 2; i < g->wide; i++) {
    out[i] += i;
    out[i + MOST * 16] = out[i];
  }
}
static void counted(const Grid &g, Cells &out) {
  for (int i = 2; i < g.wide; i++) {
    out[i] += i;
    out[i + MOST * 16] = out[i];
  }
}

// what a class has
class Field {
public:
  int nx, ny, *cells;
  int at(int x, int y) const { return y * MOST + x; }
  void fill() {
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) cells[at(x, y)] = 7 * x + y;
  }
};

static int wrong = 0;

using Device = void (*)(const Grid *, int *);
using Host = void (*)(const Grid &, Cells &);

static void compare(const char *what, Grid host, Grid device, Device there, Host here) {
  Cells got(MOST * MOST, 5), right(got);
  int *out = got.data();
  Grid *g = &host;
  here(device, right);
#pragma omp target data map(to : g[0 : 1]) map(tofrom : out[0 : MOST * MOST])
  {
#pragma omp target map(to : device)
    *g = device;
    there(g, out);
  }
  int differ = 0;
  for (int i = 0; i < MOST * MOST; i++) differ += got[i] != right[i];
  if (differ) std::printf("%s: %d elements differ\n", what, differ);
  wrong += differ;
}

static void absent(const char *what, Grid host, Device there, Host here) {
  Cells got(MOST * MOST, 5), right(got);
  int *out = got.data();
  here(host, right);
#pragma omp target data map(tofrom : out[0 : MOST * MOST])
  there(&host, out);
  int differ = 0;
  for (int i = 0; i < MOST * MOST; i++) differ += got[i] != right[i];
  if (differ) std::printf("%s, absent: %d elements differ\n", what, differ);
  wrong += differ;
}

static void field(int nx, int ny, int there_x, int there_y) {
  Cells got(MOST * MOST, 5);
  Field it{nx, ny, got.data()}, *f = &it;
  int differ = 0;
#pragma omp target data map(to : f[0 : 1]) map(tofrom : f->cells[0 : MOST * MOST])
  {
#pragma omp target
    {
      f->nx = there_x;
      f->ny = there_y;
    }
    f->fill();
  }
  for (int y = 0; y < MOST; y++)
    for (int x = 0; x < MOST; x++) differ += got[y * MOST + x] != (y < there_y && x < there_x ? 7 * x + y : 5);
  if (differ) std::printf("field: %d elements differ\n", differ);
  wrong += differ;
}

int main() {
  const Grid usual = {19, 18, 3, 2, 3, 30, 40, 900}, less = {7, 9, 1, 4, 5, 3, 2, 40}, more = {20, 20, 4, 0, 1, 60, 61, 1000},
             none = {0, 1, 0, 20, 1, 0, 3, -4}, odd = {20, 3, 2, 1, 2, 1, 64, 3};
  const Grid all[] = {usual, less, more, none, odd};
  for (const Grid &host : all)
    for (const Grid &device : all) {
#define EACH(name) compare(#name, host, device, name, name);
      EACH(tiles) EACH(twice) EACH(sums) EACH(line) EACH(steps) EACH(counted)
      field(host.nx, host.ny, device.nx, device.ny);
    }
  for (const Grid &host : all) {
    // the inner bound of `sums` is read on the device, so it has to be there
    absent("tiles", host, tiles, tiles);
    absent("twice", host, twice, twice);
    absent("line", host, line, line);
  }
  std::printf(wrong ? "wrong\n" : "all elements right\n");
  return wrong != 0;
}
