/* Variants of functions: declared and begun, for devices, constructs and conditions; of members, in namespaces. */
#include <cstdio>
#include <omp.h>
const bool fast = true;
int host_only(int x) { return x + 1; }
namespace math {
int on_device(int x) { return x + 1; }
int in_loop(int x) { return x + 1; }
#pragma omp declare variant(on_device) match(device={kind(nohost)})
#pragma omp declare variant(in_loop) match(construct={parallel, for}, user={condition(fast)})
int step(int x) { return x + 1; }
int twice(int x) { return step(x) + step(0); }
}
#ifdef _OPENMP
#pragma omp begin declare variant match(device={arch(nvptx)})
int where(int x) { int r; asm("mov.u32 %0, %%smid;" : "=r"(r)); return x; }
#pragma omp end declare variant
#pragma omp begin declare variant match(device={kind(nohost, cpu)})
static inline int where2(int x) { return x * 2 + 1; }
#pragma omp end declare variant
#pragma omp begin declare variant match(implementation={vendor(llvm)})
int where2(int x) { return x * 2 + 0 + 1; }
#pragma omp end declare variant
#endif
int where(int x);
int where2(int x);
int where(int x) { return x; }
int where2(int x) { return x * 2 + 1; }
struct S {
  int v;
  int get_fast() const { return v; }
#pragma omp declare variant(get_fast) match(construct={target})
  int get() const { return v; }
};
// A class that a statement declares together with a variable.
int with_variables() {
  int r = 0;
#pragma omp target map(tofrom: r)
  for (int i = 0; i < 4; i++) {
    struct Own {
      int v;
      int get() const { return math::twice(v) + math::step(1); }
    } own{i};
    r += own.get() + S{2}.get();
  }
  return r;
}
int main() {
  int a[100], r = 0;
  for (int i = 0; i < 100; i++) a[i] = i;
  S s{5};
#pragma omp target teams distribute parallel for map(tofrom: a)
#pragma omp tile sizes(8)
  for (int i = 0; i < 100; i++) a[i] = math::step(a[i]) + math::twice(i) + where(1) + where2(3) + s.get();
#pragma omp parallel for reduction(+: r)
  for (int i = 0; i < 100; i++) r += math::step(a[i]);
  printf("%d %d %d %d %d\n", r, math::twice(3), where(4), where2(5), with_variables());
}
