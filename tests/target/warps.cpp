// What warps do together: reductions of blocks, teams and rows, prefix sums, barriers of parts; blocks end within a warp.
#include <stdio.h>

struct Most {
  int value, place;
};
#pragma omp declare reduction(most : Most : omp_out = omp_in.value > omp_out.value ? omp_in : omp_out) \
    initializer(omp_priv = Most{-1, -1})

template <int threads> static void blocks(int n) {
  long sum = 0;
  int low = n, counts[5] = {1, 2, 3, 4, 5};
  double product = 1;
  Most most = {-1, -1};
#pragma omp target teams distribute parallel for num_teams(7) num_threads(threads) reduction(+ : sum, counts) \
    reduction(min : low) reduction(* : product) reduction(most : most)
  for (int i = 0; i < n; i++) {
    sum += i * 3;
    counts[i % 5] += i;
    low = low < n - i ? low : n - i;
    product *= i % 100 == 7 ? 2 : 1;
    if (i * 37 % 1009 > most.value) most = Most{i * 37 % 1009, i};
  }
  printf("%d %ld %d %g %d %d:", threads, sum, low, product, most.value, most.place);
  for (int count : counts) printf(" %d", count);
  printf("\n");
}

template <int threads> static void one_team(int n) {
  long sum = 0, sums[3] = {0, 0, 0};
  int before[500], running = 0;
#pragma omp target map(tofrom : sum, sums, before, running)
  {
    int first = 5;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += first + i;
#pragma omp parallel for num_threads(threads) reduction(+ : sums)
    for (int i = 0; i < n; i++) sums[i % 3] += i;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for reduction(inscan, + : running)
      for (int i = 0; i < n; i++) {
        before[i] = running;
#pragma omp scan exclusive(running)
        running += i % 7;
      }
    }
  }
  long mixed = 0;
  for (int i = 0; i < n; i++) mixed = (mixed * 31 + before[i]) % 1000003;
  printf("%d %ld %ld %ld %ld %d %ld\n", threads, sum, sums[0], sums[1], sums[2], running, mixed);
}

int main() {
  blocks<1>(100);
  blocks<33>(1000);
  blocks<64>(1000);
  blocks<65>(1000);
  blocks<130>(999);
  blocks<512>(2000);
  one_team<2>(500);
  one_team<63>(500);
  one_team<64>(500);
  one_team<100>(500);
  one_team<192>(499);
}
