// A program whose only header is <atomic> (and printf's): its classes have all that they need.
#include <atomic>

extern "C" int printf(const char *, ...);

struct counted {
  static std::atomic<int> live;
  std::atomic<long> uses{0};
  double v = 2;
};
std::atomic<int> counted::live{0};

int main() {
  counted c;
  ++counted::live;
#pragma omp target map(c)
  {
    c.v += 2;
    c.uses += 3;
  }
  printf("%g %ld %d\n", c.v, c.uses.load(), counted::live.load());
}
