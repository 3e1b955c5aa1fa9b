// Objects that an inner loop gives to functions, which change all of them, some numbers, or none.
#include <array>
#include <cmath>
#include <cstdio>

static const int N = 40;

struct State {
  double x, v;
  double past[2];
};
struct Force {
  double k, damping;
};

static void step(State &s, const Force &f, double h) {
  s.past[1] = s.past[0];
  s.past[0] = s.x;
  s.v += h * (-f.k * s.x - f.damping * s.v);
  s.x += h * s.v;
}

static void walk(State *states, Force *forces, int *steps) {
#pragma omp target teams distribute parallel for map(tofrom: states[0:N]) map(to: forces[0:N], steps[0:N+8])
  for (int i = 0; i < N + 8; i++) { // no step for the last, which are no objects
    int n = steps[i];
    for (int s = 0; s < n; s++) step(states[i], forces[i], 0.01);
  }
}

struct Decay {
  static constexpr int dim = 6;
  double rate;
  void operator()(double t, const double *y, double *f) const {
    for (int i = 0; i < dim; i++) f[i] = (i ? rate * y[i - 1] : 0.1 * sin(t)) - rate * y[i];
  }
};
template <class Rhs> static void euler(const Rhs &rhs, double t, double h, double *y) {
  double f[Rhs::dim];
  rhs(t, y, f);
  for (int i = 0; i < Rhs::dim; i++) y[i] += h * f[i];
}
template <class Rhs> static double integrate(Rhs *rhs, int steps) {
  static std::array<double, Rhs::dim> state[N];
  auto *y = state;
#pragma omp target data map(to: rhs[0:N]) map(from: y[0:N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) {
      for (int d = 0; d < Rhs::dim; d++) y[i][d] = d + i * 0.5;
      for (int s = 0; s < steps; s++) euler(rhs[i], s * 0.1, 0.1, y[i].data());
    }
  }
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int d = 0; d < Rhs::dim; d++) sum += (d + 1) * state[i][d];
  return sum;
}

struct Pair {
  int first, second;
};
static void count(Pair *pair, int which, int s) {
  pair->first += 0;
  if (which) pair->second += s;
  else pair->first += 2 * s;
}
static void halves(Pair *pairs) {
#pragma omp target teams distribute parallel for map(tofrom: pairs[0:N])
  for (int i = 0; i < N; i++) {
    for (int s = 0; s < 9; s++) count(&pairs[i], i & 1, s);
  }
}
struct Keyed {
  int key, first, second;
};
static void either(Keyed *one, int which, int s) {
  int key = one->key;
  if (which) one->second += s + key;
  if (!which) one->first += 2 * s + key;
}
static void shared(Keyed *keyed) { // two iterations have an object together, and a number each
#pragma omp target teams distribute parallel for map(tofrom: keyed[0:N])
  for (int i = 0; i < 2 * N; i++) {
    for (int s = 0; s < 9; s++) either(&keyed[i / 2], i & 1, s);
  }
}

struct Signs {
  float a, b, c;
};
static void turn(Signs &s, int k) {
  s.a = -s.a;
  if (k == 3) s.b = s.c * 0 / s.c;
}
static void signs(Signs *s) {
#pragma omp target teams distribute parallel for map(tofrom: s[0:N])
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 5; k++) turn(s[i], k);
  }
}

static void spread(State *states, int i, double *sums) {
  sums[0] += states->x;
  states->x += sums[0] * 0.001 + i;
}
static void among(State *states, double *sums) { // the sums may be those of the states
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) {
    for (int s = 0; s < 4; s++) spread(&states[i], i, sums + 4 * i);
  }
}

int main() {
  static State states[N];
  static Force forces[N];
  static int steps[N + 8];
  static Decay decays[N];
  static Pair pairs[N];
  static Keyed keyed[N];
  static Signs few[N];
  for (int i = 0; i < N; i++) {
    states[i] = {1.0 + i, 0.5, {0, 0}};
    forces[i] = {1 + 0.1 * i, 0.2};
    steps[i] = i % 7;
    decays[i].rate = 0.1 * (i + 1) / N;
    pairs[i] = {i, -i};
    keyed[i] = {i % 5, i, 2 * i};
    few[i] = {i % 2 ? 0.0f : -0.0f, 1, i % 3 ? 2.0f : 0.0f};
  }
  walk(states, forces, steps);
  double sum = 0;
  for (State &s : states) sum += s.x + 2 * s.v + 3 * s.past[0] + 4 * s.past[1];
  printf("walk %.9f\n", sum);
  printf("integrate %.9f %.9f\n", integrate(decays, 0), integrate(decays, 25));
  halves(pairs);
  shared(keyed);
  long first = 0, second = 0;
  for (int i = 0; i < N; i++) {
    first += pairs[i].first * (i + 1) + keyed[i].first * (i + 3);
    second += pairs[i].second * (i + 1) + keyed[i].second * (i + 3);
  }
  printf("pairs %ld %ld\n", first, second);
  signs(few);
  int negative = 0, none = 0;
  for (Signs &s : few) negative += std::signbit(s.a), none += std::isnan(s.b);
  printf("signs %d %d\n", negative, none);
  double *numbers = &states[0].x;
#pragma omp target data map(tofrom: states[0:N])
  among(states, numbers);
  sum = 0;
  for (State &s : states) sum += s.x + 2 * s.v + 3 * s.past[0] + 4 * s.past[1];
  printf("among %.9f\n", sum);
}
