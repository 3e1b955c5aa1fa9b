// std::complex in regions and in functions that they call.
#include <complex>
#include <cstdio>
#pragma omp declare reduction(+ : std::complex<float> : omp_out += omp_in)
#pragma omp declare reduction(times : std::complex<double> : omp_out *= omp_in) initializer(omp_priv = 1.0)
typedef std::complex<double> number;
template <class T> std::complex<T> scaled(std::complex<T> z, T by) { return by * z + z / by - by; }
struct wave {
  number amplitude;
  number at(double x) const { return amplitude * std::exp(number(0, x)); }
};
static void show(const char *what, number z) { std::printf("%s %.9g %.9g\n", what, z.real(), z.imag()); }
int main() {
  number z[12];
  double m[6];
  std::complex<float> sum(0);
  number product(1, 0);
  wave w = {number(2, 1)};
#pragma omp target teams distribute parallel for map(from : z, m)
  for (int i = 0; i < 12; i++) {
    number t(0.25 * i, 1 - i);
    z[i] = std::exp(t) * t / 2.0;
    z[i] += w.at(i) - std::conj(t) + scaled(t, 1.5);
    z[i] /= number(1, 2) + std::sqrt(t) + std::pow(t, 2);
    if (i < 6) m[i] = std::abs(t) + std::arg(t) + std::norm(t) + real(t) * std::imag(z[i]);
    if (t == number(0, 1)) z[i].imag(7);
  }
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < 100; i++) sum += std::complex<float>(1, -1) * 2.0f;
#pragma omp target parallel for reduction(times : product)
  for (int i = 0; i < 8; i++) product *= std::polar(1.0, 0.125 * i) * number(1.25, -0.5);
  for (int i = 0; i < 12; i++) show("z", z[i]);
  for (double x : m) std::printf("%.9g ", x);
  show("sum", sum);
  show("product", product);
}
