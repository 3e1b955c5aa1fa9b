/* Complex numbers that regions only read travel by value, unless the device may have them: a gate's coefficients, a
   phase that an operator of another number takes, and objects whose class has an operator '=' of its own. */
#include <complex>
#include <cstdio>
#include <tuple>
#include <utility>
#include <vector>
typedef std::complex<double> C;

struct Ratio {
  long up, down;
  Ratio(long u = 0, long d = 1) : up(u), down(d) {}
  Ratio &operator=(long whole) { up = whole, down = 1; return *this; }
  Ratio &operator*=(const Ratio &o) { up *= o.up, down *= o.down; return *this; }
  long whole() const { return up / down; }
};

class Register {
  int bits;
  std::vector<C> store;
  C *amp;
  long size() const { return 1L << bits; }

 public:
  explicit Register(int n) : bits(n), store(1L << n), amp(store.data()) {
    for (long i = 0; i < size(); i++) store[i] = C(i % 7, i % 3);
#pragma omp target enter data map(to : this[0:1], amp[0 : 1L << bits])
  }
  ~Register() {
#pragma omp target exit data map(delete : amp[0 : 1L << bits], this[0:1])
  }
  void gate(int q, C a, C b, C c, C d) {
    const long bit = 1L << q;
#pragma omp target teams distribute parallel for
    for (long k = 0; k < size() / 2; k++) {
      long i = ((k & ~(bit - 1)) << 1) | (k & (bit - 1)), j = i | bit;
      C x = amp[i], y = amp[j];
      amp[i] = a * x + b * y;
      amp[j] = c * x + d * y;
    }
  }
  void turn(int q) { double s = 0.5; gate(q, s, s, s, -s); }
  void phase(long mask, double t) {
    const C by = std::polar(1.0, t);
#pragma omp target teams distribute parallel for
    for (long i = 0; i < size(); i++)
      if ((i & mask) == mask) amp[i] *= by;
  }
  void home() {
#pragma omp target update from(amp[0 : 1L << bits])
    C sum = 0;
    for (long i = 0; i < size(); i++) sum += store[i] * (double)(i % 5 + 1);
    printf("%.9f %.9f\n", sum.real(), sum.imag());
  }
};

static C *kept;
static void keep(C &c) { kept = &c; }

/* A number that is mapped is there. */
static void mapped(C c) {
  C out[4];
#pragma omp target enter data map(to : c)
#pragma omp target map(from : out)
  for (int i = 0; i < 4; i++) out[i] = c * (double)i;
#pragma omp target exit data map(delete : c)
  printf("mapped: %g %g\n", out[3].real(), out[3].imag());
}

/* A region that changes the number brings it home, one whose address leads away is mapped. */
static void changed(C c, C d) {
#pragma omp target
  { c *= 2.0; c += d; }
  keep(d);
  C out;
#pragma omp target map(from : out)
  { out = d * c; }
  *kept += 1.0;
#pragma omp target map(from : out)
  { out += 0.0; out = d - c; }
  printf("changed: %g %g, %g %g\n", c.real(), c.imag(), out.real(), out.imag());
}

static void ratios(Ratio by, Ratio start) {
  long out[10];
  start = 12;
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < 10; i++) {
    Ratio r = start;
    r *= by;
    if (i % 2) r *= by;
    out[i] = r.whole() * i;
  }
  for (long o : out) printf("%ld ", o);
  printf("\n");
}

int main() {
  Register r(10);
  r.home();
  for (int round = 0; round < 3; round++) {
    for (int q = 0; q < 10; q++) r.turn(q);
    for (int q = 0; q + 1 < 10; q++) r.phase(3L << q, 0.3 + 0.1 * q);
    for (int q = 0; q < 10; q++) r.gate(q, C(0.8, 0), C(0, -0.6), C(0, -0.6), 0.8);
  }
  r.home();
  mapped(C(2, 1));
  changed(C(1, 2), C(3, -1));
  ratios(Ratio(7, 2), Ratio(1, 3));
}
