// Inline constants, explicit specialisations, and variables of whose declarations libclang shows nothing.
#include <cstdio>

inline constexpr int K = 7;
inline const int table[3] = {1, 2, 3};
template <class T> inline constexpr int rank_of = 0;
template <> inline constexpr int rank_of<int> = 5;
namespace deep {
inline constexpr double half = 0.5;
}

template <typename T> static int overloaded(T) { return 10; }
template <> int overloaded<char>(char) { return 20; }
template <typename T> static int overloaded(T *) { return 30; }
template <typename T> static T later(T x);
template <> int later<int>(int x) { return x + 1; }
template <typename T> static T later(T x) { return x + 2; }

static int blocks(int n) {
  int sum = n;
  {
    enum { A = 1 };
    using T = int;
#pragma omp target map(tofrom : sum)
    sum += A + (int)sizeof(T);
  }
  {
    enum { A = 10 };
    using T = double;
#pragma omp target map(tofrom : sum)
    sum += A + (int)sizeof(T);
  }
  return sum;
}

int main() {
  int sum = 0, copies[20] = {0};
#pragma omp target map(tofrom : sum)
  sum += K + table[2] + rank_of<int> * 100 + rank_of<char> + (int)(deep::half * 2000);
  std::printf("%d\n", sum);
#pragma omp target map(tofrom : sum)
  {
    sum = overloaded('c') + 100 * overloaded(1) + overloaded(&sum) + later(1) + (int)later(2.0);
    switch (int y = 4; y) {
    case 4: sum += y * 10000;
    }
    union {
      int whole;
      short parts[2];
    };
    whole = 6;
    sum += parts[0] + parts[1];
  }
  std::printf("%d %d\n", sum, blocks(3));
#pragma omp target parallel num_threads(4) map(tofrom : copies)
  {
    for (int i = 0; i < 4; i++)
#pragma omp task firstprivate(i)
    {
      i += 4;
#pragma omp atomic
      copies[i]++;
    }
    for (int i = 0; i < 3; i++)
#pragma omp master
#pragma omp taskloop firstprivate(i)
      for (int j = 0; j < 3; j++) {
        int k = i * j;
        copies[8 + k] += k;
      }
  }
  long all = 0;
  for (int i = 8; i < 20; i++) all = all * 7 + copies[i];
  std::printf("%ld\n", all);
}
