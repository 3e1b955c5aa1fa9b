// Members of *this that regions only read travel without the object, unless the device has it.
#include <cstdio>

class Field {
  int n, m;
  float scale;
  unsigned char low;
  long long wide;
  double weight;
  const short step;
  int rows[4];

public:
  long long count = 0;

  Field(int n_, int m_) : n(n_), m(m_), scale(0.5f), low(200), wide(1ll << 40), weight(0.25), step(-3) {
    for (int &row : rows) row = n;
  }
  void set(int m_) { m = m_; }
  int width() const { return m; }

  double fill(double *v) const {
    double sum = 0;
#pragma omp target teams distribute parallel for map(from : v[0 : n * m]) reduction(+ : sum)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        double x = i * this->m + j * scale + low + (double)(wide >> 38) + weight * step;
        for (int k = 0; k < m % 5; k++) x += -weight;
        v[i * m + j] = x;
        sum += x;
      }
    return sum;
  }

  // Additions to numbers of the member's type, through a pointer that nothing is known of.
  void scatter(int *to, const int *from, int length) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < length; i++)
      for (int k = 0; k < m; k++) {
#pragma omp atomic
        to[from[i] % n] += m + k;
      }
  }

  // Kernels that change the object, and the next ones that read it.
  long long steps(int *v, int length) {
#pragma omp target data map(tofrom : v[0 : length])
    for (int t = 0; t < 3; t++) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < length; i++) v[i] += m + t;
#pragma omp target
      {
        m += 2;
        count += rows[t] + m;
      }
#pragma omp target teams distribute parallel for
      for (int i = 0; i < length; i++) v[i] += m;
    }
    return count;
  }

  int seen() const {
    int found = 0;
#pragma omp target map(from : found)
    {
      int now;
#pragma omp atomic read
      now = m;
      found = now;
    }
    return found;
  }
};

struct Base {
  int shift;
};
class Derived : public Base {
  int n;

public:
  Derived(int shift_, int n_) : Base{shift_}, n(n_) {}
  int sum() {
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom : s)
    for (int i = 0; i < 100; i++) s += (i << shift) + n;
    return s;
  }
};

// The device has this one itself, with a value of its own.
struct Resident {
  int n;
  int sum(int length) const {
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(tofrom : s)
    for (int i = 0; i < length; i++) s += n;
    return s;
  }
};
#pragma omp declare target
Resident resident = {3};
#pragma omp end declare target

static double v[40 * 30];
static int to[40], from[1000], w[500];

int main() {
  Field field(40, 30);
  double sum = field.fill(v);
  for (int i = 0; i < 1200; i++) sum += v[i] * i;
  printf("fill %.3f\n", sum);
  field.set(7);
  for (int i = 0; i < 1000; i++) from[i] = i * i;
#pragma omp target data map(tofrom : to) map(to : from)
  field.scatter(to, from, 1000);
  long all = 0;
  for (int i = 0; i < 40; i++) all = all * 31 + to[i];
  printf("scatter %ld\n", all);
  long long count = field.steps(w, 500);
  for (int i = 0; i < 500; i++) count += w[i];
  printf("steps %lld %d %d\n", count, field.width(), field.seen());
  printf("base %d\n", Derived(2, 5).sum());

  int found = resident.sum(10);
#pragma omp target
  resident.n = 8;
  found = found * 1000 + resident.sum(10);
#pragma omp target update from(resident)
  printf("resident %d %d\n", found, resident.n);
  return 0;
}
