// Aliases of arrays and pointers that are members of namespaces and classes, named in part; `auto` that stands for an array; arrays of pointers to
// functions.
#include <cstdio>
namespace lib { typedef int arr[4]; typedef double mat[2][3]; using ptr = double *; using pa = int (*)[4]; typedef arr two[2]; arr ar = {1, 2, 3, 4}; mat m = {{1, 2, 3}, {4, 5, 6}}; double d[3] = {1, 2, 3}; ptr p = d; two t = {{1}, {2}}; pa q = &ar;
struct S { typedef int row[3]; row r; static row s; }; S::row S::s = {7, 8, 9}; static int f(const arr &a) { return a[1]; } static int g(S::row *r) { return (*r)[2]; } }
template <class T> int last(T *all, int n) {
  auto *whole = all; const auto &first = *all; int r = 0;
#pragma omp target map(to: whole[0:n], first) map(from: r)
  r = (*(whole + n - 1))[3] + first[0];
  return r;
}
static int twice(int x) { return 2 * x; }
static int functions() {
  int (*const table[2])(int) = {twice, nullptr}; int (*const grid[2][1])(int) = {{nullptr}, {twice}}; int r = 0;
#pragma omp target map(to: table, grid) map(from: r)
  r = (table[0] != nullptr) + 10 * (table[1] == nullptr) + 100 * (grid[1][0] != nullptr);
  return r;
}
static int deduced() {
  int row[4] = {1, 2, 3, 4}, rows[2][4] = {{5}, {6, 7, 8, 9}}, r = 0;
  auto *p = &row; const auto *c = rows; auto *const k = &rows; auto &&same = rows; auto **pp = &p;
#pragma omp target map(tofrom: p[0:1]) map(to: c[0:2], k[0:1]) map(tofrom: r)
  { (*p)[0] = 50; auto *in = &(*p)[1]; r = (*p)[3] + c[1][1] + (*k)[1][2] + *in; }
#pragma omp target teams distribute firstprivate(same) map(tofrom: r)
  for (int i = 0; i < 2; i++) {
    auto *s = &same[i]; int t[4] = {};
#pragma omp parallel for
    for (int j = 0; j < 4; j++) t[j] = (*s)[j];
#pragma omp atomic
    r += t[0] + t[3];
  }
  auto add = [=](int i) { return (*c)[i] + c[1][i]; };
#pragma omp target map(tofrom: r) map(to: c[0:2])
  { auto *in = &c[1]; r += (*in)[0] + (*(in - 1))[0]; }
  return r + row[0] + (**pp)[1] + add(0) + last(rows, 2);
}
int main() {
  int r = 0; using namespace lib; lib::arr loc = {5, 6, 7, 8}; S::row lr = {1, 1, 4}; S sv{{2, 3, 4}}; const lib::mat cm = {{1}, {2}};
#pragma omp target map(tofrom: r, lib::ar, lib::m, lib::t, loc, lr, sv) map(to: lib::p[0:3], S::s, cm)
  { lib::arr in = {1, 2}; S::row x = {3}; r = lib::ar[2] + int(lib::m[1][2]) + int(lib::p[1]) + lib::t[1][0] + loc[3] + lr[2] + sv.r[1] + S::s[0] + in[1] + x[0] + f(in) + g(&lr) + int(cm[1][0]); lib::ar[0] = 50; }
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) firstprivate(loc, lr)
  for (int i = 0; i < 4; i++) { sum += loc[i] + lr[i % 3] + ar[i]; }
#pragma omp target parallel for reduction(+: lib::ar)
  for (int i = 0; i < 4; i++) ar[i] += i;
  printf("%d %d %d %d %d %d\n", r, sum, lib::ar[0], ar[3], deduced(), functions());
}
