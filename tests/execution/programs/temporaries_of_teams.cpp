// SPDX-License-Identifier: Apache-2.0
// Functions with parallels get temporary objects by references: one for all threads of the team.
#include <cstdio>
#include <utility>

struct Counter {
  int value;
  explicit Counter(int first) : value(first) {}
};

static void count(int *out, int &&number) {
#pragma omp parallel for reduction(+ : number)
  for (int i = 0; i < 64; i++) number += 1;
  out[0] = number;
}

static void change(int *out, long &&number) {
#pragma omp parallel
  {
#pragma omp single
    number = 40;
#pragma omp atomic
    out[0] |= number;
  }
}

static void object(int *out, Counter &&counter) {
#pragma omp parallel for
  for (int i = 0; i < 64; i++) {
#pragma omp atomic
    counter.value += 1;
  }
  out[0] = counter.value;
}

static void constant(int *out, const long &number) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 64; i++) sum += number;
  out[0] = sum;
}

int main() {
  int out[8] = {0};
#pragma omp target map(tofrom : out)
  {
    int own = 6;
    const int &&twice = own * 2;
    count(out, 3);
    count(out + 1, std::move(own));
    change(out + 2, own - 70L);
    object(out + 3, Counter(5));
    constant(out + 4, own);
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 64; i++) sum += twice;
    out[5] = sum;
    out[6] = own;
  }
  for (int value : out) std::printf("%d ", value);
  std::puts("");
  return 0;
}
