// Globals whose names mean others where their regions stand: members of namespaces and classes around, locals.
#include <cstdio>

namespace outer {
int value = 1;
int table[4] = {1, 2, 3, 4};
struct Kept {
  static int count;
};
int Kept::count = 5;
} // namespace outer
int global = 3;
static long sums[2] = {10, 20};
namespace alias = outer;
#define OUTER_VALUE ::outer::value

namespace around {
namespace outer {
int value = 100;
int table[4] = {100, 200, 300, 400};
struct Kept {
  static int count;
};
int Kept::count = 500;
} // namespace outer
int global = 300;

static void both() {
#pragma omp target map(tofrom : ::outer::value, ::outer::table[1 : 2])
  { ::outer::value += 10, ::outer::table[1] += 10; }
#pragma omp target defaultmap(tofrom : scalar)
  { alias::value += 10, OUTER_VALUE += 10, alias::table[2] += 10, alias::Kept::count += 10; }
#pragma omp target defaultmap(tofrom : scalar)
  { outer::value += 10, outer::table[2] += 10, outer::Kept::count += 10; }
#pragma omp target defaultmap(tofrom : scalar)
  ::global += 10;
#pragma omp target defaultmap(tofrom : scalar)
  global += 10;
#pragma omp target teams distribute parallel for reduction(+ : ::global)
  for (int i = 0; i < 8; i++) ::global += i;
  printf("%d %d %d\n", ::outer::value, ::outer::table[1], ::outer::table[2]);
  printf("%d %d %d\n", outer::value, outer::table[1], outer::table[2]);
  printf("%d %d %d %d\n", ::outer::Kept::count, outer::Kept::count, ::global, global);
}

struct Holder {
  int global, value;
  void run() {
    long sums[2] = {1, 2};
#pragma omp target defaultmap(tofrom : scalar)
    ::global += 10;
#pragma omp target
    ::sums[1] += 10;
#pragma omp target
    sums[1] += 10;
    printf("%d %d %ld %ld\n", global, ::global, ::sums[1], sums[1]);
  }
};
} // namespace around

extern "C" {
namespace around {
int in_c = 1;
static int alone = 2;
} // namespace around
}

int main() {
  around::both();
  around::Holder{1, 2}.run();
  static int sums = 4;
#define LONGER_THAN_IT sums
#pragma omp target map(tofrom : sums)
  LONGER_THAN_IT += around::in_c + around::alone;
  printf("%d\n", sums);
  return 0;
}
