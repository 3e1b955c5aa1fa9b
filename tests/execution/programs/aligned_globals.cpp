// Variables on the device have the alignment that attributes in front of their declarations, behind or inside ask for.
#include <cstdint>
#include <cstdio>

#define ON(bytes) alignas(bytes)

#pragma omp begin declare target
alignas(64) int values[4] = {1, 2, 3, 4};
char between_1 = 1;
alignas(32) static double number = 2;
char between_2;
[[gnu::aligned(128)]] char bracketed;
char between_3;
char behind alignas(256);
char between_4 = 2;
__attribute__((aligned(128))) char old_form;
ON(64) char from_macro = 5;
alignas(double) alignas(16) short twice = 7;
namespace inner {
char between_5 = 1;
alignas(64) char in_namespace = 3;
} // namespace inner
struct Pair {
  int a, b;
} pair = {1, 2};
#pragma omp end declare target
alignas(128) const char table[3] = {1, 2, 3};

int main() {
  int odd = 0, i = 1, sum = 0;
#pragma omp target map(odd, sum)
  {
    between_2 = between_3 = bracketed = behind = old_form = 1;
    odd += (uintptr_t)values % 64 != 0;
    odd += (uintptr_t)&number % 32 != 0;
    odd += (uintptr_t)&bracketed % 128 != 0;
    odd += (uintptr_t)&behind % 256 != 0;
    odd += (uintptr_t)&old_form % 128 != 0;
    odd += (uintptr_t)&from_macro % 64 != 0;
    odd += (uintptr_t)&twice % 16 != 0;
    odd += (uintptr_t)&inner::in_namespace % 64 != 0;
    odd += (uintptr_t)table % 128 != 0;
    sum = values[3] + between_1 + between_2 + between_3 + (int)number + between_4 + from_macro + twice +
          inner::between_5 + inner::in_namespace + pair.b + table[i];
  }
  std::printf("%d %d\n", odd, sum);
  return 0;
}
