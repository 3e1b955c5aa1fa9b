// Lists of initial values read what they list, unless what they make keeps references.
#include <cstdio>

template <class T> struct Field {
  T *data;
  int nx, ny;
  T &operator()(int i, int j) const { return data[j * nx + i]; }
  template <class U> U as(U value) const { return value; }
};
struct Pair {
  int a, b;
};
struct Inner {
  Pair pair;
  const int *at;
  int z[2];
};
struct Reference {
  int &x;
  int y;
};
struct Keeps {
  int *p;
  Keeps(int &r) : p(&r) {}
};
struct Holder {
  Keeps keeps;
  int y;
};
struct KeepsAny {
  int *p;
  template <class T> KeepsAny(T &r) : p(&r) {}
};
struct AnyHolder {
  KeepsAny keeps;
  int y;
};

static void values(float *out, int nx, int ny) {
#pragma omp target teams distribute parallel for collapse(2) map(from : out[0 : nx * ny])
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      Field<float> f{out, nx, ny};
      Pair p = {nx, ny};
      int e[2] = {nx, ny};
      Inner in = {nx, ny, e, nx, ny};
      f(i, j) = p.a * 100 + e[1] + i * j + in.pair.b + in.at[0] + in.z[1] + f.as(ny);
    }
}
static int addresses(int nx, int ny) {
  int seen = 0;
#pragma omp target map(from : seen)
  {
    int *list[] = {&nx, &ny};
    *list[1] += 30;
    seen = ny;
  }
  return seen;
}
static int references(int nx, int ny) {
  int seen[3] = {0, 0, 0};
#pragma omp target map(tofrom : seen)
  {
    int x = nx, y = ny;
    Reference q{x, y};
    q.x += 5;
    seen[0] = x;
  }
#pragma omp target parallel num_threads(4) map(tofrom : seen) firstprivate(nx, ny)
  {
    Holder h{nx, ny};
    AnyHolder g{ny, nx};
    *h.keeps.p += 7;
    *g.keeps.p += 9;
#pragma omp critical
    {
      seen[1] = nx;
      seen[2] = ny;
    }
  }
  return seen[0] + 100 * seen[1] + 10000 * seen[2];
}
int main() {
  float out[12], sum = 0;
  values(out, 4, 3);
  for (int i = 0; i < 12; i++) sum += out[i] * (i + 1);
  printf("%g %d %d\n", sum, references(1, 2), addresses(1, 2));
}
