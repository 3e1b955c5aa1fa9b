// Iterations with several stores, whose later statements load what an earlier store of the same iteration may have written:
// arrays that are apart, one array by two pointers, and arrays that begin at a distance of each other, so that an iteration
// loads by one pointer what it has stored by another. All elements are compared with those of the same loop on the host.
#include <cstdio>
#include <vector>

constexpr int N = 400, ROOM = 4 * N;

struct Arrays {
  int n, k;
  float *x, *y, *a, *b;
  double *d, *e;
  unsigned *u;
};

static void in_turn(Arrays *p, int n) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    p->x[i] += p->a[i] + p->a[i + 1];
    p->y[i] -= p->b[i + p->k] * 2;
    float t = p->b[i + p->k] + p->y[i];
    p->d[i] = t + p->e[i];
    p->e[i] *= p->d[i] + p->x[i];
    p->u[i] <<= p->u[i + N] & 3;
    p->u[i + 2 * N] = p->u[i] + (unsigned)(long long)p->e[i] % 5 + p->u[i + N];
  }
}
static void expected(Arrays *p, int n) {
  for (int i = 0; i < n; i++) {
    p->x[i] += p->a[i] + p->a[i + 1];
    p->y[i] -= p->b[i + p->k] * 2;
    float t = p->b[i + p->k] + p->y[i];
    p->d[i] = t + p->e[i];
    p->e[i] *= p->d[i] + p->x[i];
    p->u[i] <<= p->u[i + N] & 3;
    p->u[i + 2 * N] = p->u[i] + (unsigned)(long long)p->e[i] % 5 + p->u[i + N];
  }
}

static void in_nest(Arrays *p, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int j = 0; j < n / 20; j++)
    for (int l = 0; l < 20; l++) {
      const int i = j * 20 + l;
      p->x[i] += p->a[i] + p->a[i + 1];
      p->y[i] -= p->b[i + p->k] * 2;
      float t = p->b[i + p->k] + p->y[i];
      p->d[i] = t + p->e[i];
      p->e[i] *= p->d[i] + p->x[i];
      p->u[i] <<= p->u[i + N] & 3;
      p->u[i + 2 * N] = p->u[i] + (unsigned)(long long)p->e[i] % 5 + p->u[i + N];
    }
}

class Field {
public:
  int n;
  float *a, *b, *c;
  void step() {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
      a[i] = a[i + N] * 2 + b[i + N] + c[i + N] + a[i + 2 * N] + b[i + 2 * N] + c[i + 2 * N];
      b[i] += a[i] + c[i + N] - b[i + 3 * N];
      this->c[i] = b[i + N] - (c[i] + a[i + 3 * N]);
    }
  }
  void on_host() {
    for (int i = 0; i < n; i++) {
      a[i] = a[i + N] * 2 + b[i + N] + c[i + N] + a[i + 2 * N] + b[i + 2 * N] + c[i + 2 * N];
      b[i] += a[i] + c[i + N] - b[i + 3 * N];
      c[i] = b[i + N] - (c[i] + a[i + 3 * N]);
    }
  }
};

static int wrong = 0;

struct Memory {
  std::vector<float> f;
  std::vector<double> d;
  std::vector<unsigned> u;
  Memory() : f(8 * ROOM), d(4 * ROOM), u(4 * ROOM) {
    for (size_t i = 0; i < f.size(); i++) f[i] = (float)((i * 37 + i / 7) % 64) / 8;
    for (size_t i = 0; i < d.size(); i++) d[i] = (double)((i * 29 + i / 5) % 32) / 4;
    for (size_t i = 0; i < u.size(); i++) u[i] = (unsigned)(i * 2654435761u >> 20);
  }
};

// where each array begins in the memory, in elements
struct Places {
  int x, y, a, b, d, e, k;
};

static Arrays arrays(Memory &m, const Places &at) {
  return {N, at.k, &m.f[at.x], &m.f[at.y], &m.f[at.a], &m.f[at.b], &m.d[at.d], &m.d[at.e], m.u.data()};
}

static void compare(const char *what, const Places &at, void (*there)(Arrays *, int)) {
  Memory got, right;
  Arrays here = arrays(right, at), mine = arrays(got, at), *p = &mine;
  float *f = got.f.data();
  double *d = got.d.data();
  unsigned *u = got.u.data();
  size_t fs = got.f.size(), ds = got.d.size(), us = got.u.size();
  expected(&here, N);
#pragma omp target data map(tofrom : f[0 : fs], d[0 : ds], u[0 : us])
  {
#pragma omp target data map(to : p[0 : 1]) map(tofrom : p->x[0 : 1], p->y[0 : 1], p->a[0 : 1], p->b[0 : 1], p->d[0 : 1], \
                                                   p->e[0 : 1], p->u[0 : 1])
    there(p, N);
  }
  int differ = 0;
  for (size_t i = 0; i < fs; i++) differ += got.f[i] != right.f[i];
  for (size_t i = 0; i < ds; i++) differ += got.d[i] != right.d[i];
  for (size_t i = 0; i < us; i++) differ += got.u[i] != right.u[i];
  if (differ) std::printf("%s: %d elements differ\n", what, differ);
  wrong += differ;
}

static void field(const char *what, int a, int b, int c) {
  Memory got, right;
  Field mine{N, &got.f[a], &got.f[b], &got.f[c]}, here{N, &right.f[a], &right.f[b], &right.f[c]}, *p = &mine;
  float *f = got.f.data();
  size_t fs = got.f.size();
  here.on_host();
#pragma omp target data map(tofrom : f[0 : fs])
  {
#pragma omp target data map(to : p[0 : 1]) map(tofrom : p->a[0 : 1], p->b[0 : 1], p->c[0 : 1])
    p->step();
  }
  int differ = 0;
  for (size_t i = 0; i < fs; i++) differ += got.f[i] != right.f[i];
  if (differ) std::printf("%s: %d elements differ\n", what, differ);
  wrong += differ;
}

int main() {
  const Places apart = {0, ROOM, 2 * ROOM, 3 * ROOM, 0, ROOM, 5};
  const Places one = {0, 0, 2 * ROOM, 3 * ROOM, 0, ROOM, 5};                 // x and y
  const Places behind = {ROOM + 7, ROOM * 3, 2 * ROOM + N, ROOM, 0, ROOM, 7}; // b[i + k] is x[i]
  const Places stored = {0, ROOM + 9, 2 * ROOM, ROOM, 0, ROOM, 9};           // b[i + k] is y[i]
  const Places same = {0, ROOM, 2 * ROOM, 3 * ROOM, ROOM, ROOM, 5};          // d and e
  const Places all = {ROOM, ROOM, 2 * ROOM, ROOM, 0, 0, 0};
  const Places each[] = {apart, one, behind, stored, same, all};
  for (const Places &at : each) {
    compare("in turn", at, in_turn);
    compare("in a nest", at, in_nest);
  }
  field("apart", 0, ROOM, 2 * ROOM);
  field("the first two", 0, 0, 2 * ROOM);
  field("the last two", 0, ROOM, ROOM);
  field("all", ROOM, ROOM, ROOM);
  std::printf(wrong ? "wrong\n" : "all elements right\n");
  return wrong != 0;
}
