/* omp_in_final(): in final tasks, in the tasks below them and in what they call, and nowhere else. */
#include <omp.h>
#include <stdio.h>

#define MANY 32
static const char *expected[] = {
    "0 1 1 1 1 0 0 0 0 1 1 0 1 0 ",
    "0 1 0 1 0 1 0 0 1 ",
    "10 10 0 5 ",
    "0 1 1 0 1 0 0 1 ",
};

static void show(int test, const int *got, int count) {
#ifdef _OPENMP
  for (int i = 0; i < count; i++) printf("%d ", got[i]);
  puts("");
  (void)test;
#else
  (void)got;
  (void)count;
  puts(expected[test]);
#endif
}

#pragma omp declare target
static int in_final(void) { return omp_in_final(); }
static void below(int *got) {
#pragma omp task shared(got)
  got[0] = in_final();
#pragma omp taskwait
}
static int of_both(int yes, int depth) {
  int found = 0;
#pragma omp task final(yes) shared(found)
  {
    found = 10 * omp_in_final();
    if (depth > 0) found += of_both(0, depth - 1) / 10;
  }
#pragma omp taskwait
  return found;
}
static void in_parallel(int *got) {
#pragma omp parallel
  {
    got[0] = omp_in_final(); /* an implicit task is none of them */
    got[1] = in_final();
  }
}
#pragma omp end declare target

/* The initial thread of a region. */
static void sequential(int n) {
  int got[MANY] = {0};
#pragma omp target map(tofrom : got) map(to : n)
  {
    got[0] = omp_in_final();
#pragma omp task final(n > 2) shared(got)
    {
      got[1] = omp_in_final();
      got[2] = in_final();
#pragma omp task shared(got)
      {
        got[3] = omp_in_final();
        below(&got[4]);
      }
      in_parallel(&got[5]);
    }
    got[7] = in_final();
#pragma omp task final(n < 2) shared(got)
    {
      got[8] = omp_in_final();
#pragma omp task final(1) shared(got)
      {
        got[9] = omp_in_final();
#pragma omp task final(0) shared(got)
        got[10] = omp_in_final();
      }
      got[11] = omp_in_final();
    }
#pragma omp taskloop final(n) shared(got)
    for (int i = 0; i < 3; i++) {
      if (i == 1) got[12] = omp_in_final();
    }
#pragma omp taskwait
    got[13] = omp_in_final();
  }
  show(0, got, 14);
}

/* Threads of a parallel: each for itself. */
static void parallel(void) {
  int got[MANY] = {0}, count[4] = {0};
#pragma omp target map(tofrom : got, count)
  {
    int width = 10;
#pragma omp parallel num_threads(width)
    {
      int half = omp_get_thread_num() % 2;
#pragma omp task final(half)
      {
        int in = in_final() + omp_in_final();
        if (in != 2 * half) {
#pragma omp atomic
          count[0]++;
        }
      }
#pragma omp single
      {
        got[0] = omp_in_final();
#pragma omp task final(1) shared(got)
        {
          got[1] = in_final();
#pragma omp parallel
          {
            got[2] = in_final() + omp_in_final();
#pragma omp task final(1) shared(got)
            got[3] = in_final();
            got[4] = in_final();
          }
          got[5] = in_final();
        }
        got[6] = in_final();
      }
      if (in_final()) {
#pragma omp atomic
        count[0]++;
      }
    }
    got[7] = count[0];
#pragma omp task final(1) shared(got)
    {
      int one = 0;
#pragma omp taskgroup
      {
#pragma omp task shared(one)
        one = omp_in_final();
      }
      got[8] = one;
    }
  }
  show(1, got, 9);
}

/* Tasks in functions. */
static void functions(void) {
  int got[MANY] = {0};
#pragma omp target parallel map(tofrom : got) num_threads(5)
  {
    int yes = of_both(1, 0), below = of_both(1, 0), no = of_both(0, 0);
#pragma omp critical
    {
      got[0] = yes;
      got[1] = below;
      got[2] += no;
      got[3]++;
    }
  }
  show(2, got, 4);
}

#define ASKED omp_in_final()

/* Calls that macros hide, and teams. */
static void teams(int n) {
  int got[MANY] = {0};
#pragma omp target teams map(tofrom : got) num_teams(2)
  {
    int own[MANY] = {0};
    own[0] = ASKED;
#pragma omp parallel num_threads(3)
    {
#pragma omp masked
      {
#pragma omp task final(n == 3) shared(own)
        {
          own[1] = ASKED;
#pragma omp task if (0) shared(own)
          own[2] = ASKED;
        }
        own[3] = ASKED;
#pragma omp taskloop final(1) shared(own)
        for (int i = 4; i < 5; i++) own[i] = in_final();
        own[5] = ASKED;
#pragma omp task final(1) shared(own)
        own[7] = of_both(0, 1) == 11;
      }
    }
    own[6] = in_final();
    if (omp_get_team_num() == omp_get_num_teams() - 1)
      for (int i = 0; i < 8; i++) got[i] = own[i];
  }
  show(3, got, 8);
}

int main(void) {
  parallel(); /* first, for until then LLVM's host runtime knows of no final tasks */
  sequential(3);
  functions();
  teams(3);
  return 0;
}
