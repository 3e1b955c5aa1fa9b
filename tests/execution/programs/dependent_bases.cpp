// Bases that depend on the parameters of a template begin and end with their objects: shared by a team, or private.
#include <omp.h>
#include <cstdio>
template <class T> struct Ctor { T v; Ctor() : v(T(8)) {} };
template <class T> struct Init { T v = T(6); };
template <class T> struct Dt { T *log = nullptr; ~Dt() { if (log) *log += 1; } };
template <class T> struct B : Ctor<T> { T w; };
template <class T> struct A : Init<T> { T w; };
template <class T> struct E : Dt<T> { T w; };
template <class T> struct Cx { const T c = 3; }; template <class T> struct F : Cx<T> { };
int main() {
  int r[2] = {}, s[2] = {}, log[2] = {}, u[2] = {}, cc[2] = {};
#pragma omp target teams num_teams(1) map(tofrom : r, s, log, u, cc)
  { B<int> q; A<long> p; E<int> e; F<int> f; e.log = &log[omp_get_team_num()]; B<int> arr[3];
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      r[omp_get_team_num()] += q.v;
#pragma omp atomic
      s[omp_get_team_num()] += p.v;
#pragma omp atomic
      u[omp_get_team_num()] += arr[1].v + (e.log != nullptr);
#pragma omp atomic
      cc[omp_get_team_num()] += f.c;
    }
  }
  printf("%d %d %d %d %d %d\n", r[0] % 8, s[0] % 6, log[0], u[0] % 9, r[0] > 0 && s[0] > 0, cc[0] % 3);
  B<int> q; A<int> p; int t[8];
#pragma omp target teams distribute parallel for private(q, p) map(from : t)
  for (int i = 0; i < 8; i++) t[i] = q.v * 10 + p.v;
  printf("%d %d ", t[0], t[7]);
  B<int> ar[2];
#pragma omp target teams distribute parallel for private(ar) map(from : t)
  for (int i = 0; i < 8; i++) t[i] = ar[i & 1].v;
  printf("%d %d ", t[0], t[7]);
#pragma omp target teams private(q) map(from : t) num_teams(1)
  { t[0] = q.v;
#pragma omp parallel for private(p) num_threads(2)
    for (int i = 1; i < 8; i++) t[i] = p.v + q.v; }
  printf("%d %d\n", t[0], t[7]);
}
