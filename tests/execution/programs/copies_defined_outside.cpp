/* The functions that copy, assign and end the objects of clauses are defined outside of their classes. */
#include <cstdio>
int counts[4];
#pragma omp declare target(counts)
void note(int which);
struct Part { int w; Part(int w); Part(const Part &o); ~Part(); };
struct Whole { Part part; int v; Whole(int v) : part(v), v(v) {} };
void note(int which) {
#pragma omp atomic
  counts[which]++;
}
Part::Part(int w) : w(w) { note(0); }
Part::Part(const Part &o) : w(o.w) { note(1); }
Part::~Part() { note(2); }
struct Made { int v; Made(); Made &operator=(const Made &o); };
Made::Made() : v(0) { note(3); }
Made &Made::operator=(const Made &o) { v = o.v; note(0); return *this; }
int inner(int n) {
  Whole w(n);
  int s = 0;
#pragma omp parallel for firstprivate(w) reduction(+: s) num_threads(1)
  for (int i = 0; i < n; i++) s += w.part.w;
  return s;
}
int main() {
  Whole c(3); int o[10];
#pragma omp target teams distribute parallel for map(from: o) firstprivate(c) num_teams(2) thread_limit(4)
  for (int i = 0; i < 10; i++) o[i] = c.part.w * i;
  int s = 0; for (int x : o) s += x;
  Made m;
#pragma omp target teams distribute parallel for map(tofrom: o) lastprivate(m) 
  for (int i = 0; i < 10; i++) m.v = o[i];
  int t = 0;
#pragma omp target map(tofrom: t)
  t = inner(4);
  int e[4];
#pragma omp target map(from: e)
  { for (int i = 0; i < 4; i++) e[i] = counts[i]; }
  printf("objects %d %d %d, ends without copies %d\n", s, m.v, t, e[2] - e[1]);
}
