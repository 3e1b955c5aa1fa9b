// What lambdas refer to may be parts of one another, and may change before the task that depends on it begins.
#include <cstdio>
template <class F> void each(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
template <class F, class G> void both(F f, G g) {
#pragma omp target
  g(f());
}
template <class F> void once(F f) {
#pragma omp target
  f();
}
template <class F> void behind(F f, const int *tag) {
#pragma omp target depend(inout : tag[0])
  f();
}
template <class F> void later(F f, const int *tag, int n) {
#pragma omp target nowait depend(iterator(i = 0 : n), inout : tag[i])
  f();
}
struct Part {
  int a, b;
  double c[4];
};
struct Grid {
  double u[16], gain = 3;
  int steps = 0;
  Grid() {
    for (double &x : u) x = 1;
  }
  void scale() {
    auto &all = u;
    each(16, [&](int i) { all[i] = i * gain + all[i]; });
    double *p = u;
    auto &count = steps;
    each(16, [&, p](int i) {
      p[i] += u[i];
      if (i == 3) count = 7;
    });
  }
};
static long wasted(int n) {
  volatile long sum = 0;
  for (int i = 0; i < n; i++) sum = sum + i % 3;
  return sum;
}

int main() {
  // one array through two references, of which one changes nothing
  int buffer[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto &in = buffer;
  auto &out = buffer;
  each(8, [&](int i) { out[i] = in[i] * 2; });
  printf("%d %d\n", buffer[0], buffer[7]);
  int x = 5;
  const int &same = x;
  both([&] { return same; }, [&](int v) { x = v * 10; });
  printf("%d\n", x);

  // a pointer, before what it points to
  int *p = buffer;
  each(8, [&](int i) { p[i] = p[i] + buffer[i]; });
  each(8, [p, &buffer](int i) { p[i] = p[i] + buffer[i]; });
  printf("%d %d\n", buffer[0], buffer[7]);

  // a part, before and behind the whole; at its begin and elsewhere
  Part part = {1, 2, {3, 4, 5, 6}};
  int &first = part.a;
  double &third = part.c[2];
  once([&] { first++, part.b += 10, part.c[3] = first; });
  once([&] { third += 0.5, part.b += 10, part.c[0] += third; });
  once([&part, &c = part.c] { c[1] += part.a, part.b--; });
  printf("%d %d %g %g %g %g\n", part.a, part.b, part.c[0], part.c[1], part.c[2], part.c[3]);
  Grid grid;
  grid.scale();
  printf("%g %g %d\n", grid.u[1], grid.u[15], grid.steps);

  // threads: some have a part, others the whole
#pragma omp parallel for num_threads(4)
  for (int t = 0; t < 4; t++)
    for (int r = 0; r < 25; r++) {
      if (t % 2) once([&b = part.b] { (void)b; });
      else once([&] { (void)part; });
    }
  printf("%d\n", part.b);

  // tasks
  int tag[2] = {}, k = 1, result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(inout : tag[0]) shared(k)
    k = wasted(30000000) > 0 ? 10 : 0;
    behind([&] { result = k * 2; }, tag);
#pragma omp task depend(inout : tag[1]) shared(k, result)
    k = wasted(30000000) > 0 ? 100 + result : 0;
    later([&] { result += k; }, tag, 2);
    later([&] { result += 5, k = 3; }, tag, 2);
#pragma omp task depend(inout : tag[0]) shared(k, result)
    result *= k;
#pragma omp taskwait
  }
  printf("%d %d\n", k, result);
}
