/* Constructs and routines in lambdas that stand in front of the region that calls them: the kernel has them, too. */
#include <cstdio>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_num_threads() { return 1; }
static int omp_get_thread_num() { return 0; }
#endif

static auto add_to = [](int *to, int value) {
#pragma omp atomic
  *to += value;
};

template <class T> T counted(int n, T value) {
  T count = 0, most = 0, sums[16] = {};
  auto add = [&](T given) {
#pragma omp atomic update
    count += given;
  };
  auto keep = [&](T given) {
#pragma omp critical(kept)
    if (given > most) most = given;
  };
  auto sum = [&](int end) {
    T found = 0;
#pragma omp simd reduction(+ : found)
    for (int i = 0; i < end; i++) found += i;
    return found;
  };
#pragma omp target teams distribute parallel for map(tofrom : count, most, sums)
  for (int i = 0; i < n; i++) {
    add(value);
    keep(T(i));
    if (i < 16) sums[i] = sum(i);
  }
  return count + most + sums[15];
}

static int numbered() {
  int next = 0, taken = 0, seen[256] = {0};
  auto ticket = [&] {
    int mine;
#pragma omp atomic capture
    mine = next++;
    return mine;
  };
  auto take = [&] { return ticket(); };
#pragma omp target teams distribute parallel for map(tofrom : next, seen)
  for (int i = 0; i < 256; i++) seen[take()] += 1;
  for (int i = 0; i < 256; i++) taken += seen[i] == 1;
  return taken * 1000 + next;
}

static int shared_loop() {
  int values[128] = {0}, times = 0, least = 1000, most = 0, sum = 0;
  auto share = [&] {
#pragma omp for
    for (int i = 0; i < 128; i++) values[i] += i;
#pragma omp single
    times += 1;
    int me = omp_get_thread_num(), all = omp_get_num_threads();
#pragma omp critical
    {
      least = me < least ? me : least;
      most = me + 1 > most ? me + 1 : most;
      sum += all - all;
    }
  };
#pragma omp target map(tofrom : values, times, least, most, sum)
#pragma omp parallel num_threads(4)
  share();
  for (int i = 0; i < 128; i++) sum += values[i];
  return sum * 100 + times * 10 + least + (most < 1 || most > 4);
}

static int inner_teams() {
  int result = 0;
  auto sum = [](int *to, int n) {
    int found = 0;
#pragma omp parallel for reduction(+ : found)
    for (int i = 0; i < n; i++) found += i;
#pragma omp atomic
    *to += found;
  };
  auto same = sum;
#pragma omp target teams distribute parallel for map(tofrom : result)
  for (int i = 0; i < 10; i++) same(&result, i);
#pragma omp target map(tofrom : result)
  sum(&result, 100);
  return result;
}

struct Scaled {
  int scale, *values;
  int sum(int n) {
    int *to = values;
    auto add = [this, to](int i) {
#pragma omp atomic
      to[0] += scale * i;
    };
#pragma omp target teams distribute parallel for map(tofrom : to[0 : 1])
    for (int i = 0; i < n; i++) add(i);
    return to[0];
  }
};

int main() {
  int total = 0;
#pragma omp target teams distribute parallel for map(tofrom : total)
  for (int i = 0; i < 1000; i++) add_to(&total, i);
  std::printf("%d\n%g %d\n", total, counted(1000, 0.5), counted(500, 2));
  std::printf("%d\n%d\n%d\n", numbered(), shared_loop(), inner_teams());
  int scaled = 0;
  std::printf("%d\n", Scaled{3, &scaled}.sum(100));
  return 0;
}
