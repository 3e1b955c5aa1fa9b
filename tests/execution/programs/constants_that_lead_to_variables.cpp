// SPDX-License-Identifier: Apache-2.0
// Constant pointers of the file, and constants with pointers, that lead to variables: what is mapped is meant.
#include <cstdio>

static int table[64];
static int *const first = table;
static constexpr int *second = table + 1;
static int *const *const to_first = &first;
static int (*const whole)[64] = &table;
static constexpr int *get() { return table + 4; }
static constexpr int *fourth = get();
struct Member {
  static constexpr int *third = &table[2];
  static int *const defined;
};
int *const Member::defined = table + 3;
template <class T> struct Of {
  static constexpr T *member = table;
};
namespace names {
inline int *const fifth = &table[5];
}
static const int fixed[4] = {2, 4, 6, 8};
static const int *const to_fixed = fixed; // of this one the device has its own

static void fill() {
  for (int i = 0; i < 64; i++) table[i] = i;
}

static long sum() {
  long total = 0;
  for (int i = 0; i < 64; i++) total = total * 3 % 1000003 + table[i];
  return total;
}

int main() {
  fill();
#pragma omp target data map(tofrom : first[0 : 64])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 60; i++) first[i] += 2;
#pragma omp target parallel for
    for (int i = 0; i < 60; i++) second[i] *= 3;
#pragma omp target
    Member::third[7] = Member::defined[8] + fourth[2] * to_fixed[3];
#pragma omp target teams distribute
    for (int i = 0; i < 8; i++) {
#pragma omp parallel for
      for (int j = 0; j < 4; j++) names::fifth[i * 4 + j] += i * j;
    }
#pragma omp target
    {
      auto add = [=](int i) { Of<int>::member[i] += fixed[1]; };
      add(50);
    }
  }
  std::printf("%ld\n", sum());

#pragma omp target map(tofrom : first[0 : 64])
  for (int i = 0; i < 64; i++) first[i] -= 1;
#pragma omp target map(tofrom : table)
  (*whole)[3] += 9;
  std::printf("%ld\n", sum());

  bool same = false;
#pragma omp target map(tofrom : table, same)
  same = first == &table[0] && whole == &table;
  std::printf("%d\n", same);
  (void)to_first;
  return 0;
}
