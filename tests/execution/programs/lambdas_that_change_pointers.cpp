// A pointer that a map clause lists leads elsewhere in a region, because a lambda that is written further up changes it.
#include <cstdio>

enum { N = 64 };

static void by_call(float *a, float *b, float *c) {
  auto change = [&] { a = b; };
#pragma omp target data map(tofrom : a[0 : N], b[0 : N], c[0 : N])
  {
    change();
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) {
      b[i] = c[i];
      b[i] += 1;
      c[i] = a[i];
    }
  }
}

static void between_lambdas(float *a, float *b, float *c) {
  auto change = [&a, b] { a = b; };
  auto go = [&] {
#pragma omp target data map(tofrom : a[0 : N], b[0 : N], c[0 : N])
    {
      change();
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) {
        b[i] = c[i];
        b[i] += 1;
        c[i] = a[i];
      }
    }
  };
  go();
}

template <class T> static void in_a_template(T *a, T *b, T *c) {
  auto change = [&] { a = b; };
#pragma omp target data map(tofrom : a[0 : N], b[0 : N], c[0 : N])
  {
    change();
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) {
      b[i] = c[i];
      b[i] += 1;
      c[i] = a[i];
    }
  }
}

static void run(const char *name, void (*function)(float *, float *, float *)) {
  static float a[N], b[N], c[N];
  for (int i = 0; i < N; i++) a[i] = 100, b[i] = 10, c[i] = i;
  function(a, b, c);
  double sum = 0;
  for (int i = 0; i < N; i++) sum += a[i] + 3 * b[i] + 7 * c[i] * i;
  printf("%s %g\n", name, sum);
}

int main() {
  run("by call", by_call);
  run("between lambdas", between_lambdas);
  run("in a template", in_a_template<float>);
}
