// Divisions and remainders by values of the launch: signs, ends of the range, sums and products, nested ones, templates,
// macros, conditions, inner loops, lambdas, and divisors that the region changes.
#include <climits>
#include <cstdio>

enum { MOST = 5000 };
static int numbers[MOST], found[MOST];
static void tell(const char *what, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < MOST; i++) sum += (unsigned long long)(unsigned)found[i] * (unsigned)(i % 997 + 1), found[i] = 0;
  std::printf("%s %d: %llu\n", what, n, sum);
}

static void plain(int d) {
#pragma omp target teams distribute parallel for map(to : numbers) map(from : found)
  for (int i = 0; i < MOST; i++) found[i] = numbers[i] / d + numbers[i] % d * 3;
  tell("signs", d);
#pragma omp target teams distribute parallel for map(to : numbers) map(from : found)
  for (int i = 0; i < MOST; i++) {
    int n = numbers[i], q = n / d, r = n % d;
    found[i] = q * d + r == n ? q : -77;
  }
  tell("both", d);
}

static void expressions(int a, int b, short s, unsigned char c, int zero) {
#pragma omp target teams distribute parallel for map(from : found)
  for (int i = 0; i < MOST; i++) found[i] = i / (a + b) % s + (i * 7 - 9000) % (a * b) / c + -i / (a - 9) % 3;
  tell("expressions", a);
#pragma omp target teams distribute parallel for map(from : found)
  for (int i = 0; i < MOST; i++) {
    int v = zero ? i / zero : i;
    if (i % a < 2) v = (i + 1) / b;
    for (int k = i % b; k < 2 * b / a + 9; k += 1 + k / s) v += (i + k) / a;
    found[i] = v % 1000 / a;
  }
  tell("guarded, in loops", a);
  long wide = a;
  unsigned u = (unsigned)b;
  int changed = s;
#pragma omp target teams distribute parallel for map(from : found) firstprivate(changed)
  for (int i = 0; i < MOST; i++) {
    changed = s + i % 2;
    found[i] = (int)(i / wide + i % u) + i / changed + (int)sizeof(i / a);
  }
  tell("others", a);
}

#define PLACE(i, n) ((i) / (n) * 2 + (i) % n)
static void hidden(int a, int b) {
#pragma omp target teams distribute parallel for map(from : found)
  for (int i = 0; i < MOST; i++) {
    auto of = [=](int k) { return k / a; };
    found[i] = PLACE(i, a) + of(i) + PLACE(i + 1, b);
  }
  tell("macros, lambdas", a);
}

template <typename T> static void shuffled(int rows, int columns, T scale) {
#pragma omp target teams distribute parallel for map(from : found)
  for (int i = 0; i < MOST; i++) {
    int row = i / columns % rows, column = i % columns;
    T at = i;
    found[i] = (int)((row + column * rows) * scale) + (int)(at / columns) + (int)(i / scale);
  }
  tell("template", rows);
}

struct Grid {
  int width;
  void fill(int height) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : found)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < 50; j++) found[(i * 50 + j) % MOST] = (i * 50 + j) / height + j % height + i / width;
    tell("method", height);
  }
};

int main() {
  for (int i = 0; i < MOST; i++) numbers[i] = (int)(i * 2654435761u);
  const int edges[] = {0, 1, -1, 2, -2, 3, INT_MAX, INT_MIN + 1, INT_MAX - 1, 65535, 65536, -65536, 641, -641};
  for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) numbers[i] = edges[i];
  const int divisors[] = {1, -1, 2, -2, 3, -3, 7, 10, -100, 641, 65536, 65537, INT_MAX, INT_MIN, INT_MIN + 1, 1 << 30};
  for (unsigned i = 0; i < sizeof divisors / sizeof *divisors; i++) {
    numbers[0] = divisors[i] == -1 ? 0 : INT_MIN;
    plain(divisors[i]);
  }
  expressions(4, 5, 3, 7, 0);
  expressions(100, 33, -9, 255, 6);
  expressions(8, -5, 1, 1, -3);
  hidden(3, 17);
  hidden(-5, 64);
  shuffled<int>(3, 40, 2);
  shuffled<float>(7, 13, 1.5f);
  shuffled<long>(64, 64, 5);
  Grid{5}.fill(60);
  Grid{-3}.fill(100);
}
