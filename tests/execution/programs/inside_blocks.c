/* Constructs around a statement inside a parallel region, and stand-alone directives. */
#include <omp.h>
#include <stdio.h>

#define N 64

struct box {
  double weight;
  int side[3];
};

static void singles(void) {
  int once = 0, copied = 0, arrays = 0, own = 40, first = 7;
#pragma omp target parallel map(tofrom : once, copied, arrays, own, first) num_threads(12)
  {
    int got = -1, list[3] = {0, 0, 0};
    struct box b = {0.5, {1, 2, 3}};
    double *where = 0;
#pragma omp single
    once++;
#pragma omp single nowait
    {
      once += 10;
    }
#pragma omp barrier
#pragma omp single copyprivate(got)
    got = once + 1;
#pragma omp single copyprivate(list, b, where)
    {
      for (int i = 0; i < 3; i++) list[i] = got * i;
      b.weight = 2.5, b.side[2] = 9;
    }
#pragma omp critical
    {
      copied += got == 12;
      arrays += list[2] == 24 && b.weight == 2.5 && b.side[2] == 9 && b.side[0] == 1 && where == 0;
    }
#pragma omp single private(own) firstprivate(first)
    {
      own = first;
      first = 0;
      once += own;
    }
#pragma omp single
    if (once > 0)
      once += 100;
    else
      once = -1;
  }
#ifdef _OPENMP
  printf("singles: %d %d %d %d %d\n", once, copied == arrays, copied > 0, own, first);
#else
  printf("singles: %d %d %d 40 7\n", once, copied == arrays, copied > 0);
#endif
}

static void chosen(int which) {
  int first = 0, other = 0, none = 0, threads = 0;
#pragma omp target parallel map(tofrom : first, other, none, threads) num_threads(6)
  {
#pragma omp masked
    first++;
#pragma omp master
    {
      first += 2;
      threads = omp_get_num_threads();
    }
#pragma omp barrier
#pragma omp masked filter(which)
    other += 5;
#pragma omp masked filter(which - 10)
    none++;
#pragma omp masked filter(threads + 1)
    none++;
  }
#ifdef _OPENMP
  printf("masked: %d %d %d\n", first, other, none);
#else
  printf("masked: %d 5 0\n", first);
#endif
}

static void locked(int n) {
  int plain = 0, named = 0, both = 0, threads = 0, most = -1;
  int slots[N];
  for (int i = 0; i < N; i++) slots[i] = 0;
#pragma omp target parallel map(tofrom : plain, named, both, threads, most, slots) num_threads(37)
  {
#pragma omp critical
    plain++;
#pragma omp critical(names)
    {
      named += 2;
#pragma omp critical(others)
      both++;
    }
#pragma omp for
    for (int i = 0; i < n; i++) {
      int value = (i * 37) % 101;
#pragma omp critical(names) hint(0)
      if (value > most) most = value;
      if (i % 2)
#pragma omp critical
        slots[i % 8]++;
      else
#pragma omp critical(names)
        slots[8 + i % 8]++;
    }
#pragma omp atomic
    threads++;
#pragma omp flush
#pragma omp flush(threads)
#pragma omp flush acq_rel
  }
  printf("critical: %d %d %d %d", plain == threads, named == 2 * threads, both == threads, most);
  for (int i = 0; i < 16; i++) printf(" %d", slots[i]);
  printf("\n");
}

static void parts(void) {
  int a = 0, b = 0, c = 0, d = 0, e = 0, last = 0, sum = 100, unused = 3;
#pragma omp target parallel map(tofrom : a, b, c, d, e, last, sum, unused) num_threads(3)
  {
#pragma omp sections
    {
      a = 2; /* the first section needs no directive */
#pragma omp section
      b = 2;
#pragma omp section
      {
        c = 3;
      }
#pragma omp section
      d = 5;
#pragma omp section
      if (c >= 0)
        e = 5;
      else
        e = 6;
    }
#pragma omp sections lastprivate(last) reduction(+ : sum) firstprivate(unused) nowait
    {
#pragma omp section
      {
        last = 1;
        sum += 1;
        unused++;
      }
#pragma omp section
      {
        last = 2;
        sum += 2;
      }
    }
#pragma omp barrier
#pragma omp sections firstprivate(last) lastprivate(last)
    {
#pragma omp section
      last += 40;
#pragma omp section
      last = last > 0 ? 50 : -1;
    }
  }
  printf("sections: %d %d %d %d %d %d %d\n", a, b, c, d, e, last, sum);
}

static void waiting(int n) {
  int ring[N], next[N], rounds = 0;
  for (int i = 0; i < N; i++) ring[i] = i;
#pragma omp target parallel map(tofrom : ring, next, rounds) num_threads(29)
  {
    for (int r = 0; r < n; r++) {
#pragma omp for
      for (int i = 0; i < N; i++) next[i] = ring[(i + 1) % N];
      if (r % 2 == 0) {
#pragma omp for nowait
        for (int i = 0; i < N; i++) ring[i] = next[i] + 1;
      } else {
#pragma omp for nowait
        for (int i = 0; i < N; i++) ring[i] = next[i] - 1;
      }
#pragma omp barrier
#pragma omp masked
      rounds++;
    }
  }
  int sum = 0;
  for (int i = 0; i < N; i++) sum += (i + 1) * ring[i];
  printf("waiting: %d %d\n", sum, rounds);
}

static void others(int n) {
  int x = 0, stopped = 0;
#pragma omp target parallel map(tofrom : x, stopped)
  {
#pragma omp single
    {
      x += 3;
#pragma omp taskyield
#pragma omp taskwait
    }
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp cancellation point for
#pragma omp atomic
      stopped += 1;
#pragma omp cancel for if (i > 1000)
    }
#pragma omp nothing
  }
  printf("others: %d %d\n", x, stopped);
}

int main(void) {
  singles();
  chosen(2);
  locked(80);
  parts();
  waiting(5);
  others(20);
  return 0;
}
