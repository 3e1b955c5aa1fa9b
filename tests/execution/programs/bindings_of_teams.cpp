// Structured bindings in code of the initial thread.
#include <cstdio>
#include <array>
#include <utility>
#include <tuple>
struct P { int a, b; };
static P next(int *s) { *s += 1; return {*s, *s * 10}; }
static P make(int k) { return {k, k * 2}; }
int main() {
  int r[10] = {}; P ps[3] = {{1, 2}, {3, 4}, {5, 6}};
#pragma omp target map(tofrom : r, ps)
  {
    int st = 0; auto [a, b] = next(&st); int q = a * 2 + b; auto [c, d] = next(&st); q += c + d; auto [e, f] = make(q);
    const auto [u, v] = std::tuple{7, 8L}; auto [w, x] = std::make_pair(st, 2.5);
    for (auto &[k, l] : ps) { k += 100; l = st; }
    auto &[m, n] = ps[1]; m = m * 2; st = 50;
    int all = e + f + u + (int)v + w + (int)x + n;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) r[i] = q + i + all;
    r[4] = st * 10000 + ps[1].a; auto [y, z] = make(st); int both = y + z;
#pragma omp parallel for
    for (int i = 5; i < 10; i++) r[i] = both * i;
  }
  for (int v : r) printf("%d ", v); printf("%d %d\n", ps[0].a, ps[2].b);
}
