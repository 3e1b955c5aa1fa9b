// SPDX-License-Identifier: Apache-2.0
// Lambdas that macros make, in regions and in code of teams.
#include <cstdio>

#define ADD(v) [](int q) { return q + 3; }(v)
#define OWN(v) [=](int q) { return q + x; }(v)
#define SELF(v) [this](int q) { return q + x; }(v)
#define COPY(v) [*this](int q) mutable { x++; return q + x; }(v)

struct Holder {
  int x = 4;
  int run() {
    int out = -1;
#pragma omp target map(tofrom : out)
    {
      out = OWN(1) + SELF(2) * 100 + COPY(3) * 10000 + ADD(1);
      auto own = [this] { return x; };
      out += own() * 1000000;
    }
    return out;
  }
};

int main() {
  int out = -1, k = 5, x = 7;
#pragma omp target map(tofrom : out)
  out = ADD(1) + [](int r) { return r * 10; }(k);
  std::printf("%d\n", out);
#pragma omp target teams distribute map(tofrom : out)
  for (int t = 0; t < 1; t++) {
    int s = t + 2;
    int x = s;
#pragma omp parallel for reduction(+ : out)
    for (int i = 0; i < 8; i++) out += OWN(i) + ADD(s);
  }
  std::printf("%d %d\n", out, x);
  std::printf("%d\n", Holder().run());
  return 0;
}
