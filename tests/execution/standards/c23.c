// C23: constants, deduced types, attributes, separators, enumerations with a type, empty initialisers, embedded files.
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#define N 8
enum kind : uint8_t { A = 1, B = 255 };
enum big : unsigned long long { HUGE_ONE = 0xffff'ffff'0000'0001 };
constexpr double TABLE_STEP = 0.25;
constexpr int SIZES[3] = {1, 2, 3};
constexpr struct { int a, b; } PAIR = {.a = 4, .b = 5};
[[gnu::always_inline]] static inline int add(int a, [[maybe_unused]] int) { return a + 1; }
#pragma omp begin declare target
[[nodiscard]] static bool is_even(int x) { return (x & 1) == 0 ? true : false; }
static int va(int first, ...) { return first; }
typedef typeof(nullptr) null_type;
static int is_null(void *p) { return p == nullptr; }
#pragma omp end declare target
struct point { int x, y; };
static struct point make(void) { return (struct point){}; }
int main(void) {
  unsigned char words[] = {
#embed __FILE__ limit(3)
  };
  int sum = 0;
#pragma omp target map(tofrom : sum) map(to : words)
  for (size_t i = 0; i < sizeof words; i++) sum += words[i];
  printf("%d\n", sum);
  int a[N] = {};
  constexpr int twice = 2 * SIZES[1];
  static_assert(twice == 4);
  auto total = 0ll;
  enum kind k = B;
  struct point p = make();
  double d[N] = {};
#pragma omp target teams distribute parallel for map(tofrom : a, d) reduction(+ : total) firstprivate(k, p)
  for (size_t i = 0; i < N; i++) {
    constexpr int local = SIZES[2] + PAIR.b;
    static_assert(local == 8, "c23");
    auto half = (int)i / 2;
    typeof_unqual(d) copies = {};
    a[i] += (int)copies[i];
    typeof(a[0]) t = add(half, 3);
    int empty[4] = {};
    struct point q = {};
    alignas(16) char buf[16] = {};
    bool even = is_even((int)i);
    a[i] = t + local + empty[1] + q.x + p.y + (even ? twice : 0) + k + alignof(int) + (int)sizeof(k) + buf[3] + SIZES[i % 3];
    if (is_null(nullptr)) a[i] += va(1);
    d[i] = TABLE_STEP * (double)i;
    total += a[i];
    enum big h = HUGE_ONE;
    a[i] += h >> 32 == 0xffffffffu;
    switch (i) { case 0: int in = 3; a[i] += in; break; default: }
    goto out;
  out:
  }
  static_assert(sizeof(total) == 8);
  long long s = total;
  for (int i = 0; i < N; i++) s += a[i];
  printf("%lld %g %d\n", s, d[5], true);
  unsigned x = 0b1010'1010;
  int8_t bits = 0;
#pragma omp target map(tofrom : x) map(from: bits)
  {
    x = x >> 1 | 0x1'0000u;
    bits = (int8_t)~0;
  }
  printf("%x %d\n", x, bits);
  int rows = 3;
  int m[3][4] = {};
#pragma omp target map(tofrom : m)
  for (int i = 0; i < rows; i++) m[i][2] = i;
  printf("%d %d\n", m[2][2], m[1][1]);
}
