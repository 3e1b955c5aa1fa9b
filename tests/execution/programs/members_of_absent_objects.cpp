// Regions that map members of objects of which the device has nothing, while what their pointers lead to is there.
#include <cstdio>
#include <cstdlib>

struct Rows {
  int count, wide;
  int *first, *column;
  double *value;
};
struct Pair {
  Rows left, right;
  double factor;
};

static void multiply(Rows rows, const double *x, double *y) {
#pragma omp target teams distribute thread_limit(64) \
    map(to: rows.first[0:rows.count + 1], rows.column[0:rows.count * rows.wide], rows.value[0:rows.count * rows.wide])
  for (int i = 0; i < rows.count; i++) {
    double sum = 0;
#pragma omp parallel for reduction(+: sum)
    for (int k = rows.first[i]; k < rows.first[i + 1]; k++) sum += rows.value[k] * x[rows.column[k]];
    y[i] = sum;
  }
}
// The middle of an array, by a reference; a member's value goes along.
static void scale(const Rows &rows, double by, int from) {
#pragma omp target teams distribute parallel for map(to: rows.wide) map(tofrom: rows.value[from:rows.count])
  for (int i = 0; i < rows.count; i++) rows.value[from + i] *= by + rows.wide;
}
// The region changes its own copy of members, and changes it back, for on the host that is the object itself.
static double sum(Rows *rows, int n) {
  double total = 0;
#pragma omp target map(to: rows->count, rows->value[0:n]) map(tofrom: total)
  {
    const int count = rows->count;
    for (; rows->count > 0; rows->count--) total += *rows->value++;
    rows->count = count;
    rows->value -= count;
  }
  return total;
}
// Two objects, one of which is a part of another.
static void add(Pair &pair, Rows to) {
#pragma omp target teams distribute parallel for map(to: pair.factor, pair.right.value[0:to.count]) \
    map(from: to.value[0:to.count])
  for (int i = 0; i < to.count; i++) to.value[i] += pair.factor * pair.right.value[i];
}
// A pointer before all of its object.
static void weigh(Rows rows, double *y) {
#pragma omp target teams distribute parallel for map(to: rows.value[0:rows.count], rows)
  for (int i = 0; i < rows.count; i++) y[i] += rows.wide * rows.value[i];
}
// Two names of one object: the region changes it by one and finds that by the other.
static void twice(Rows &one, Rows &other, double *y) {
#pragma omp target map(to: one.wide, one.value[0:9]) map(to: other.wide, other.value[0:9])
  {
    one.wide += 2;
    y[1] += other.wide * other.value[3];
    one.wide -= 2;
  }
}
// Members from places that are aligned for less than the later ones.
struct Mixed {
  char tag, letter;
  short step;
  float by;
  alignas(16) double pair[2];
  double *data;
};
static void mix(const Mixed &mixed, int n) {
#pragma omp target teams distribute parallel for map(to: mixed.step, mixed.pair) map(tofrom: mixed.data[0:n])
  for (int i = 0; i < n; i++) mixed.data[i] += mixed.pair[i % 2] * mixed.step + mixed.pair[0] * mixed.pair[1];
}
static void letters(const Mixed &mixed, int n) {
#pragma omp target teams distribute parallel for map(to: mixed.letter, mixed.by) map(tofrom: mixed.data[1:n - 1])
  for (int i = 1; i < n; i++) mixed.data[i] += mixed.letter * mixed.by;
}
class Field {
 public:
  Field(double *now, double *next, int n) : n_(n), now_(now), next_(next) {}
  void step(double by) {
    int n = n_;
#pragma omp target teams distribute parallel for map(to: now_[0:n]) map(from: next_[0:n])
    for (int i = 0; i < n; i++) next_[i] = now_[i] * by + i;
    double *other = now_;
    now_ = next_;
    next_ = other;
  }

 private:
  int n_;
  double *now_, *next_;
};

int main() {
  constexpr int n = 300, wide = 7;
  static int first[n + 1], column[n * wide];
  static double value[n * wide], x[n], y[n], z[n];
  for (int i = 0; i <= n; i++) first[i] = i * wide;
  for (int k = 0; k < n * wide; k++) column[k] = k * 37 % n, value[k] = k % 11;
  for (int i = 0; i < n; i++) x[i] = i % 5, y[i] = i % 3, z[i] = 1;
  double *px = x, *py = y, *pz = z, found = 0;
  Rows rows = {n, wide, first, column, value}, small = {20, 3, first, column, x};
#pragma omp target data map(to: first[0:n + 1], column[0:n * wide]) map(tofrom: value[0:n * wide], px[0:n], py[0:n], pz[0:n])
  {
    for (int k = 0; k < 4; k++) {
      multiply(rows, px, py);
      scale(rows, 0.25 * k - 7, 5 + k);
      Rows part = rows;
      part.value = pz;
      Pair pair = {rows, part, 0.5 + k};
      part.value = py;
      add(pair, part);
      found += sum(&small, 30);
      small.value += k;
    }
    Mixed mixed = {1, 2, 3, 0.5f, {1.5, 0.25}, px};
    Rows all = {n, 2, first, column, py};
    for (int k = 0; k < 4; k++) {
      mix(mixed, n);
      letters(mixed, n - k);
      weigh(all, pz);
      twice(all, all, px);
      mixed.step++, mixed.letter += 3, mixed.by *= 2, mixed.pair[k % 2] += k, all.wide += k, all.count -= 7;
      mixed.data = k % 2 == 0 ? py : px;
    }
    Field field(px, pz, n);
    for (int k = 0; k < 5; k++) field.step(0.5 + k);
    Rows there = {n, wide, first, column, py};
#pragma omp target data map(to: there)
    {
      scale(there, 1.5 - wide, 0);
#pragma omp target data map(to: there.value[0:n])
      scale(there, 0.5 - wide, 0);
    }
  }
  double sums[4] = {};
  for (int i = 0; i < n; i++) sums[0] += x[i], sums[1] += y[i], sums[2] += z[i];
  for (int k = 0; k < n * wide; k++) sums[3] += value[k] * (k % 3);
  printf("%.6f %.6f %.6f %.6f %.6f %d\n", sums[0], sums[1], sums[2], sums[3], found, small.count);
}
