// lastprivate(conditional:) in templates and methods.
#include <cstdio>

constexpr int N = 700;

namespace shop {
static double price = -1;
}

template <typename T>
T latest(const T *values, int n, T least) {
  T found = T(-1);
  int where = -7;
#pragma omp target parallel for lastprivate(conditional : found, where) map(to : values[0 : n]) num_threads(33)
  for (int i = 0; i < n; i++)
    if (values[i] > least) {
      where = i;
      found = values[i];
    }
  return where < 0 ? found : found * 1000 + where;
}

struct Register {
  double rates[N];
  int first_day;

  void fill() {
    for (int i = 0; i < N; i++) rates[i] = (i * 37) % 101 * 0.5;
  }
  double highest(double above) {
    double rate = -2;
#pragma omp target parallel for lastprivate(conditional : rate)
    for (int i = first_day; i < N; i++)
      if (rates[i] > above) rate = rates[i];
    return rate;
  }
};

int main() {
  static int whole[N];
  static float parts[N];
  for (int i = 0; i < N; i++) whole[i] = (i * 31) % 97, parts[i] = static_cast<float>(whole[i]) / 4;
  std::printf("%d %d %g %g\n", latest(whole, N, 90), latest(whole, N, 200), latest(parts, N, 20.f), latest(parts, 9, 24.f));
  Register days;
  days.fill();
  days.first_day = 3;
  std::printf("%g %g\n", days.highest(49), days.highest(50));
#pragma omp target parallel for lastprivate(conditional : shop::price)
  for (int i = 0; i < N; i++)
    if (i % 50 == 4) shop::price = i * 0.5;
  std::printf("%g\n", shop::price);
  enum Colour { RED, GREEN, BLUE } colour = RED;
  bool seen = false;
  const char *name = "none";
  (void)name;
#pragma omp target map(tofrom : colour, seen)
#pragma omp parallel for lastprivate(conditional : colour, seen)
  for (int i = 0; i < N; i++) {
    if (i == 200) colour = GREEN;
    if (i == 100) colour = BLUE;
    if (i == 300) seen = true;
    if (i == 301) seen |= false;
  }
  std::printf("%d %d\n", colour, seen);
}
