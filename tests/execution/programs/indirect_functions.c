/* declare target indirect: device code calls functions through pointers whose values are host addresses. */
#include <stdio.h>
#include <stdlib.h>

typedef int (*operation)(int, int);
typedef int (*plain)();

struct entry {
  operation run;
  int left, right;
};
struct nested {
  const char *name;
  struct entry entries[2];
  void *(*pick)(int *, int);
};

static int calls_of_helper(int n);

#pragma omp begin declare target indirect
static int scale = 3;
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b * scale; }
static int sub(int a, int b) { return calls_of_helper(a) - b; }
static void *choose(int *from, int which) { return from + which; }
#pragma omp end declare target

static int calls_of_helper(int n) { return n + 100; }

int five() { return 5; }
int six() { return 6; }
static double half(double x) { return x / 2; }
static int limit(void) { return 7; }
#pragma omp declare target enter(five, six) indirect
#pragma omp declare target enter(half) enter(limit) indirect(1)

static int never(int a, int b) { return a - b - b; }
#pragma omp declare target enter(never) indirect(0)

static int apply(operation f, int a, int b) { return f(a, b) + (*f)(b, a); }
static int through(const struct entry *e) { return e->run(e->left, e->right); }
static int twice(operation f, int n) { return n == 0 ? 0 : f(n, n) + twice(f, n - 1); }

static void pointers(int which) {
  operation f = which == 0 ? add : which == 1 ? mul : sub;
  plain p = which ? &five : &six;
  int r = 0, q = 0, own = 0;
#pragma omp target map(from : r, q, own)
  {
    r = f(which, 10) + (*f)(1, 2) + (which ? f : f)(3, 4);
    q = p() * 10 + (**p)();
    operation inner = f;
    own = inner(2, 2);
    inner = never;
    own += inner(9, 2) + apply(never, 5, 1);
  }
  printf("pointers %d: %d %d %d\n", which, r, q, own);
#pragma omp target map(to : f) map(from : r) firstprivate(p)
  r = f(5, 6) + p();
  printf("mapped: %d\n", r);
#pragma omp target map(from : r)
  r = f == NULL ? -1 : apply(f, 2, 3) + twice(f, 4);
  printf("functions: %d\n", r);
}

static void tables(void) {
  operation table[3] = {add, mul, sub};
  int out[12];
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < 12; i++) out[i] = table[i % 3](i, 2) + apply(table[(i + 1) % 3], i, 1);
  for (int i = 0; i < 12; i++) printf("%d ", out[i]);
  operation *heap = malloc(3 * sizeof *heap);
  for (int i = 0; i < 3; i++) heap[i] = table[2 - i];
#pragma omp target teams distribute parallel for map(from : out) map(to : heap[0 : 3])
  for (int i = 0; i < 12; i++) out[i] = heap[i % 3](i, heap[0](i, i));
  for (int i = 0; i < 12; i++) printf("%d ", out[i]);
  printf("\n");
  free(heap);
}

static void members(void) {
  struct entry one = {mul, 4, 5};
  struct nested more = {"more", {{add, 1, 2}, {sub, 3, 4}}, choose};
  int numbers[4] = {1, 2, 3, 4}, r = 0, sum = 0;
  double d = 0;
  double (*g)(double) = half;
#pragma omp target map(from : r, d) map(tofrom : numbers)
  {
    r = one.run(one.left, one.right) + through(&one) + more.entries[1].run(2, 1) + through(&more.entries[0]);
    int *chosen = more.pick(numbers, 2);
    *chosen += r;
    d = g(g(10.0));
  }
  printf("members: %d %d %g\n", r, numbers[2], d);
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += one.run(i, 1);
  int (*bound)(void) = limit;
#pragma omp target map(tofrom : sum)
  {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 50; i++) sum += more.entries[i & 1].run(i, i);
    for (int i = 0; i < bound(); i++) sum++;
  }
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < bound(); i++) sum += i;
  printf("sums: %d\n", sum);
}

int main(void) {
  for (int i = 0; i < 3; i++) pointers(i);
  tables();
  members();
  return 0;
}
