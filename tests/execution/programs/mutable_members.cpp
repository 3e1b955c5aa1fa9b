// First-private objects whose constant methods change them: each thread has a copy; objects that can only be moved.
#include <cstdio>

struct memory {
  int base;
  mutable int last;
  int keep(int i) const {
    last = i;
    int away = 0;
    for (int k = 0; k < 50; k++) away += last - i;
    return away + base;
  }
};
struct around {
  memory inner[2];
};

struct moved {
  int by, of;
  moved(int by, int of) : by(by), of(of) {}
  moved(moved &&) = default;
};

static int keep(const around &a, int i) {
  a.inner[1].last = 2 * i;
  int away = 0;
  for (int k = 0; k < 50; k++) away += a.inner[1].last - 2 * i;
  return away + a.inner[1].base;
}

int main() {
  enum { N = 5000 };
  static int first[N], second[N];
  memory one{1, 2};
  around two{{{3, 4}, {5, 6}}};
#pragma omp target teams distribute parallel for firstprivate(one)
  for (int i = 0; i < N; i++) first[i] = one.keep(i) + 3 * one.last;
#pragma omp target teams distribute parallel for firstprivate(two)
  for (int i = 0; i < N; i++) second[i] = keep(two, i) + 3 * two.inner[1].last;
  moved three(7, 8);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) first[i] += three.by * i + three.of;
  long sum = 0;
  for (int i = 0; i < N; i++) sum = sum * 31 + first[i] - second[i];
  std::printf("%ld\n", sum);
  return 0;
}
