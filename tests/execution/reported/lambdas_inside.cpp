#include <cstdio>
int main() {
  int out[2] = {0, 0}, shift = 3;
#pragma omp target map(tofrom : out)
  {
    auto square = [](int x) { return x * x; };
    auto add = [&](int x) { out[0] += x + shift; };
    int base = 4;
    auto with = [=](auto x) mutable { return x + base++; };
    add(square(5));
    out[1] = with(3) + with(3);
  }
  std::printf("%d %d\n", out[0], out[1]);
}
