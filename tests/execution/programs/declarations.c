/* What C says about declarations otherwise than C++: types of enumerators, steps of _Bool, _Alignas among specifiers,
   types that only a first declaration names, and what macros declare. */
#include <stddef.h>
#include <stdio.h>

enum wide { ZERO, HALF = 0x80000000, THREE = 3 };
typedef enum { LONG_ZERO, LONG_ONE = 0x100000000LL, LONG_MINUS = -1 } wider;
struct inside {
  enum { IN_ZERO, IN_MOST = 0xf0000000 } m;
  int _Alignas(16) a;
  short volatile _Alignas(double) e;
};
static const _Alignas(64) int row[3] = {1, 2, 3};
typedef int number;
typedef int function(number);
typedef struct node {
  int v;
} node;
static function twice;
static int sum(int (*)(number), struct node *, number);
static int twice(int x) { return 2 * x; }
static int sum(int f(int), node *p, int x) { return f(p->v) + x; }

#pragma omp begin declare target
struct linked {
  const struct linked *next;
  int v;
};
static const struct linked last; /* defined below */
static const struct linked first = {&last, 1};
static int open_end[];
static int counted;
static int walk(void) { return first.next->v + open_end[1] + ++counted; }
static const struct linked last = {0, 2};
static int open_end[] = {10, 20};
static int counted = 100;
#pragma omp end declare target

#define MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __auto_type t_ = (a); (a) = (b); (b) = t_; } while (0)
#define DECLARE(name, value) __auto_type name = (value)
#define TURN(b) (b)--

static int all(long *p) {
  int n = 0;
#define KEEP(x) p[n++] = (long)(x)
  KEEP(ZERO - 1 < 0);
  KEEP(HALF - 1 > 0);
  KEEP(~THREE);
  KEEP(LONG_ZERO - 1);
  KEEP(LONG_MINUS < 0u);
  KEEP(IN_ZERO - 1 < 0);
  KEEP((ZERO - 5) / 2);
  KEEP(-THREE >> 1);
  KEEP(sizeof LONG_ZERO + 10 * sizeof LONG_ONE);
  enum wide w = ZERO;
  KEEP(w - 1 < 0);
  enum { L_ZERO, L_MOST = 0xffffffff } l = L_ZERO;
  KEEP((L_ZERO - 1 < 0) + 2 * (l - 1 < 0));
  KEEP((1 ? ZERO : -1) - 1 < 0);

  _Bool b = 1;
  b--;
  KEEP(b);
  --b, b++, ++b;
  KEEP(b);
  KEEP(b--);
  KEEP(--b);
  KEEP(b++);
  struct {
    _Bool bit : 1;
    _Bool all[2];
  } s = {1, {0, 1}};
  int i = 0;
  s.bit--, s.all[i++]--;
  KEEP(s.bit++);
  KEEP(s.bit-- + 2 * s.all[0]);
  TURN(s.all[1]);
  KEEP(s.all[1] + 2 * i);
  for (_Bool once = 0; !once; once++) KEEP(TURN(b));

  static _Alignas(32) int kept[3];
  const _Alignas(64) int x = 3;
  int _Alignas(128) y = 4;
  unsigned _Alignas(0) z = 5;
  KEEP((size_t)kept % 32 + (size_t)&x % 64 + (size_t)&y % 128 + (size_t)row % 64 + z);
  KEEP(_Alignof(struct inside) + 100 * offsetof(struct inside, e) + 10000 * sizeof(struct inside) + row[1]);

  KEEP(walk());
  node one = {7};
  KEEP(sum(twice, &one, 5));
  KEEP(MAX(3, MAX(5, 4)) + MAX(2.5, 1) * 4);
  int c = 1, d = 2;
  SWAP(c, d);
  DECLARE(made, c * 10L + d);
  KEEP(made + sizeof made);
  return n;
}

int main(void) {
  long v[64] = {0};
  int n = 0;
#pragma omp target map(tofrom : v, n)
  n = all(v);
  for (int i = 0; i < n; i++) printf("%ld\n", v[i]);
}
