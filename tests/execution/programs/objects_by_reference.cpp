// Objects that functions refer to, of classes that allocate, and methods that call each other, between launches.
#include <cstdio>
#include <utility>
#include <vector>

class field {
public:
  explicit field(int n) : n_(n), now_(n), next_(n) {
    for (int i = 0; i < n; i++) now_[i] = i % 17;
    double *a = now_.data(), *b = next_.data();
#pragma omp target enter data map(to : a[0 : n], b[0 : n])
  }
  ~field() {
    double *a = now_.data(), *b = next_.data();
#pragma omp target exit data map(delete : a[0 : n_], b[0 : n_])
  }
  int size() const { return n_; }
  int &steps() { return steps_; }
  double *now() { return now_.data(); }
  double *next() { return next_.data(); }
  void smooth(double by) {
    double *a = now_.data(), *b = next_.data();
    int n = n_;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) b[i] = a[i] + by * (a[(i + 1) % n] - a[i]);
    turn();
    steps_++;
  }
  void smooth_often(int times, double by) {
    for (int k = 0; k < times; k++) {
      smooth(by);
      this->smooth(by / 2);
    }
  }
  double sum() {
    double total = 0, *a = now_.data();
    int n = n_;
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) total += a[i];
    return total;
  }

private:
  void turn() { now_.swap(next_); }
  int n_, steps_ = 0;
  std::vector<double> now_, next_;
};

struct model {
  field heat, salt;
  double rate, most;
};

static void couple(field &to, field &from, double by) {
  double *a = to.now(), *b = from.now();
  const int n = to.size();
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] += by * b[i];
}

static void advance(model &m, int steps) {
  for (int k = 0; k < steps; k++) {
    m.heat.smooth(m.rate);
    couple(m.salt, m.heat, 0.001);
    m.salt.smooth(m.rate * 0.5);
    m.rate *= 0.99;
    if (m.heat.steps() > 4) m.heat.steps() = 0;
  }
}

// What a copy sees has been waited for, as what an element of a vector is.
static double taken(std::vector<double> values) { return values[1]; }
static void kept(model &m, std::vector<double> &all, double *a) {
  for (int k = 0; k < 3; k++) {
    m.heat.smooth(0.1);
#pragma omp target update from(a[0 : 4])
    m.most += taken(all) + all[2];
  }
}

int main() {
  model m{field(3000), field(3000), 0.4, 0};
  advance(m, 7);
  std::printf("%d %d %.9g\n", m.heat.steps(), m.salt.steps(), m.rate);
  m.heat.smooth_often(5, 0.3);
  std::printf("%.9g %.9g %d\n", m.heat.sum(), m.salt.sum(), m.heat.steps());
  std::vector<double> all(4, 2.5);
  double *a = all.data();
#pragma omp target data map(tofrom : a[0 : 4])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 4; i++) a[i] = i * 1.5;
    kept(m, all, a);
  }
  std::printf("%.9g\n", m.most);
  return 0;
}
