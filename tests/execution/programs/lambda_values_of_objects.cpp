// What init-captures copy out of an object that no kernel could have a copy of: only its part travels.
#include <cstdio>
struct Box {
  double l = 1;
  double nearest(double a) const { return a * l; }
};
struct System {
  Box box;
  double *ended;
  ~System() { *ended += 1; }
};
static double copied(System &s, double k, int n, double *f, const double *x) {
  double e = 0;
  auto bond = [k, box = s.box, w = k](double a, double b, double &force) {
    double d = box.nearest(a - b);
    force = d * -k * w;
    return d;
  };
  s.box.l = 100;
  k = 7;
#pragma omp target teams distribute parallel for reduction(+ : e) firstprivate(bond) map(tofrom : f[0 : n]) map(to : x[0 : n + 1])
  for (int b = 0; b < n; b++) {
    double g;
    e += bond(x[b], x[b + 1], g);
    f[b] += g;
  }
  return e + k;
}
static double both(System &s, int n, const double *x) {
  double e = 0;
  const double *ended = s.ended;
  auto bond = [ended, box = s.box, &now = s.box](double a) { return box.nearest(a) + now.nearest(1) + (ended != nullptr); };
#pragma omp target teams distribute parallel for reduction(+ : e) map(to : x[0 : n])
  for (int b = 0; b < n; b++) e += bond(x[b]);
  return e;
}
int main() {
  double f[4] = {1, 2, 3, 4}, x[5] = {1, 3, 4, 7, 9}, ended = 0;
  {
    System s{{3}, &ended};
    double e = copied(s, 2, 4, f, x);
    std::printf("%g %g %g\n", e, f[2], both(s, 5, x));
  }
  std::printf("%g\n", ended);
}
