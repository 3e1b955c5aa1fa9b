// Atomics of C++: members with and without an object, templates, references, operators of containers, enumerations.
#include <cstdio>

enum class State : unsigned char { Idle, Busy, Done };

namespace lib {
int total = 0;
int slots[4];
} // namespace lib

struct Histogram {
  int counts[8];
  long sum;
  double mean;
  State state;
  bool any;
  volatile int moody; // last: a byte at the end of mapped memory is changed with the bytes behind it
  static int made;

  void fill(int n) {
#pragma omp target teams distribute parallel for map(tofrom : counts, sum, mean, state, moody, any)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      counts[i % 8]++;
#pragma omp atomic
      sum = sum + i;
#pragma omp atomic
      this->mean += 0.5;
#pragma omp atomic write
      state = State::Done;
#pragma omp atomic update
      moody = 1 + moody;
#pragma omp atomic
      any |= i > 5;
    }
  }

  int claim() {
    int won = 0, last = 0;
#pragma omp target teams distribute parallel for map(tofrom : counts, sum, state, won, last)
    for (int i = 0; i < 64; i++) {
      State seen;
      long before;
      int after;
      int index = i % 8;
#pragma omp atomic compare capture
      { seen = state; if (state == State::Done) { state = State::Busy; } }
#pragma omp atomic capture
      { before = sum; sum -= 1; }
#pragma omp atomic capture
      after = counts[index] += 2;
#pragma omp atomic compare
      if (last < after) { last = after; }
      if (seen == State::Done && before > 0) {
#pragma omp atomic
        won++;
      }
    }
    return won * 1000 + last;
  }
};

int Histogram::made = 0;

template <class T> struct Cells {
  T *cells;
  int n;
  T &operator[](int i) const { return cells[i]; }
};

template <class T, class V> static void grow(T *x, V by, int n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : 4])
  for (int i = 0; i < n; i++) {
    T old, now;
#pragma omp atomic
    x[0] += by;
#pragma omp atomic capture
    { old = x[1]; x[1] = x[1] + by; }
#pragma omp atomic capture
    now = x[2] -= by;
#pragma omp atomic compare
    x[3] = x[3] < old ? old : x[3];
    if (old < 0 && now > 0) x[3] = 0;
  }
}

#pragma omp declare target
static void add_to(int &sum, int i) {
#pragma omp atomic
  sum += i;
}
template <class T> T take(T *from) {
  T mine;
#pragma omp atomic capture
  mine = (*from)--;
  return mine;
}
#pragma omp end declare target

static void rest() {
  int a[4] = {0, 1000, 0, 0}, ref = 5, n = 100, drawn = 0;
  int &alias = ref;
#pragma omp target teams distribute parallel for map(tofrom : a, alias, lib::total, lib::slots, drawn)
  for (int i = 0; i < n; i++) {
    Cells<int> cells{a, 4};
    auto add = [&](int by) {
#pragma omp atomic
      a[3] += by;
    };
#pragma omp atomic
    cells[0] += 2;
    add_to(a[2], i);
    int mine = take(&a[1]);
    add(3);
#pragma omp atomic
    drawn += mine;
#pragma omp atomic
    alias++;
#pragma omp atomic
    lib::total += i % 3;
#pragma omp atomic update
    ::lib::slots[i % 4] = lib::slots[i % 4] + 1;
  }
  printf("rest: %d %d %d %d %d %d %d %d\n", a[0], a[1], a[2], a[3], ref, lib::total, lib::slots[3], drawn);
}

int main() {
  Histogram h = {};
  h.fill(100);
  printf("fill: %d %d %ld %g %d %d %d\n", h.counts[0], h.counts[7], h.sum, h.mean, (int)h.state, (int)h.moody, h.any);
  int claimed = h.claim();
  printf("claim: %d %d %ld %d\n", claimed, (int)h.state, h.sum, h.counts[3]);
  float f[4] = {};
  short s[4] = {};
  long l[4] = {};
  grow(f, 1, 40);
  grow(s, 2.5, 40);
  grow(l, 3u, 40);
  printf("grow: %g %g %g %g %d %d %d %d %ld %ld %ld %ld\n", f[0], f[1], f[2], f[3], s[0], s[1], s[2], s[3], l[0], l[1],
         l[2], l[3]);
  rest();
  return 0;
}
