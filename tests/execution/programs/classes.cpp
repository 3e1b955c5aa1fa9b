// Classes: methods with this, references, namespaces, overloads, constructors, operators.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace shapes {
constexpr int SIDES = 4;
const double PI = 3.25;
enum class Kind : unsigned char { Round = 2, Square };
inline int global = 3;

struct Vec {
  float x = 0, y = 0;
  Vec() = default;
  Vec(float a, float b) : x(a), y(b) {}
  Vec operator+(const Vec &o) const { return Vec(x + o.x, y + o.y); }
  Vec &operator+=(const Vec &o) {
    x += o.x;
    y += o.y;
    return *this;
  }
  float dot(const Vec &o) const { return x * o.x + y * o.y; }
  static Vec unit() { return Vec(1, 1); }
};
inline Vec operator*(float f, const Vec &v) { return Vec(f * v.x, f * v.y); }

namespace inner {
template <typename T> T clamp(T v, T lo, T hi) { return v < lo ? lo : v > hi ? hi : v; }
int area(int a) { return a * a; }
double area(double a) { return a * PI; }
} // namespace inner
} // namespace shapes

typedef shapes::Vec Vec;

class Field {
public:
  explicit Field(int n) : size(n), data(new double[n]) {
    for (int i = 0; i < n; i++) data[i] = i;
  }
  ~Field() { delete[] data; }
  void scale(double f);
  double sum() const {
    double s = 0;
    int n = size;
    const double *p = data;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; i++) s += p[i] * (i + 1);
    return s;
  }
  void shift() {
#pragma omp target teams distribute parallel for map(to : this[0 : 1]) map(tofrom : this->data[0 : size])
    for (int i = 0; i < size; i++) data[i] += offset + helper(i);
  }
  void explicit_this() {
#pragma omp target teams distribute parallel for map(to : this[0 : 1]) map(tofrom : this->data[0 : this->size])
    for (int i = 0; i < this->size; i++) this->data[i] *= 2;
  }
  void enter() {
#pragma omp target enter data map(to : this[0 : 1], this->data[0 : size])
  }
  void on_device() {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < size; i++) data[i] += 1;
  }
  void leave() {
#pragma omp target exit data map(from : this->data[0 : size]) map(release : this[0 : 1])
  }
  void count() {
#pragma omp target
    {
      calls++;
      weights[1] = offset;
    }
  }
  int calls = 0;
  double weights[3] = {1, 2, 3};

private:
  int helper(int i) const { return i % size_limit; }
  static constexpr int size_limit = 3;
  int size;
  double offset = 0.25;
  double *data;
};

void Field::scale(double f) {
#pragma omp target teams distribute parallel for map(to : this[0 : 1]) map(tofrom : this->data[0 : size])
  for (int i = 0; i < size; i++) data[i] *= f;
}

static void references(int &r, const int &c, double (&array)[10], std::vector<int> &v) {
#pragma omp target map(tofrom : r)
  r += c;
  int *p = v.data();
  int n = static_cast<int>(v.size());
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n], array)
  for (int i = 0; i < n; i++) {
    p[i] += c;
    if (i >= 20) array[i % 10] = i;
  }
  auto value = 2.5f;
  auto &alias = value;
  double out = 0;
#pragma omp target map(from : out)
  out = alias * 2;
  std::printf("references: %d %d %g %g\n", r, v[7], array[9], out);
}

static void vectors() {
  Vec v[20], total;
  for (int i = 0; i < 20; i++) v[i] = Vec(i, -i);
  float d = 0;
#pragma omp target teams distribute parallel for map(tofrom : v) reduction(+ : d)
  for (int i = 0; i < 20; i++) {
    v[i] = 2.0f * v[i] + Vec::unit();
    v[i] += Vec{0.5f, 0.5f};
    d += v[i].dot(Vec(1, 0));
  }
  for (auto &x : v) total += x;
  std::printf("vectors: %g %g %g\n", total.x, total.y, d);
}

static void things() {
  int out[8] = {0};
  constexpr int local = 6;
  const int factor = 7;
  shapes::Kind kind = shapes::Kind::Square;
  std::array<int, 4> arr = {1, 2, 3, 4};
#pragma omp target map(tofrom : out) map(to : arr)
  {
    out[0] = shapes::SIDES + local * factor;
    out[1] = static_cast<int>(kind) + (kind == shapes::Kind::Square);
    out[2] = shapes::inner::clamp(50, 0, 9) + (int)shapes::inner::clamp(0.5, 1.0, 2.0);
    out[3] = shapes::inner::area(3) + (int)shapes::inner::area(2.0);
    out[4] = std::max(3, 9) + std::min(2, 1);
    out[5] = (int)std::sqrt(16.0) + std::abs(-3);
    out[6] = arr[2] + (int)arr.size();
    for (int x = 1; x < 4; x++) out[7] += x;
    bool both = true and not false;
    out[7] += both ? 1'000 : 0b11;
  }
  for (int x : out) std::printf("%d ", x);
  std::printf("\n");
}

static long long lambdas(int n) {
  long long s = 0;
  int shift = 3;
  auto run = [&](int k) {
#pragma omp target teams distribute parallel for reduction(+ : s) firstprivate(k)
    for (int i = 0; i < n; i++) s += i * k + shift;
  };
  run(2);
  run(5);
  return s;
}

struct Base {
  int b = 5;
  int get() const { return b; }
};
struct Derived : Base {
  int d = 6;
  void go() {
#pragma omp target
    {
      b += 1;
      d += get();
    }
  }
};

namespace {
struct Local {
  int v;
};
int anonymous(const Local &l) { return l.v * 3; }
} // namespace

namespace outer::nested {
static int run(int n) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) schedule(static) if (target : n > 2)
  for (auto i = 0; i < n; ++i) s += anonymous(Local{i});
  return s;
}
} // namespace outer::nested

int main() {
  Field f(50);
  f.scale(1.5);
  f.shift();
  f.explicit_this();
  std::printf("field: %g\n", f.sum());
  f.enter();
  f.on_device();
  f.on_device();
  f.leave();
  f.count();
  std::printf("field: %g %d %g\n", f.sum(), f.calls, f.weights[1]);
  int r = 1;
  double array[10] = {};
  std::vector<int> v(30, 2);
  references(r, 4, array, v);
  vectors();
  things();
  std::printf("lambdas: %lld\n", lambdas(20));
  Derived d;
  d.go();
  std::printf("derived: %d %d %d\n", d.b, d.d, outer::nested::run(9));
  return 0;
}
