// Reductions declared in a team's code, in functions and lambdas; combiners of names that are short.
#include <cstdio>
struct V { double x = 0, y = 0; V &operator+=(const V &o) { x += o.x; y += o.y; return *this; } };
static int most(const int *p, int n) { typedef int T;
#pragma omp declare reduction(most : T : omp_out = omp_out > omp_in ? omp_out : omp_in) initializer(omp_priv = T(-1))
  T best = p[0];
#pragma omp parallel for reduction(most : best)
  for (int i = 0; i < n; i++) if (p[i] > best) best = p[i];
  return best;
}
struct K { int total(int n) {
#pragma omp declare reduction(mul : int : omp_out *= omp_in) initializer(omp_priv = 1)
  int t = 1;
#pragma omp parallel for reduction(mul : t)
  for (int i = 1; i < n; i++) t *= i;
  return t;
 } };
struct A { int v = 0; };
static void f(A &a, A &b) { a.v += b.v; }
static int g(int a) { return a + 1; }
static void g(A &a) { a.v = 0; }
#pragma omp declare reduction(join : A : f(omp_out, omp_in)) initializer(g(omp_priv))
#pragma omp declare reduction(add : int : omp_out = g(omp_out) + omp_in - 1) initializer(omp_priv = g(-1))
int main() { int r[9] = {}; double a[8] = {1,5,3}; int b[8] = {4,8,1};
#pragma omp target teams num_teams(1) map(tofrom:r, a, b)
 { 
  V sum;
#pragma omp declare reduction(+ : V : omp_out += omp_in) initializer(omp_priv = V())
#pragma omp declare reduction(low : int : omp_out = omp_out < omp_in ? omp_out : omp_in) initializer(omp_priv = 1 << 20)
#pragma omp parallel for reduction(+: sum)
  for (int i = 0; i < 8; i++) { sum += V{a[i], 1}; }
  int least = 100; int least2 = 50;
#pragma omp parallel for reduction(low: least, least2)
  for (int i = 0; i < 8; i++) { least = b[i] < least ? b[i] : least; least2 = i + 3 < least2 ? i + 3 : least2; }
  r[0] = sum.x; r[1] = sum.y; r[2] = least; r[3] = least2; r[4] = 1; r[5] = most(b, 8); r[6] = K().total(6);
  auto f = [&](int n) {
#pragma omp declare reduction(orr : int : omp_out |= omp_in) initializer(omp_priv = omp_orig & 0)
    int t = 0;
#pragma omp parallel for reduction(orr : t)
    for (int i = 0; i < n; i++) t |= 1 << i;
    return t;
  };
  r[7] = f(4);
  { int z = 0;
#pragma omp parallel
   {
#pragma omp declare reduction(big : int : omp_out += omp_in) initializer(omp_priv = 0)
#pragma omp for reduction(big : z)
   for (int i = 0; i < 3; i++) z += i;
   }
   r[8] = z > 0; }
 }
 for (int x : r) printf("%d ", x);
 printf("\n");
  A joined;
  int added = 0;
#pragma omp target teams distribute parallel for reduction(join : joined) reduction(add : added)
  for (int i = 0; i < 10; i++) { joined.v += i; added += i; }
  printf("%d %d\n", joined.v, added);
 return 0; }
