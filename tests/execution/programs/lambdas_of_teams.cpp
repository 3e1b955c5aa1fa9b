// Lambdas in team code that capture variables of which the team has one
#include <cstdio>
struct V { int k; V() : k(4) {} V(const V &o) : k(o.k + 1) {} ~V() {} };
#define COPYING [=]
#define ADDS(v) [v](int k) { return k + v; }
template <class F> static void par_each(int n, F f) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) f(i); }
static int team_function(int n) {
  int x = n, all = 0; auto was = [=] { return x; };
  x = 100;
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < 4; i++) all += x;
  return all + was();
}
int main() {
  int r[16] = {};
#pragma omp target map(tofrom : r)
  {
    int x = 1, *p = &x; auto f = [=] { return x; }; auto g = [x] { return x * 10; };
    auto h = [&x] { return x * 100; }; auto k = [y = x + 4] { return y; };
    auto m = [=]() mutable { int k = [x]() mutable { return ++x; }(); return k + x++; };
    auto c = [=, &x] { return x + *p; }; auto d = [&, x] { return x + (p == &r[0]); };
    auto e = [x, &r, q = x * 2](int k) { return r[9] + x + q + k; };
    x = 2;
#pragma omp parallel for reduction(+ : r[0:1])
    for (int i = 0; i < 4; i++) r[0] += x;
    r[1] = f(); r[2] = g(); r[3] = h(); r[4] = k(); r[5] = m() + m(); r[6] = c(); r[7] = d(); r[8] = e(7);
    V other; V obj; obj.k = 30;
    double buf[16], one[4] = {1, 2, 3, 4}; int z = 3, grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    par_each(16, [&buf](int i) { buf[i] = i; });
    par_each(16, [&buf, z](int i) { buf[i] += i + z; });
    auto of_object = [=] { return obj.k; }; auto to_object = [&obj] { return obj.k; };
    auto of_objects = [&other] { return other.k; };
    obj.k = 70; other.k = 6;
    par_each(1, [&](int i) { other.k += obj.k + i; }); r[15] = of_object() + to_object() * 10 + of_objects() * 1000;
    { double b2[16]; par_each(16, [&b2, &z](int i) { b2[i] = z + i; }); r[9] = (int)b2[4]; }
    auto sum = [=] { double s = 0; for (double v : one) s += v; return s + one[1] + *one + grid[1][2]; };
    auto own = [one, grid]() mutable { one[0] += grid[0][1]; return one[0]; };
#pragma omp parallel for
    for (int i = 0; i < 4; i++) one[i] = 50 + i;
    grid[0][1] = 500; grid[1][2] = 600; z = 5;
    r[10] = (int)sum(); r[11] = (int)own() + (int)own(); r[12] = (int)buf[10] + z + (int)one[3];
    auto by_macro = COPYING { return z; }; auto adds = ADDS(z);
    r[13] = team_function(3);
#pragma omp parallel num_threads(4)
    {
      auto before = [=] { return z; };
#pragma omp barrier
#pragma omp single
      z = 9;
#pragma omp atomic
      r[14] |= before();
    }
    r[14] = r[14] * 100 + by_macro() * 10 + adds(1);
  }
  for (int v : r) printf("%d ", v);
  puts("");
}
