/* if on every construct, with and without the name of a construct: 1 for right. */
#include <omp.h>
#include <stdio.h>

enum { N = 16 };
static int on_host[N], size[N], a[8];

static void check(const char *what, int right) { printf("%s: %d\n", what, right); }

static void reset(void) {
  for (int i = 0; i < N; i++) on_host[i] = size[i] = -1;
}

static void regions(int yes, int no) {
  reset();
#pragma omp target data map(tofrom : on_host, size)
  {
#pragma omp target if (no) map(always, tofrom : on_host)
    on_host[0] = omp_is_initial_device();
#pragma omp target update to(on_host)
#pragma omp target if (yes)
    on_host[1] = omp_is_initial_device();
#pragma omp target parallel if (target : yes) if (parallel : no) num_threads(4)
    on_host[2] = omp_is_initial_device(), size[2] = omp_get_num_threads();
#pragma omp target parallel if (parallel : yes) num_threads(4)
    if (omp_get_thread_num() == 0) on_host[3] = omp_is_initial_device(), size[3] = omp_get_num_threads();
#pragma omp target teams if (target : yes) if (teams : no) num_teams(3)
    on_host[4] = omp_is_initial_device(), size[4] = omp_get_num_teams();
#pragma omp target
#pragma omp teams if (yes) num_teams(3)
#pragma omp parallel if (no) num_threads(4)
    if (omp_get_team_num() == 0) size[5] = 10 * omp_get_num_teams() + omp_get_num_threads();
#pragma omp target teams distribute parallel for if (parallel for : no) if (target teams : yes) num_threads(4)
    for (int i = 0; i < 1; i++) size[6] = omp_get_num_threads();
#pragma omp target
    {
#pragma omp parallel if (no) num_threads(4)
      size[7] = omp_get_num_threads();
#pragma omp parallel if (parallel : yes) num_threads(4)
      if (omp_get_thread_num() == 0) size[8] = omp_get_num_threads();
    }
#pragma omp target teams distribute simd if (teams : no) if (simd : no) num_teams(5)
    for (int i = 0; i < 4; i++) size[9] = omp_get_num_teams();
  }
  check("target", on_host[0] == 1 && on_host[1] == 0);
  check("parallel", on_host[2] == 0 && size[2] == 1 && on_host[3] == 0 && size[3] == 4);
  check("teams", on_host[4] == 0 && size[4] == 1 && size[5] == 31 && size[9] == 1);
  check("inside", size[6] == 1 && size[7] == 1 && size[8] == 4);
}

static void combined(int yes, int no) {
  reset();
#pragma omp target teams distribute parallel for if (no) map(tofrom : on_host)
  for (int i = 0; i < 1; i++) on_host[0] = omp_is_initial_device();
#pragma omp target teams distribute parallel for simd if (target : yes) if (simd : no) if (parallel : no) map(on_host)
  for (int i = 0; i < 1; i++) on_host[1] = omp_is_initial_device();
#pragma omp target parallel for simd if (simd : yes) if (target : no) map(tofrom : on_host)
  for (int i = 0; i < 1; i++) on_host[2] = omp_is_initial_device();
#pragma omp target teams loop if (target : no) map(tofrom : on_host)
  for (int i = 0; i < 1; i++) on_host[3] = omp_is_initial_device();
#pragma omp target simd if (target : no) if (simd : yes) map(tofrom : on_host)
  for (int i = 0; i < 1; i++) on_host[4] = omp_is_initial_device();
#pragma omp target nowait if (no) map(tofrom : on_host)
  on_host[5] = omp_is_initial_device();
#pragma omp target nowait if (target : yes) map(tofrom : on_host[6 : 1])
  on_host[6] = omp_is_initial_device();
#pragma omp taskwait
  int right = 1;
  for (int i = 0; i < 7; i++) right &= on_host[i] == (i != 1 && i != 6);
  check("combined", right);
}

static void data(int yes, int no) {
  int x = 0, right;
#pragma omp target data map(to : x) if (no)
  right = !omp_target_is_present(&x, 0);
#pragma omp target data map(to : x) if (target data : yes)
  right &= omp_target_is_present(&x, 0);
  check("target data", right && !omp_target_is_present(&x, 0));
#pragma omp target enter data map(to : a) if (target enter data : no)
  right = !omp_target_is_present(a, 0);
#pragma omp target enter data map(to : a) if (yes)
  check("target enter data", right && omp_target_is_present(a, 0));
  a[0] = 5;
#pragma omp target update to(a) if (target update : no)
#pragma omp target map(from : x)
  x = a[0];
  right = x == 0;
#pragma omp target update to(a) if (yes)
#pragma omp target map(from : x)
  x = a[0];
  check("target update", right && x == 5);
#pragma omp target exit data map(delete : a) if (target exit data : no)
  right = omp_target_is_present(a, 0);
#pragma omp target exit data map(delete : a) if (yes)
  check("target exit data", right && !omp_target_is_present(a, 0));
}

int main(void) {
  regions(1, 0);
  combined(1, 0);
  data(1, 0);
  return 0;
}
