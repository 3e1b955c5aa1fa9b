// Kernels are queued as long as nobody listens; who does is told when they have ended.
#include "loops.h"
#include <cstdio>
extern "C" int opened_queues(void);
extern "C" int left_queues(void);
extern "C" unsigned open_queues(void);

static int wrong, once, told_steps;
void seen_once() { once++, wrong += open_queues() != 0; }
static double *data;
static const int n = 100;

struct counts final : listener {
  void told(int) override { told_steps++, wrong += open_queues() != 0; }
};
struct launches final : listener {
  void told(int step) override {
    wrong += open_queues() != 0;
    double *a = data;
    for (int k = 0; k < 2; k++) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++) a[i] += step;
    }
    wrong += open_queues() != 0;
  }
};
struct throws final : listener {
  void told(int step) override {
    wrong += open_queues() != 0;
    if (step == 1 && ++told_steps % 3 == 0) throw step;
  }
};
static void loop(double *a, int times) {
  for (int k = 0; k < times; k++) forall(range(0, n), [=](int i) { a[i] += 1; });
}
static void report(const char *what) {
  wrong += open_queues() != 0;
  static int opened, left;
  double sum = 0, *a = data;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  printf("%s: %g, %d %d\n", what, sum, opened_queues() - opened, left_queues() - left);
  opened = opened_queues(), left = left_queues();
}
int main() {
  double a[n] = {};
  data = a;
  counts counting;
  launches launching;
  throws throwing;
  registry<listener>::node last{&counting, nullptr}, both{&launching, &last}, alone{&throwing, nullptr};
#pragma omp target data map(tofrom : a)
  {
    loop(a, 5);
    report("nobody, and what happens once");
    loop(a, 5);
    report("nobody");
    registry<listener>::put(&last);
    loop(a, 5);
    report("one");
    registry<listener>::put(&both);
    loop(a, 5);
    report("two of which one launches");
    registry<listener>::put(&alone);
    try {
      loop(a, 5);
    } catch (int step) {
      wrong += open_queues() != 0;
      printf("thrown: %d\n", step);
    }
    report("one that throws");
    registry<listener>::put(nullptr);
    loop(a, 5);
    report("nobody again");
    twice(a, n, 5);
    report("nobody, in a lambda");
    registry<listener>::put(&last);
    twice(a, n, 5);
    report("one, in a lambda");
  }
  printf("told %d, once %d, steps %d, wrong %d\n", told_steps, once, counters::steps(0), wrong);
}
