// Variables of a team whose class has an operator that is written as the address is, and references to arrays: one
// thread calls the functions that return these.
#include <cstdio>
#pragma omp declare target
static int calls;
struct Own {
  int v, w[3];
  Own *operator&() const { return nullptr; }
};
struct Ended {
  int v;
  Ended(int t) : v(t) {}
  Ended(const Ended &o) : v(o.v) {}
  ~Ended() {}
  Ended *operator&() const { return nullptr; }
};
typedef int (&Function)(int);
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int called() {
  int before;
#pragma omp atomic capture
  before = calls++;
  return before;
}
static Own make(int t) {
  called();
  return Own{t, {1, 2, 3}};
}
static Function function(int i) {
  called();
  return i ? twice : thrice;
}
struct M {
  Own own[4];
  int rows[2][4];
  Own &at(int i) {
    called();
    return own[i];
  }
  int (&row(int i))[4] {
    called();
    return rows[i];
  }
};
#pragma omp end declare target
static double shared() {
  double out[16], sum = 0;
#pragma omp target teams distribute map(from : out)
  for (int t = 0; t < 16; t++) {
    auto a = make(t);
    const auto b = make(2 * t);
    Own c{3, {t, 1, 1}};
    Ended d(t);
    double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(32)
    for (int i = 0; i < 32; i++) {
      s += a.v + b.v + b.w[1];
      if (i == 3) a.w[2]++, c.v++, d.v++;
    }
    out[t] = s + a.w[2] + c.v + c.w[0] + d.v;
  }
  for (double x : out) sum += x;
  return sum;
}
static double places() {
  double out[16], sum = 0;
#pragma omp target teams distribute map(from : out)
  for (int t = 0; t < 16; t++) {
    M m;
#pragma omp parallel for
    for (int i = 0; i < 8; i++) m.own[i % 4].v = i % 4, m.rows[i / 4][i % 4] = i + t;
    Own &own = m.at(2);
    int(&row)[4] = m.row(1);
    auto &&other = m.row(0);
    Function f = function(t & 1);
    auto &g = function(1);
    own.v += 7, row[1] += 3, other[0] += 4;
    double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(32)
    for (int i = 0; i < 32; i++) s += own.v + row[i % 4] + other[i % 4] + f(i) + g(1);
    out[t] = s;
  }
  for (double x : out) sum += x;
  return sum;
}
int main() {
  printf("%.0f\n", shared());
  printf("%.0f\n", places());
  int times = 0;
#pragma omp target map(from : times)
  times = calls;
  printf("%d\n", times);
}
