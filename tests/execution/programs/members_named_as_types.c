/* Members of structures with the names of types and enumerators that other members need. */
#include <stdio.h>
#include <stdint.h>
typedef int count; typedef struct { double x, y; } point; typedef float vec[3]; typedef int (*fn)(int); typedef uint8_t byte; typedef enum { RED, BLUE } colour;
struct S { count count; count other; point point; point *next; point arr[2]; vec vec; vec more; byte byte; byte b2; colour colour, c2; colour c3; };
typedef struct { point point; count n; struct { count count; count deep; point point, q; } in; union { point point2; count x; }; } T;
typedef struct list { struct list *list; count count; struct { struct list *list; count list_n; } s; } list;
enum { N = 4, W = 3 }; struct E { int N, W; int row[N]; unsigned bits : W; struct { int k[N + W]; void (*f)(count *, point); } in; };
struct size { int size; struct size *sizes; }; 
typedef struct U { int U; struct U *next; } U;
enum mode { mode_a, mode_b }; struct M { enum mode mode; enum mode mode_c; int RED; };
#pragma omp declare target
static count use(const struct S *S, T T) { count r = S->count + S->other + (int)S->arr[1].x + T.in.deep; point p = S->point; r += (int)p.y + S->c3; return r; }
struct S gs = {1, 2};
#pragma omp end declare target
int main(void) {
  struct S s = {.count = 1, .other = 2, .point = {3, 4}, .arr = {{5, 6}, {7, 8}}, .more = {1, 2, 3}, .b2 = 9, .c3 = BLUE}; T t = {.n = 3, .in = {.deep = 5, .q = {1, 2}}}; list l = {0, 4, {0, 6}}; struct size z = {3}; U u = {5}; struct E e = {1, 2, {3, 4, 5, 6}, 7}; struct M m = {mode_b, mode_a, 7}; int r = 0;
#pragma omp target map(tofrom : s, r) map(to : t, l, z, u, m, e)
  { r = use(&s, t) + l.count + l.s.list_n + z.size + u.U + m.mode + m.RED + gs.other + e.row[3] + e.bits; s.next = &s.arr[0]; s.next->x = r; s.vec[1] = s.more[2]; point q = t.in.q; r += (int)q.y; struct { count count; count k; } loc = {1, 2}; r += loc.k; }
  printf("%d %g %g\n", r, s.arr[0].x, s.vec[1]);
#pragma omp target teams distribute parallel for firstprivate(s, t) reduction(+ : r)
  for (int i = 0; i < 10; i++) { s.other = i; r += s.other + t.n; }
  printf("%d\n", r);
  return 0;
}
