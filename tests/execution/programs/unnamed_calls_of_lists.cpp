// Constructors and conversions that lists of values call change an element between two uses of it.
#include <cstdio>

const int N = 8;
#pragma omp declare target
float z[N];
int at;
struct number {
  float v;
  operator float() const {
    z[at] += 1;
    return v;
  }
};
struct two {
  float a, b;
  two(float x, float y) : a(x), b(y) { z[at] += 2; }
};
struct four {
  two p, q;
};
struct made {
  float f;
  made(number d) : f(d.v) { z[at] += 8; }
};
struct begun {
  two v;
  begun() : v{1, 2} {}
};
struct derived : begun {
  int k = 3;
};
struct held {
  float &r;
  held(float &x) : r(x) {}
  ~held() { r += 2; }
};
struct holder {
  held r;
};
inline two make(float x) { return {x, 1}; }
inline float take(two v) { return v.a; }
#pragma omp end declare target

int main() {
  float y[N] = {};
  int n = 1;
  for (int i = 0; i < N; i++) z[i] = i + 3;
#pragma omp target update to(z)
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    number d{3};
    float t[2] = {d, 3};
    y[i] = z[i] * 10 + t[0];
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    two t[2] = {{1, 2}, {3, 4}};
    y[i] = z[i] * 10 + t[1].b;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    four t = {{1, 2}, {3, 4}};
    y[i] = z[i] * 10 + t.q.a;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    y[i] = make(3).b + take({4, 5});
    y[i] += z[i] * 10;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    made l[1] = {number{4}};
    derived d;
    y[i] = z[i] * 10 + l[0].f + d.v.b + d.k;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target teams distribute parallel for map(tofrom : y)
  for (int i = 0; i < n; i++) {
    at = i;
    z[i] = z[i] * 2 + 5;
    { holder w{z[i]}; }
    y[i] = z[i] * 10;
    z[i] += 1;
  }
  std::printf("%g\n", y[0]);
#pragma omp target update from(z)
  std::printf("%g\n", z[0]);
}
