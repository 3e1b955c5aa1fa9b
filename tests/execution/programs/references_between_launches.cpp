// Objects that local references name, between launches that nobody waits for.
#include <cstdio>
#include <memory>
#include <vector>
struct Level {
  int n, done = 0;
  double *u, *r;
  explicit Level(int n) : n(n), u(new double[n]()), r(new double[n]()) {
    for (int i = 0; i < n; i++) u[i] = i % 7, r[i] = i % 5;
#pragma omp target enter data map(to : this[0:1], u[0:n], r[0:n])
  }
  ~Level() {
#pragma omp target exit data map(delete : u[0:n], r[0:n], this[0:1])
    delete[] u;
    delete[] r;
  }
  int size() const { return n; }
  void smooth(int colour) {
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++)
      if (i % 2 == colour) u[i] = 0.5 * (u[i - 1] + u[i + 1]) + 0.25 * r[i];
  }
  void residual() {
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++) r[i] = 0.5 * (r[i] + u[i] - u[i - 1]);
  }
  void take(Level &c) {
#pragma omp target teams distribute parallel for
    for (int i = 1; i < c.n - 1; i++) {
      c.r[i] = r[2 * i];
      c.u[i] = 0;
    }
  }
  void give(Level &c) {
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; i++) u[i] += c.u[i / 2] * (i % 2 ? 0.5 : 1);
  }
  double norm() {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += r[i] * r[i] + u[i];
    return s;
  }
};
typedef std::vector<std::unique_ptr<Level>> Levels;

static void cycle(Levels &all, size_t k) {
  Level &a = *all[k];
  if (k + 1 == all.size()) {
    for (int s = 0; s < 8; s++) { a.smooth(0); a.smooth(1); a.done++; }
    return;
  }
  for (int s = 0; s < 2; s++) { a.smooth(0); a.smooth(1); }
  a.residual();
  a.take(*all[k + 1]);
  cycle(all, k + 1);
  a.give(*all[k + 1]);
  for (int s = 0; s < a.size() % 4; s++) { a.smooth(1); a.smooth(0); a.done += s; }
}

/* A reference that each iteration binds anew, and one that another hides. */
static double all_of(Levels &all) {
  double sum = 0;
  for (size_t k = 0; k < all.size(); k++) {
    Level &a = *all[k];
    a.smooth(0);
    a.residual();
    a.smooth(1);
    sum += a.norm();
  }
  Level &a = *all[0];
  for (int s = 0; s < 3; s++) {
    a.smooth(s % 2);
    if (s == 1) {
      Level &a = *all[1];
      a.residual();
      a.done++;
    }
  }
  for (auto &l : all) sum += l->norm() + l->done;
  return sum + a.norm();
}

int main() {
  Levels all;
  for (int n = 257; n >= 5; n = (n - 1) / 2 + 1) all.emplace_back(new Level(n));
  for (int s = 0; s < 3; s++) {
    cycle(all, 0);
    Level &top = *all[0];
    top.residual();
    printf("%.9g %d\n", top.norm(), top.done);
  }
  printf("%.9g\n", all_of(all));
}
