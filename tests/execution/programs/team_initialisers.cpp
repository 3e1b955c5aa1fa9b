/* Variables of a team whose initialisers have no '=': in parentheses and in braces, shared by the team's threads or each
   thread's own, with values that one thread alone may compute. */
#include <cstdio>

struct Pair { int a, b; };
struct Wrap {
  double v;
  explicit operator bool() const { return v > 2; }
  operator int() const { return 7; }
};

static int count(int *calls) {
  int now;
#pragma omp atomic capture
  now = ++*calls;
  return now;
}

template <typename T> static T sums(const T *x, int rows, int columns, T *y, int *calls) {
  T total(0);
#pragma omp target teams distribute map(to : x[0 : rows * columns]) map(from : y[0 : rows]) map(tofrom : calls[0 : 1])
  for (int i = 0; i < rows; i++) {
    T sum(0);
    T least{x[i]}, most(x[i]);
    T threads{};
    T own(count(calls) > 0);
#pragma omp parallel for reduction(+ : sum, threads) reduction(min : least) reduction(max : most)
    for (int j = 0; j < columns; j++) {
      sum += x[i * columns + j];
      threads += 1;
      if (x[i * columns + j] < least) least = x[i * columns + j];
      if (x[i * columns + j] > most) most = x[i * columns + j];
    }
    y[i] = sum * 2 + least + most * 100 + threads + own;
  }
  for (int i = 0; i < rows; i++) total += y[i];
  return total;
}

static int forms(int *calls) {
  int result = 0;
#pragma omp target map(tofrom : result, calls[0 : 1])
  {
    int n(count(calls)), m(2);
    int k{count(calls)};
    Pair p{1, 2};
    Pair q(p);
    Pair s = Pair{5, 6};
    int *r(&m);
    double t[2 == 2 ? 3 : 1]{1, 2, 3};
    Wrap w{3.5};
    bool large(w), largest{w};
    int seven(w);
    double half(  // a value = 1/2
        .5);
    unsigned char narrow(n * 300);
    const int kept(n + 1);
    int l = {count(calls)};
    int alone{count(calls)}, list = {count(calls)}, round((count(calls)));
    double zero{}, one(1), two = 2;
    int *const to_k{&k};
#pragma omp parallel for num_threads(4) shared(n, m, k, p, q, s, t, w, large, largest, seven, half, narrow, l, zero, two)
    for (int i = 0; i < 4; i++) {
#pragma omp critical
      {
        n += 1, m += n, k += 1, p.a += 1, q.b += 2, s.a += 3;
        t[1] += .5;
        seven += large;
        largest = !largest && !large;
        half += .5;
        narrow += 1, l += 1, *r += 1, *to_k += 1;
        zero += one, two += 1;
      }
    }
    result = n + m * 3 + k * 5 + p.a * 7 + q.b * 11 + s.a * 13 + (int)(t[1] * 17) + seven * 19 + (int)(half * 23) + narrow * 29;
    result += kept * 31 + l * 37 + alone + list + round + (int)(zero * 41 + two * 43) + largest * 47;
  }
  return result;
}

int main() {
  double x[6] = {4, 2, 3, 7, 5, 6}, y[2];
  float z[6] = {4, 2, 3, 7, 5, 6}, v[2];
  int calls = 0;
  double a = sums(x, 2, 3, y, &calls), b = sums(z, 2, 3, v, &calls);
  printf("%g %g %d\n", a, b, calls);
  calls = 0;
  int c = forms(&calls);
  printf("%d %d\n", c, calls);
}
