/* Constructors of copies that constructs make ask which thread of the team they are executed by. */
#include <cstdio>
#include <omp.h>

struct Plain {
  int v;
  Plain() : v(omp_get_thread_num()) {}
};
template <class T> struct Made {
  T v;
  Made() : v(omp_get_thread_num()) {}
};
template <class T> struct Unmade {
  T v;
  Unmade(T i) : v(i) {}
  Unmade(const Unmade &o) : v(o.v + omp_get_thread_num()) {}
};
template <class C> void own(int *p, int n) {
  C c;
#pragma omp target teams distribute parallel for schedule(static, 1) map(tofrom : p[0 : n]) private(c) num_teams(1) \
    num_threads(4)
  for (int i = 0; i < n; i++) p[i] = c.v == omp_get_thread_num();
}
void copied(int *p, int n) {
#pragma omp target teams num_teams(1) map(tofrom : p[0 : n])
  {
    Unmade<int> c(10);
#pragma omp distribute parallel for schedule(static, 1) firstprivate(c) num_threads(4)
    for (int i = 0; i < n; i++) p[i] = c.v == 10 + omp_get_thread_num();
  }
}
int main() {
  int p[3][8];
  own<Plain>(p[0], 8);
  own<Made<int>>(p[1], 8);
  copied(p[2], 8);
  for (auto &each : p)
    for (int x : each) std::printf("%d ", x);
}
