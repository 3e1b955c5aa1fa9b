// Mappers where directives may stand: macros, attributes, linkage blocks, lambdas; scopes that names go through.
#include "checks.h"
extern "C" {
typedef struct { int n; double *p; } vec;
_Pragma("omp declare mapper(vec v) map(v, v.p[0:v.n])")
}
struct other { int n; int *q; };
[[omp::directive(declare mapper(other o) map(o) map(o.q[0:o.n]))]];
namespace a { namespace b { struct deep { int *q; };
#pragma omp declare mapper(m : deep d) map(d, d.q[0:2])
} using namespace b;
int f(b::deep x) {
#pragma omp target map(mapper(b::m), tofrom: x)
  x.q[1] = 5;
  return x.q[1];
} }
inline namespace v1 { struct in { int *q; };
#pragma omp declare mapper(in d) map(d, d.q[0:2])
}
int main() {
  vec w{3, numbers(3, 0)};
  int t[2] = {1, 2};
  other o{2, t};
  auto run = [&](vec &x) {
#pragma omp declare mapper(inlambda : vec v) map(to: v) map(v.p[0:1])
#pragma omp target data map(mapper(inlambda), tofrom: x)
    CHECK(here(x.p) && !here(x.p + 1));
  };
  run(w);
#pragma omp target
  { w.p[1] = 9; o.q[1] = 4; }
  CHECK(w.p[1] == 9 && t[1] == 4 && !here(w.p) && !here(t));
  CHECK(a::f(a::deep{t}) == 5);
  in i{t};
#pragma omp target data map(to: i)
  CHECK(here(t));
  CHECK(!here(t));
  vec *h = new vec[2]{{2, numbers(2, 0)}, {1, numbers(1, 5)}};
#pragma omp target parallel for default(none) shared(h) map(tofrom: h[0:2])
  for (int k = 0; k < 2; k++) h[k].p[0] += 1;
  CHECK(h[1].p[0] == 6 && !here(h));
#pragma omp target if (t[0] > 5) map(tofrom: h[0:2])
  h[0].p[0] = 3;
  CHECK(h[0].p[0] == 3);
  printf("failures: %d\n", failures);
  return failures != 0;
}
