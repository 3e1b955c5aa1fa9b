/* Statements of every shape under a construct: without braces, under if and else, labelled, from macros. */
#include <stdio.h>

#define N 24
#define ADD(x, by) x += by
#define BOTH(x, y) { x++; y++; }
#define LOOP(i, n) for (int i = 0; i < n; i++)
#define EACH(n) for (int e = 0; e < n; e++)
#define BARRIER _Pragma("omp barrier")
#define ONCE(statement) _Pragma("omp single") { statement; }
#define LOCKED _Pragma("omp critical(shapes)")
#define STEP 2

static int a[N];

static void shapes(int n, int flag) {
  int x = 0, y = 0, z = 0, w = 0;
#pragma omp target parallel map(tofrom : a, x, y, z, w) num_threads(6)
  {
    if (flag)
#pragma omp single
      x += 1;
    else
#pragma omp single
      x += 10;
    if (flag > 1)
#pragma omp critical
      if (x > 0) y = 1000;
      else y = 2000;
    else if (flag)
#pragma omp masked
      for (int i = 0; i < 3; i++)
        if (i) y++;
        else y += 10;
#pragma omp barrier
    switch (flag) {
    case 1:
#pragma omp masked
      z += 1;
      break;
    case 2: {
#pragma omp masked
      z += 2;
    }
    default:
#pragma omp masked
      z += 3;
    }
#pragma omp barrier
    for (int i = 0; i < 2; i++)
#pragma omp single
      ADD(z, 10 * i);
    int rounds = 0;
    do
#pragma omp single
      w++;
    while (++rounds < 3);
    while (rounds-- > 0)
#pragma omp for
      for (int i = 0; i < N; i++) ADD(a[i], i); // a comment; with a brace }
#pragma omp single /* a comment */ nowait // another
    /* between */ BOTH(x, y) // behind
    BARRIER
#pragma omp for schedule(static, \
                         STEP)
    for (int i = 0;
         i < n; /* up */
         i++)
    {
      if (i == 3) continue;
      a[i] += 5; }
#pragma omp for
    for (int i = 0; i < n; i++) BOTH(a[i], a[i])
#pragma omp for collapse(2)
    for (int i = 0; i < 2; i++) /* { */
      for (int k = 0; k < STEP; k++) { a[i * STEP + k] *= 2; }  /* } */
#pragma omp for
    for (int i = 0; i < N; i += STEP) a[i] += 7; ONCE(w += 100)
#pragma omp single
#pragma omp critical(outer)
#pragma omp critical(inner)
    {
      w += 1000;
    }
#pragma omp single
    {
#pragma omp task
#pragma omp atomic
      w += 1;
    }
    LOCKED { z += 0; }
#pragma omp for
    for (int i = 0; i < N; i++)
#pragma omp simd
      EACH(3) a[i] += e;
    if (flag > 5) goto inside;
    if (0) {
    inside:
      ;
#pragma omp flush
    }
#pragma omp single
    ;
#pragma omp sections
    {
#pragma omp section
      ADD(w, 3);
#pragma omp section
      BOTH(y, y)
    }
  }
  long long sum = 0;
  for (int i = 0; i < N; i++) sum += (long long)(i + 1) * a[i];
  printf("%d %d %d %d %lld\n", x, y, z, w, sum);
}

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i;
  shapes(20, 0);
  shapes(20, 1);
  shapes(9, 2);
  return 0;
}
