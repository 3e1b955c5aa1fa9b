// declare target in all forms: nested blocks, lists, device_type, declarations before definitions, static members.
#include <stdio.h>
#pragma omp begin declare target device_type(any)
enum Color { RED = 3 };
extern const int later_const;
extern int later;
static int nested[2][3] = {{1,2,3},{4,5,6}};
#pragma omp begin declare target
static int inside = 8;
#pragma omp end declare target
struct V { int a[3]; static int total; };
V vs[2] = {{{1,2,3}}, {{4,5,6}}};
int use() { static int calls; return ++calls + nested[1][2] + inside + vs[1].a[0] + later + later_const + V::total; }
#pragma omp end declare target
const int later_const = 70;
int later = 600;
int V::total = 5;
#pragma omp declare target (later)
int *pp = &later;
#pragma omp declare target to(pp)
bool flag = true; char text[8] = "abc"; long long big = 1LL << 40; unsigned char bytes[3] = {1,2,3};
#pragma omp declare target enter(flag, text, big, bytes)
int main() {
  int r = 0; char t = 0; bool f = false; long long b = 0;
#pragma omp target map(from: r, t, f, b)
  { r = use(); t = text[1]; f = flag; b = big + bytes[2]; text[0] = 'z'; flag = false; V::total++; vs[0].a[1] = 9; }
#pragma omp target update from(text, flag, V::total, vs)
  printf("%d %c %d %lld %s %d %d %d\n", r, t, f, b, text, flag, V::total, vs[0].a[1]);
#pragma omp target map(from: r)
  r = *pp == later;
  printf("%d\n", r);
}
