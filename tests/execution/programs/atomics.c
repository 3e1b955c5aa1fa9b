/* atomic of every kind. Results do not depend on the order of the updates. */
#include <stdio.h>

#define N 1000
#define TYPE(type, name, format)                                                                               \
  static void all_##name(void) {                                                                               \
    type add = 1, sub = 100, mul = 1, low = 120, high = 0, inc = 0, dec = 99, pre = 0, rev = 3, plain = 2;      \
    type slots[5] = {0};                                                                                       \
    _Pragma("omp target teams distribute parallel for map(tofrom : add, sub, mul, low, high, inc, dec, pre, rev, plain, slots)") \
    for (int i = 0; i < N; i++) {                                                                              \
      if (i % 10 == 0) {                                                                                       \
        _Pragma("omp atomic") add += 1;                                                                        \
        _Pragma("omp atomic update") sub -= 1;                                                                 \
      }                                                                                                        \
      if (i % 250 == 3) {                                                                                      \
        _Pragma("omp atomic") mul *= 2;                                                                        \
      }                                                                                                        \
      if (i % 20 == 5) {                                                                                       \
        _Pragma("omp atomic") inc++;                                                                           \
        _Pragma("omp atomic") ++pre;                                                                           \
        _Pragma("omp atomic") dec--;                                                                           \
        _Pragma("omp atomic") --dec;                                                                           \
        _Pragma("omp atomic") rev = 1 + rev;                                                                   \
        _Pragma("omp atomic seq_cst") plain = plain + 2;                                                       \
        _Pragma("omp atomic relaxed") slots[i % 5] += 2;                                                       \
      }                                                                                                        \
      type v = (type)(i % 90 + 10);                                                                            \
      _Pragma("omp atomic compare") if (v < low) { low = v; }                                                  \
      _Pragma("omp atomic compare") high = high < v ? v : high;                                                \
    }                                                                                                          \
    printf(#name ": " format " " format " " format " " format " " format " " format " " format " " format " " format  \
           " " format " " format "\n", add, sub, mul, low, high, inc, dec, pre, rev, plain, slots[0]);         \
  }

TYPE(int, int, "%d")
TYPE(unsigned, unsigned, "%u")
TYPE(long long, ll, "%lld")
TYPE(unsigned long, ul, "%lu")
TYPE(short, short, "%d")
TYPE(unsigned char, uchar, "%d")
TYPE(float, float, "%g")
TYPE(double, double, "%g")

static void bits(void) {
  unsigned all = ~0u, any = 0, odd = 5, left = 1, right = 1u << 31;
  unsigned char byte = 0;
  int div = 1 << 20;
#pragma omp target teams distribute parallel for map(tofrom : all, any, odd, left, right, byte, div)
  for (int i = 0; i < 16; i++) {
#pragma omp atomic
    all &= ~(1u << i);
#pragma omp atomic
    any |= 1u << (2 * i);
#pragma omp atomic
    odd ^= 1u << i;
#pragma omp atomic
    left <<= 1;
#pragma omp atomic
    right >>= 1;
#pragma omp atomic
    byte |= (unsigned char)(1 << (i % 8));
#pragma omp atomic
    div /= 2;
  }
  printf("bits: %u %u %u %u %u %d %d\n", all, any, odd, left, right, byte, div);
}

struct cell {
  int value;
  double sum;
};

static void places(int n) {
  int index[N], counts[10] = {0}, *p = counts;
  struct cell cells[4] = {{0, 0}};
  for (int i = 0; i < n; i++) index[i] = i % 10;
#pragma omp target teams distribute parallel for map(to : index[0 : n]) map(tofrom : counts, cells)
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    counts[index[i]]++;
#pragma omp atomic
    cells[i % 4].value += 1;
#pragma omp atomic
    cells[i % 4].sum += cells[0].value * 0 + 0.5;
  }
#pragma omp target teams distribute parallel for map(tofrom : p[0 : 10])
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    *p += 1;
#pragma omp atomic update
    *(p + 1) += 2;
#pragma omp atomic
    (p[2]) -= 1;
  }
  for (int i = 0; i < 10; i++) printf("%d ", counts[i]);
  printf("%d %g\n", cells[3].value, cells[1].sum);
}

static void captures(int n) {
  int next = 0, order[N], second[N], seen = 0, top = 0, old[4] = {0}, x = 5, got = 0;
  for (int i = 0; i < n; i++) order[i] = second[i] = 0;
#pragma omp target teams distribute parallel for map(tofrom : next, order, second, top)
  for (int i = 0; i < n; i++) {
    int mine, after;
#pragma omp atomic capture
    mine = next++;
    order[mine]++;
#pragma omp atomic capture
    {
      after = top;
      top += 2;
    }
    second[after / 2]++;
#pragma omp atomic capture
    {
      top -= 0;
      after = top;
    }
    if (after < 0) second[0] = 1000;
  }
  for (int i = 0; i < n; i++) seen += order[i] == 1 && second[i] == 1;
  printf("captures: %d %d %d\n", next, top, seen);
#pragma omp target map(tofrom : x, old, got)
  {
    int v;
#pragma omp atomic capture
    v = x += 3;
    old[0] = v;
#pragma omp atomic capture
    v = ++x;
    old[1] = v;
#pragma omp atomic capture
    v = x--;
    old[2] = v;
#pragma omp atomic capture
    {
      v = x;
      x = 77;
    }
    old[3] = v;
#pragma omp atomic read
    got = x;
#pragma omp atomic write
    x = got + 1;
#pragma omp atomic capture
    v = x = x * 2;
    got += v;
#pragma omp atomic capture
    v = x = 200 - x;
    got += v;
#pragma omp atomic capture
    {
      x = x - 3;
      v = x;
    }
    got += v;
#pragma omp atomic compare
    if (x == 41) {
      x = 1;
    }
  }
  printf("one thread: %d %d %d %d %d %d\n", old[0], old[1], old[2], old[3], x, got);
}

int main(void) {
  all_int(), all_unsigned(), all_ll(), all_ul(), all_short(), all_uchar(), all_float(), all_double();
  bits();
  places(N);
  captures(N);
  return 0;
}
