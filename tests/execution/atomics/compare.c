/* Forms of atomic compare that clang 19 gets wrong on the host, or refuses to combine with other clauses. */
#include <stdio.h>

#define SHOW3 trace[n++] = v, trace[n++] = r, trace[n++] = x

static void captures(void) {
  int x = 5, e = 5, d = 9, v = -1, r = 0, trace[80], n = 0;
#pragma omp target map(tofrom : x, trace, n) map(to : e, d) firstprivate(v, r)
  {
#pragma omp atomic compare capture
    { v = x; if (x == e) { x = d; } }
    SHOW3;
#pragma omp atomic compare capture
    { v = x; if (x == e) { x = d; } }
    SHOW3;
#pragma omp atomic capture compare
    {
      v = x;
      x = x > 7 ? 7 : x;
    }
    SHOW3;
#pragma omp atomic compare capture
    { v = x; if (e > x) { x = e; } }
    SHOW3;
#pragma omp atomic compare capture
    { if (x == 7) { x = d; } v = x; }
    SHOW3;
#pragma omp atomic compare capture
    { if (x == 7) { x = d + 1; } v = x; }
    SHOW3;
#pragma omp atomic compare capture
    { if (x < 20) { x = 20; } v = x; }
    SHOW3;
#pragma omp atomic compare capture
    { x = x == 20 ? 21 : x; v = x; }
    SHOW3;
#pragma omp atomic compare capture
    if (x == e) { x = d; } else { v = x; }
    SHOW3;
#pragma omp atomic compare capture
    if (x == 21) {
      x = d + 5;
    } else {
      v = x;
    }
    SHOW3;
#pragma omp atomic compare capture
    { r = x == 14; if (r) { x = 15; } }
    SHOW3;
#pragma omp atomic compare capture
    { r = x == 14; if (r) { x = 15; } }
    SHOW3;
#pragma omp atomic compare capture
    { r = x == e; if (r) { x = d; } else { v = x; } }
    SHOW3;
#pragma omp atomic compare capture
    { r = x == 15; if (r) x = d; else v = x; }
    SHOW3;
  }
  printf("compare capture:");
  for (int i = 0; i < n; i += 3) printf(" %d/%d/%d", trace[i], trace[i + 1], trace[i + 2]);
  printf("\n");
}

static void floats(void) {
  float f = 3, low = 100, was = 0;
  double zero = -0.0, nan = 0.0 / 0.0, high = 1;
#pragma omp target map(tofrom : f, low, was, zero, nan, high)
  {
#pragma omp atomic compare
    if (f == 3) { f = 4.5; }
#pragma omp atomic compare
    if (zero == 0) { zero = 7; }
#pragma omp atomic compare
    if (nan == nan) { nan = 1; }
#pragma omp atomic compare capture
    { if (low > 2.5) { low = 2.5; } was = low; }
#pragma omp atomic compare
    if (high < nan) { high = nan; }
  }
  printf("floats: %g %g %d %g %g %g\n", f, zero, nan != nan, low, was, high);
}

static void weak(int n) {
  int won = 0, lost = 0, slot = 0, pushed = 0, next[512], head = -1, count = 0;
#pragma omp target teams distribute parallel for map(tofrom : won, lost, slot, head, next, pushed)
  for (int i = 0; i < n; i++) {
    int mine, old;
#pragma omp atomic compare capture weak seq_cst fail(relaxed)
    { mine = slot == 0; if (mine) { slot = i + 1; } else { old = slot; } }
    if (mine) {
#pragma omp atomic
      won++;
    } else if (old > 0) {
#pragma omp atomic
      lost++;
    }
    int first, done = 0;
#pragma omp atomic read
    first = head;
    while (!done) { /* a list without locks */
      next[i] = first;
#pragma omp atomic compare capture weak acq_rel fail(acquire)
      { done = head == first; if (done) { head = i; } else { first = head; } }
    }
#pragma omp atomic
    pushed++;
  }
  for (int i = head; i >= 0; i = next[i]) count++;
  printf("weak: %d %d %d %d %d\n", won, lost, slot > 0, pushed, count);
}

int main(void) {
  captures();
  floats();
  weak(512);
  return 0;
}
