// Loops that the threads of a team share and that call small functions: neighbouring iterations of a thread together.
// Elements of 1 to 8 bytes, rows that begin anywhere, few and many threads and iterations; what must not be noticed:
// elements before and behind a row stay as they are, a thread that is alone has its iterations in order, and what an
// iteration reads behind its store is what it has stored.
#include <cstdio>

static const int rows = 4, most = 900;

template <typename T> static inline float wide(T value) { return float(value); }
template <typename T> static inline T narrow(float value) { return T(value); }
template <typename T> static inline T together(T a, T b, T c) { return a + b + c; }
static inline int bounded(int value) {
  const int limit = 1000;
  if (value > limit) return limit;
  return value < -limit ? -limit : value;
}
static inline int twice(int value) { return bounded(value) + bounded(value / 2); }

template <typename T> static void rest(T *out, const T *in, const T *bias, long from, long n, int threads) {
#pragma omp target teams distribute num_teams(rows)
  for (int r = 0; r < rows; r++) {
    int begin = r * (int)n;
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < n; i++) {
      int at = begin + i;
      float value = wide(together(out[at], in[at], bias[i]));
      out[at] = narrow<T>(value);
      sum += value;
    }
    float most = 0;
#pragma omp parallel for reduction(max : most) num_threads(threads)
    for (long i = from; i < n; i++) {
      float value = wide(out[r * n + i]);
      if (value > most) most = value;
    }
    float scale = 1 + (int)(sum + most) % 3;
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) {
      int at = begin + i;
      out[at] = narrow<T>((wide(out[at]) - 1) * scale + wide(bias[i]));
    }
  }
}

// Types of two sizes; an element that is read behind its store; one that no iteration loads.
static void mixed(short *s, const unsigned char *c, const float *f, float *g, const double *x, int *k, int n, int threads) {
#pragma omp target teams distribute num_teams(rows)
  for (int r = 0; r < rows; r++) {
    int sum = 0, all = 0;
#pragma omp parallel for reduction(+ : sum) reduction(| : all) num_threads(threads)
    for (int i = 0; i < n; i++) {
      int value = twice(s[r * n + i] + c[i]);
      s[r * n + i] = (short)value;
      int stored = s[r * n + i];
      sum += stored - value + bounded(stored);
      all |= stored;
    }
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) g[r * n + i] = wide(f[r * n + i]) * c[r * n + i] + narrow<short>(f[i]);
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) g[r * n + i] += wide(x[i]);
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) {
      int value = c[r * n + i] > 100 ? bounded(s[r * n + i]) : twice(c[i]);
      if (value < 0) value = -value;
      k[r * n + i] = value + sum % 7 + all % 5;
    }
  }
}

// The same memory by two names: what is read behind a store is what has been stored.
static void other_names(int *out, const int *same, int *sums, int n, int threads) {
#pragma omp target teams distribute num_teams(rows)
  for (int r = 0; r < rows; r++) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < n; i++) {
      out[r * n + i] = twice(same[r * n + i]) + 1;
      sum += same[r * n + i];
    }
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < n; i++) {
      const int &seen = same[r * n + i];
      out[r * n + i] = twice(out[r * n + i]) + 1;
      sum += seen;
    }
    sums[r] += sum;
  }
}

// One thread: an iteration takes what the one before it has stored.
static void in_order(int *out, const int *before, const int *in, int n, int threads) {
#pragma omp target teams distribute num_teams(1)
  for (int r = 0; r < 1; r++) {
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) out[i] = bounded(before[i] + in[i]);
  }
}

template <typename T> static double run(int begin, long n, int threads) {
  static T out[rows * most], in[rows * most], bias[most];
  for (int i = 0; i < rows * most; i++) out[i] = T(i % 5), in[i] = T(i % 7);
  for (int i = 0; i < most; i++) bias[i] = T(i % 3);
#pragma omp target data map(tofrom : out) map(to : in, bias)
  for (int shift = 0; shift < 2; shift++) rest<T>(out + begin, in + begin * shift, bias + begin, begin, n, threads);
  double sum = 0;
  for (int i = 0; i < rows * most; i++) sum += float(out[i]) * (i % 11);
  return sum;
}

int main() {
  static const int lengths[] = {-3, 0, 1, 3, 73, 74, 127, 128, 129, 383, 512, 801}, widths[] = {1, 2, 32, 37, 96};
  static short s[rows * most];
  static unsigned char c[rows * most];
  static float f[rows * most], g[rows * most];
  static double x[rows * most];
  static int k[rows * most], sums[rows];
  for (int begin = 0; begin < 5; begin++)
    for (int n : lengths)
      for (int threads : widths) {
        if (begin > 1 && (n % 2 == 0 || threads == 2)) continue;
        printf("%d %d %d: %.0f %.0f %.0f %.0f", begin, n, threads, run<signed char>(begin, n, threads),
               run<short>(begin, n, threads), run<float>(begin, n, threads), run<double>(begin, n, threads));
#ifdef __FLT16_MAX__
        printf(" %.0f", run<_Float16>(begin, n, threads));
#endif
        for (int i = 0; i < rows * most; i++)
          s[i] = i * 31 % 1009, c[i] = i * 7, f[i] = i % 23, g[i] = -1, x[i] = i % 29, k[i] = i % 77;
        for (int r = 0; r < rows; r++) sums[r] = 0;
#pragma omp target data map(tofrom : s, g, k, sums) map(to : c, f, x)
        {
          mixed(s + begin, c + begin, f + begin, g + begin, x + begin, k + begin, n, threads);
          other_names(k + begin, k + begin, sums, n, threads);
          in_order(k + 1, k, k + 3 * most, 40, 1);
        }
        double all[3] = {0, 0, 0};
        int sum = 0;
        for (int i = 0; i < rows * most; i++) all[0] += s[i] * (i % 11), all[1] += g[i] * (i % 11), all[2] += k[i] * (i % 11);
        for (int r = 0; r < rows; r++) sum += sums[r] * (r + 1);
        printf(" | %.0f %.0f %.0f %d\n", all[0], all[1], all[2], sum);
      }
}
