/* Variables with the names of types that other variables, their copies and conversions need. */
#include <stdio.h>
typedef struct node { int v; } node;
typedef struct { double re, im; } cplx;
typedef int count;
typedef float vec[3];
#pragma omp declare reduction(+ : cplx : omp_out.re += omp_in.re, omp_out.im += omp_in.im) initializer(omp_priv = {0, 0})
#pragma omp declare target
static int in_function(const int *a, count count, int *out) {
#pragma omp for reduction(+ : out[0 : 1])
  for (int i = 0; i < 10; i++) out[0] += a[i] + count;
  return count;
}
typedef enum { LOW, HIGH } level;
static int compare(const void *a, void *b) {
  const node *node = a;
  cplx *cplx = b;
  level level = node->v;
  count count = cplx->re * 2;
  { vec *vec = b; if (vec == 0) count++; }
  count += level + (node == a);
  level++;
  return count + level;
}
#pragma omp end declare target
static double whole(int n, cplx cplx, count count, vec vec) {
#pragma omp target teams distribute parallel for reduction(+ : cplx, count) map(tofrom : vec[0 : 3]) num_threads(64)
  for (int i = 0; i < n; i++) { cplx.re += i; count += i; if (i == 3) vec[1] = 8; }
#pragma omp target parallel for firstprivate(cplx) lastprivate(count) map(tofrom : vec[0 : 3])
  for (int i = 0; i < n; i++) { cplx.im = i; count = (int)cplx.im; if (i == 4) vec[2] = cplx.re > 0; }
  return cplx.re + count + vec[1] + vec[2];
}
int main(void) {
  int a[10], r = 0, o[1] = {0}; for (int i = 0; i < 10; i++) a[i] = i;
  cplx z = {1, 2}; vec v = {1, 2, 3};
  printf("%g\n", whole(20, z, 7, v));
#pragma omp target map(tofrom : r, o) map(to : a)
  {
    count count = 3; cplx cplx = {1, 2}; node node = {4}; vec vec = {1, 2, 3};
#pragma omp parallel for reduction(+ : count) firstprivate(node) num_threads(8)
    for (int i = 0; i < 10; i++) { count += a[i]; node.v += i * 0; }
#pragma omp parallel reduction(+ : cplx) firstprivate(vec) num_threads(4)
    {
#pragma omp for reduction(+ : r) lastprivate(node)
      for (int i = 0; i < 10; i++) { cplx.re += i; node.v = i; r += (int)vec[1]; }
#pragma omp single copyprivate(vec)
      vec[2] = 9;
      in_function(a, 2, o);
#pragma omp task firstprivate(node)
      (void)(node.v + 1);
    }
    r += count + (int)cplx.re + node.v + compare(&node, &cplx); level level = 0; level |= 1; level++; void *at = &r; int *q = 0; q = at; r += level;
  }
  printf("%d %d\n", r, o[0]);
  return 0;
}
