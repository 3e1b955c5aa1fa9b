// Expressions of clauses in regions whose last words are others in device code: calls, members, names behind scopes.
#include <omp.h>

#include <cstdio>

namespace numbers {
static int three = 3;
struct Widths {
  static constexpr int two = 2;
};
} // namespace numbers

struct Work {
  int most = 2;

  void masked(int *p) {
#pragma omp target map(tofrom : p[0 : 4])
#pragma omp parallel num_threads(4)
    {
#pragma omp masked filter(p[3] % omp_get_num_threads())
      p[0] += most;
#pragma omp barrier
#pragma omp masked filter(omp_get_num_teams() - omp_get_num_teams())
      p[0] += 10;
    }
  }

  void loops(int *p) {
#pragma omp target map(tofrom : p[0 : 4])
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(static, most)
      for (int i = 0; i < 8; i++) {
#pragma omp atomic
        p[1] += i;
      }
#pragma omp for schedule(dynamic, 1 + numbers::three)
      for (int i = 0; i < 8; i++) {
#pragma omp atomic
        p[1] += i;
      }
#pragma omp single
#pragma omp taskloop grainsize(numbers::Widths::two * omp_get_num_teams())
      for (int i = 0; i < 8; i++) {
#pragma omp atomic
        p[1] += i;
      }
    }
  }

  void tasks(int *p) {
#pragma omp target map(tofrom : p[0 : 4])
#pragma omp parallel num_threads(4) if (p[0] > this->most)
#pragma omp single
    {
#pragma omp task if (p[3] < this->most) final(p[3] > 3 * omp_get_num_teams())
      p[2] += omp_in_final();
#pragma omp task final(p[3] > 5 * omp_get_num_teams())
      p[2] += 10 * omp_in_final();
    }
  }
};

int main() {
  int p[4] = {};
  Work work;
  work.masked(p);
  work.loops(p);
  work.tasks(p);
  std::printf("%d %d %d\n", p[0], p[1], p[2]);
}
