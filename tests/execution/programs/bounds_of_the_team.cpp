// Headers of loops that ask for the threads and teams around them.
#include <cstdio>
#include <omp.h>

static int threads() { return omp_get_num_threads(); }

int main() {
  int seen = 0, count = 0, called = 0, stepped = 0, from = 0;
#pragma omp target parallel for num_threads(64) reduction(+ : count) map(from : seen)
  for (int i = 0; i < omp_get_num_threads(); i++) {
    if (i == 0) seen = omp_get_num_threads();
    count++;
  }
  std::printf("threads %d\n", count == seen);
#pragma omp target parallel for num_threads(64) reduction(+ : called) map(from : seen)
  for (int i = 0; i < threads(); i++) {
    if (i == 0) seen = threads();
    called++;
  }
  std::printf("of a function %d\n", called == seen);
#pragma omp target parallel for num_threads(32) reduction(+ : stepped) map(from : seen)
  for (int i = 0; i < 640; i += omp_get_num_threads() * 2) {
    if (i == 0) seen = omp_get_num_threads();
    stepped++;
  }
  std::printf("step %d\n", stepped == (640 + seen * 2 - 1) / (seen * 2));
#pragma omp target parallel for num_threads(32) reduction(+ : from) map(from : seen)
  for (int i = omp_get_num_threads() - 1; i >= 0; i--) {
    if (i == 0) seen = omp_get_num_threads();
    from++;
  }
  std::printf("first %d\n", from == seen);
  int teams = 0;
#pragma omp target teams distribute num_teams(5) reduction(+ : teams) map(from : seen)
  for (int i = 0; i < omp_get_num_teams(); i++) {
    if (i == 0) seen = omp_get_num_teams();
    teams++;
  }
  std::printf("teams %d\n", teams == seen);
  return 0;
}
