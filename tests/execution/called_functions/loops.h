// A framework's loop: what listens is told around each, if there is anything.
#pragma once
#include "registry.h"
struct range {
  int from, to;
  range(int first, int last) : from(first), to(last) {}
  ~range() = default;
};
struct ticket {
  int number;
  static int next(int n) {
    if (n < 0) {
      extern void seen_once();
      seen_once();
      n = 1;
    }
    return n;
  }
  explicit ticket(int n = -1) : number(next(n)) {}
  static ticket usual() {
    static ticket only;
    return only;
  }
};
inline void tell(int step) {
  for (auto *each = registry<listener>::first(); each != nullptr; each = each->next) {
    each->what->told(step);
  }
}
template <class F> ticket apply(const range &all, F body) {
  int first = all.from, last = all.to;
#pragma omp target teams distribute parallel for
  for (int i = first; i < last; i++) body(i);
  return ticket::usual();
}
template <class F> int forall(range &&all, F &&body) {
  tell(0);
  auto made = apply(all, body);
  tell(made.number);
  return counters::steps(1);
}
template <class F> void region(F &&body) { body(); }
inline void twice(double *a, int n, int times) {
  for (int k = 0; k < times; k++) {
    region([=] {
      forall(range(0, n), [=](int i) { a[i] += 1; });
      forall(range(0, n), [=](int i) { a[i] += 1; });
    });
  }
}
