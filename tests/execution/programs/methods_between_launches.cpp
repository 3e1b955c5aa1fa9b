// Methods of objects that a class holds, between launches that nobody waits for.
#include <cstdio>
#include <utility>
#include <vector>
template <class T> class Buffer {
 public:
  explicit Buffer(int n) : n_(n), p_(new T[n]()) {
    T *p = p_;
#pragma omp target enter data map(to : p[0:n])
  }
  ~Buffer() {
    T *p = p_;
#pragma omp target exit data map(delete : p[0:n_])
    delete[] p_;
  }
  T *data() { return p_; }
  int size() const { return n_; }
  void home() {
    T *p = p_;
#pragma omp target update from(p[0:n_])
  }
  void swap(Buffer &o) { std::swap(p_, o.p_); }
 private:
  int n_;
  T *p_;
};
class Flow {
 public:
  explicit Flow(int n) : now(n), next(n), weights(3) {
    for (int k = 0; k < 3; k++) weights[k] = 0.25 * (k + 1);
  }
  double run(int steps) {
    for (int s = 0; s < steps; s++) {
      double *a = now.data(), *b = next.data(), w = weights[s % 3];
      const int n = now.size();
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++) b[i] = w * a[i] + i % 5 + s;
      now.swap(next);
    }
    const double extra = (double)weights.size();
    for (int s = 0; s < steps; s++) {
      double *a = now.data(), *b = next.data();
#pragma omp target teams distribute parallel for
      for (int i = 1; i < now.size(); i++) b[i] += 0.5 * a[i - 1] + extra;
    }
    now.home();
    next.home();
    double sum = 0;
    for (int i = 0; i < now.size(); i++) sum += now.data()[i] * (i % 3) - next.data()[i];
    return sum;
  }
 private:
  Buffer<double> now, next;
  std::vector<double> weights;
};
int main() {
  Flow f(1000);
  for (int k = 1; k < 12; k += 5) printf("%.9g\n", f.run(k));
}
