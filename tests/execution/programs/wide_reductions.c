/* Reductions of integers that are wider than a register. */
#include <stdio.h>
typedef __int128 wide;
typedef unsigned __int128 uwide;
static long long high(wide value) { return (long long)(value >> 64); }
int main(void) {
  wide s = 0, least = (wide)1 << 100, most = -5, each[2] = {0};
  uwide x = 0, o = 0, a = ~(uwide)0, umost = 0;
  int all = 1;
  wide any = 0;
#pragma omp target teams distribute parallel for reduction(+ : s, each) reduction(max : most, umost) \
    reduction(min : least) reduction(^ : x) reduction(| : o) reduction(& : a) reduction(&& : all) reduction(|| : any)
  for (int i = 0; i < 100; i++) {
    wide value = (wide)((i * 37) % 91 - 40) << 66;
    s += ((wide)i << 70) + i;
    each[i & 1] += (wide)i << 65;
    x ^= (uwide)i << 80;
    o |= (uwide)i << 90;
    a &= ~((uwide)i << 66);
    if (value > most) most = value;
    if (value < least) least = value;
    if ((uwide)i << 121 > umost) umost = (uwide)i << 121;
    all = all && i < 100;
    any = any || i == 50;
  }
  printf("%lld %lld %lld %lld\n", high(s), (long long)s, high(each[0]), high(each[1]));
  printf("%lld %lld %lld %llx %llx %llx %d %d\n", high(most), high(least), high(umost), (unsigned long long)high(x),
         (unsigned long long)high(o), (unsigned long long)high(a), all, (int)any);
}
