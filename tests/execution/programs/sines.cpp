// Sines and cosines of one value, by overloads of the library, in templates, lambdas and methods, and by functions that
// only have their names.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>

enum { MOST = 2000 };
static float x[MOST], y[MOST];
static double v[MOST];
static void tell(const char *what) {
  unsigned long long sum = 0, bits;
  for (int i = 0; i < MOST; i++) {
    double both = v[i] * 3 + y[i];
    std::memcpy(&bits, &both, sizeof bits);
    sum = sum * 31 + bits;
    v[i] = y[i] = 0;
  }
  std::printf("%s: %llx\n", what, sum);
}

static void overloads(float k, int m) {
#pragma omp target teams distribute parallel for map(to : x) map(tofrom : y, v)
  for (int i = 0; i < MOST; i++) {
    const float sx = std::sin(x[i]);
    const float cx = std::cos(x[i]);
    y[i] = sx * 2 - cx + sin(k) * ::cos(k);
    v[i] = std :: sin(double(x[i])) + cos(double(x[i])) + std::sin(m) * std::cos(m) + std::sin(k * m) + std::cos(double(k * m));
  }
  tell("overloads");
}

template <class T> static void instances(T k, T *out) {
#pragma omp target teams distribute parallel for map(to : x) map(tofrom : out[0:MOST])
  for (int i = 0; i < MOST; i++) {
    T e = k * x[i], c = std::cos(e), s = std::sin(e);
    out[i] = c * 2 - s;
    out[i] += std::sin(x[i]) + std::cos(x[i]);
  }
  tell("instances");
}

namespace mine {
static int calls(int i) { return i & 3; }
static float sin(float e) { return e * 2; }
static float cos(float e) { return e + 1; }
} // namespace mine

struct Wave {
  float k, phase;
  void make(float *out) const {
#pragma omp target teams distribute parallel for map(to : x) map(tofrom : out[0:MOST])
    for (int i = 0; i < MOST; i++) out[i] = std::sin(k * x[i] + phase) * std::cos(k * x[i] + phase);
  }
};

static void others(float k) {
#pragma omp target teams distribute parallel for map(to : x) map(tofrom : y, v)
  for (int i = 0; i < MOST; i++) {
    float e = x[i];
    y[i] = mine::sin(e) + mine::cos(e);
    auto of = [=](float d) {
      float c = cosf(d), s = sinf(d);
      return c - s * k;
    };
    v[i] = of(e) + of(k);
    std::complex<float> z(cosf(k * i), sinf(k * i));
    y[i] += z.real() - z.imag() * 3;
    float &same = e;
    float c = cosf(e);
    same += 1;
    y[i] += c * sinf(e) + sinf(float(mine::calls(i))) * cosf(float(mine::calls(i)));
    if (float s = sinf(k); s > 0.1f) y[i] += cosf(k);
  }
  tell("others");
}

int main() {
  for (int i = 0; i < MOST; i++) x[i] = (i * 37 % 1009 - 500) * 0.01f;
  overloads(1.25f, 5);
  instances(0.75f, y);
  instances(0.625, v);
  Wave{0.5f, 2}.make(y);
  tell("method");
  others(0.3f);
}
