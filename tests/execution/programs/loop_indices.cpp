#include <cstdio>
static int bad;
#define CHECK(c) do { if (!(c)) { std::printf("line %d\n", __LINE__); bad++; } } while (0)
#pragma omp begin declare target
static void by_reference(int &i, int n) {
#pragma omp loop bind(thread)
  for (i = 0; i < n; ++i)
    ;
}
template <class T> T in_template(T n) {
  T i;
#pragma omp loop bind(thread)
  for (i = 0; i < n; i += 2)
    ;
  return i;
}
#pragma omp end declare target
struct S {
    int n;
    int run() {
      int k, got = 0;
#pragma omp target map(from : got)
      {
#pragma omp loop bind(thread)
        for (k = 0; k < n; k++)
          ;
        auto read = [&] { return k; };
        got = read();
      }
      return got;
    }
};
int main() {
  int a = 0, b = 0;
  long c = 0;
  int d = 0;
#pragma omp target map(from : a, b, c)
  {
    by_reference(a, 21);
    b = in_template(7);
    c = in_template(9L);
  }
  CHECK(a == 21 && b == 8 && c == 10);
#pragma omp target parallel map(tofrom : d)
  {
    int e;
    int &i = e;
#pragma omp loop bind(thread)
    for (i = 0; i < 11; i++)
      ;
#pragma omp atomic
    d |= i;
  }
  CHECK(d == 11);
  S s{14};
  CHECK(s.run() == 14);
  std::printf("%s: %d\n", bad ? "wrong" : "right", bad);
  return bad != 0;
}
