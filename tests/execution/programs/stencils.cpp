// Nests whose neighbouring iterations load the same, in short loops and through accessors: their tiles have rows of
// several sizes, whole ones and pieces, and what they store is that of one iteration after another.
#include <algorithm>
#include <cstdio>
#include <vector>

template <class T> struct Field {
  T *data;
  int nx, ny;
  T &operator()(int x, int y, int z) const { return data[at(x, y, z)]; }
  int at(int x, int y, int z) const { return (z * ny + y) * nx + x; }
};
static int clamp(int v, int most) { return v < 0 ? 0 : v > most ? most : v; }

static double sum(const std::vector<double> &v) {
  double s = 0;
  for (size_t i = 0; i < v.size(); i++) s += v[i] * (1 + i % 7);
  return s;
}

static void rows(int h, int w) {
  std::vector<double> a(h * w), b(h * w, 1), c(h * w, 2);
  for (int i = 0; i < h * w; i++) a[i] = (i * 37) % 101;
  const double *in = a.data();
  double *out = b.data(), *other = c.data();
#pragma omp target teams distribute parallel for collapse(2) map(to : in[0 : h * w]) map(tofrom : out[0 : h * w])
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      double s = 0;
      for (int dy = -2; dy <= 2; dy++)
        for (int dx = -1; dx <= 1; dx++) s += in[clamp(y + dy, h - 1) * w + clamp(x + dx, w - 1)] * (dy + 3);
      out[y * w + x] += s;
    }
#pragma omp target teams distribute parallel for collapse(2) map(to : in[0 : h * w]) map(tofrom : other[0 : h * w])
  for (int y = h - 2; y > 0; y -= 2)
    for (unsigned x = 1; x < w - 1u; x++) {
      double most = -1;
      int found = 0;
      for (int dy = -1; dy <= 1; dy++) {
        double v = in[(y + dy) * w + x];
        if (v > most) most = v, found++;
      }
      other[y * w + x] = most;
      other[(y - 1) * w + x] = found;
    }
  printf("%d x %d: %g %g\n", h, w, sum(b), sum(c));
}

static void fields(int nx, int ny, int nz) {
  const int n = nx * ny * nz;
  std::vector<double> a(n), b(n, 0), c(n, 0);
  for (int i = 0; i < n; i++) a[i] = (i * 53) % 97;
  double *in = a.data(), *out = b.data(), *wide = c.data();
#pragma omp target teams distribute parallel for collapse(3) map(to : in[0 : n]) map(tofrom : out[0 : n])
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 1; x < nx - 1; x++) {
        Field<const double> u{in, nx, ny};
        Field<double> v{out, nx, ny};
        v(x, y, z) = u(x - 1, y, z) + u(x + 1, y, z) + u(x, y - 1, z) + u(x, y + 1, z) + u(x, y, z - 1) - u(x, y, z + 1);
      }
  Field<double> from{in, nx, ny}, to{wide, nx, ny};
#pragma omp target teams distribute parallel for collapse(3) map(to : in[0 : n]) map(tofrom : wide[0 : n])
  for (int z = 0; z < nz; z++)
    for (int y = 1; y < ny - 1; y++)
      for (int x = 0; x < nx; x++) {
        Field<double> f{in, nx, ny}, t{wide, nx, ny};
        double s = 0;
        for (int d = -1; d < 2; d++) s = std::max(s, f(x, y + d, z));
        t(x, y, z) += s + z;
      }
  printf("%d x %d x %d: %g %g %d\n", nx, ny, nz, sum(b), sum(c), from.at(1, 1, 1) + to.ny);
}

static void casts(int n) {
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; i++) a[i] = i % 13;
  const float *in = a.data();
  float *out = b.data();
#pragma omp target teams distribute parallel for map(to : in[0 : n]) map(from : out[0 : n])
  for (int i = 0; i < n; i++) {
    float t = in[i];
    (float &)t = t * 2;
    out[i] = t + 1;
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += b[i] * (i % 5);
  printf("%d: %g\n", n, s);
}

int main() {
  for (int h : {3, 6, 64, 257})
    for (int w : {3, 40, 130}) rows(h, w);
  for (int z : {3, 5, 30}) fields(40, 7, z), fields(33, 20, z), fields(5, 3, z);
  for (int n : {1, 1000, 30001}) casts(n);
}
