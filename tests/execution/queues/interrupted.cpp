// Statements that see what kernels have done, on every way through runs that they interrupt: the queue is closed in each
// of them, and when all is over. `open_queues` counts; see queues.c.
#include <chrono>
#include <cstdio>
#include <initializer_list>

extern "C" int open_queues(void);
extern "C" int opened_queues(void);

static int wrong;
static double seen(const double *a) {
  wrong += open_queues() != 0;
  return a[0];
}
static void add(double *a, int n, double by) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] += by;
}
#define TOLD(call) do { seen(a); call; } while (0)

static int sometimes(double *a, int n) {
  int told = 0;
  for (int k = 0; k < 9; k++) {
    add(a, n, 1);
    if (k % 4 == 0) told += seen(a) >= 0;
  }
  return told;
}
static int leaves(double *a, int n, int when) {
  for (int k = 0; k < 9; k++) {
    add(a, n, 1);
    if (k == when) return (int)seen(a) >= 0 ? k : -1;
    if (k == 7) {
      seen(a);
      goto out;
    }
  }
  return 9;
out:
  return 7;
}
static int nested(double *a, int n) {
  int turns = 0;
  for (int j = 0; j < 3; j++) {
    for (int k = 0; k < 5; k++) {
      if (k == 2 && j == 1) continue;
      add(a, n, 1);
      if (k == 3) break;
      if (j == 2) seen(a);
      else turns++;
    }
    add(a, n, 2);
    if (j == 1) {
      double before = seen(a);
      add(a, n, 1);
      add(a, n, 1);
      turns += before >= 0;
    }
  }
  return turns;
}
static int until(double *a, int n) {
  int k = 0, told = 0;
  do {
    add(a, n, 1);
    if (k == 2) TOLD(told++);
    else if (k == 4) { TOLD(told++); TOLD(told += 10); }
    else k += 0;
  } while (++k < 6);
  while (k-- > 0) {
#pragma omp target update from(a[0:n])
    seen(a);
#pragma omp target update to(a[0:n])
    add(a, n, 1);
  }
  return told;
}
static int times(double *a, int n) {
  int later = 0;
  for (int k = 0; k < 4; k++) {
    if (k > 0) {
      const auto now = std::chrono::steady_clock::now();
      later += open_queues() == 0 && now.time_since_epoch().count() >= 0;
    }
    add(a, n, 1);
  }
  return later;
}
template <class Tell> static int with(double *a, int n, Tell tell) {
  int told = 0;
  for (int k = 0; k < 6; k++) {
    add(a, n, 1);
    if (k % 2) {
      switch (k) {
      case 1: tell(k); break;
      default: told += tell(k);
      }
    }
  }
  return told;
}
struct Solver {
  double *data;
  int steps = 5, told = 0;
  int run(int n) {
    for (int k = 0; k < steps; k++) {
      add(data, n, 1);
      if (k == 3) told += seen(data) >= 0;
    }
    return told;
  }
};
struct Ends {
  ~Ends() { wrong += open_queues() != 0; }
};
static int with_ends(double *a, int n) {
  for (int k = 0; k < 4; k++) {
    add(a, n, 1);
    if (k == 2) {
      Ends ends;
      add(a, n, 1);
      add(a, n, 1);
    }
  }
  return 0;
}
// Objects that live to the end of their block: a constant reference keeps one, as do a member of that kind and a list.
struct Keeps {
  const Ends &ends;
};
static int with_kept(double *a, int n) {
  for (int k = 0; k < 9; k++) {
    add(a, n, 1);
    if (k == 2) {
      const auto &kept = Ends();
      add(a, n, 1);
      (void)kept;
    } else if (k == 4) {
      Keeps kept{Ends()};
      add(a, n, 1);
      (void)kept;
    } else if (k == 6) {
      std::initializer_list<Ends> kept = {Ends(), Ends()};
      add(a, n, 1);
      (void)kept;
    }
  }
  return 0;
}
static int thrown(double *a, int n) {
  for (int k = 0; k < 4; k++) {
    add(a, n, 1);
    if (k == 2) throw seen(a) >= 0 ? 1 : 2;
  }
  return 0;
}

int main() {
  constexpr int n = 100;
  double a[n] = {};
  int results[11];
#pragma omp target data map(tofrom : a[0 : n])
  {
    results[0] = sometimes(a, n);
    results[1] = leaves(a, n, 4) + leaves(a, n, 8);
    results[2] = nested(a, n);
    results[3] = until(a, n);
    results[4] = times(a, n);
    results[5] = with(a, n, [&](int k) { return seen(a) >= 0 ? k : 0; });
    Solver solver{a};
    results[6] = solver.run(n);
    results[7] = with_ends(a, n);
    try {
      results[8] = thrown(a, n);
    } catch (int number) {
      results[8] = number;
    }
    results[9] = with_kept(a, n);
    results[10] = open_queues();
  }
  for (int result : results) printf("%d ", result);
  printf("%g %g\n", a[0], a[n - 1]);
  printf("wrong: %d\n", wrong);
  return opened_queues() < 9;
}
