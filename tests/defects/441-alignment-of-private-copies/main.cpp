#include <cstdint>
#include <cstdio>
#define LINE 64
#define OFF(variable, bytes) ((reinterpret_cast<std::uintptr_t>(&(variable)) & ((bytes) - 1)) != 0)

constexpr int wide = 128;
struct alignas(128) Big {
  int a;
};
typedef int line_int __attribute__((aligned(LINE)));

int main() {
  alignas(LINE) int p = 3;
  int q __attribute__((aligned(LINE / 2))) = 4;
  alignas(64) int arr[3] = {1, 2, 3};
  alignas(wide) double d = 1;
  [[gnu::aligned(32)]] char c = 1;
  line_int t = 2;
  Big big{5};
  int bad = 0, sum = 0;

#pragma omp target firstprivate(p, q, arr, d, c, t, big) map(tofrom : bad, sum)
  {
    bad += OFF(p, 64) + OFF(q, 32) + OFF(arr, 64) + OFF(d, 128) + OFF(c, 32) + OFF(t, 64) + OFF(big, 128);
    sum += p + q + arr[2] + static_cast<int>(d) + c + t + big.a;
  }
  std::printf("target: %d %d\n", bad, sum);

#pragma omp target map(tofrom : bad, sum)
  {
    bad += OFF(p, 64) + OFF(q, 32) + OFF(d, 128) + OFF(c, 32);
    sum += p + q + static_cast<int>(d) + c;
  }
  std::printf("implicit: %d %d\n", bad, sum);

#pragma omp target teams distribute parallel for private(p, q, arr, d) reduction(+ : bad, sum)
  for (int i = 0; i < 10; i++) {
    d = arr[1] = p = q = i;
    bad += OFF(p, 64) + OFF(q, 32) + OFF(arr, 64) + OFF(d, 128);
    sum += p + q + arr[1] + static_cast<int>(d);
  }
  std::printf("loop: %d %d\n", bad, sum);

#pragma omp target teams num_teams(2) private(p, q, arr, d) reduction(+ : bad)
  {
    p = q = 1;
    d = arr[1] = 2;
#pragma omp parallel for reduction(+ : bad)
    for (int i = 0; i < 10; i++)
      bad += OFF(p, 64) + OFF(q, 32) + OFF(arr, 64) + OFF(d, 128) + (p + q + arr[1] + d != 6);
  }
  std::printf("teams: %d\n", bad);

#pragma omp target teams distribute parallel for reduction(+ : bad, p, arr) lastprivate(q)
  for (int i = 0; i < 10; i++) {
    p += i;
    arr[1] += i;
    q = i;
    bad += OFF(p, 64) + OFF(arr, 64) + OFF(q, 32);
  }
  std::printf("results: %d %d %d %d\n", bad, p, arr[1], q);

#pragma omp target map(tofrom : bad, sum)
  {
    alignas(64) int in = 5, inner[3] = {1, 2, 3};
#pragma omp parallel for firstprivate(in, inner) reduction(+ : bad, sum)
    for (int i = 0; i < 10; i++) {
      bad += OFF(in, 64) + OFF(inner, 64);
      sum += in + inner[2];
    }
  }
  std::printf("inside: %d %d\n", bad, sum);
}
