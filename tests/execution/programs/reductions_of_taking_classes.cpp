// Reductions of classes with a template of constructors that takes anything, also an object of the class that is no
// constant: values are copied by the copy constructor.
#include <cstdio>
#include <type_traits>

template <int size> struct Taking {
  int n;
  double more[size];
  Taking() : n(0), more{} {}
  template <class T> Taking(T &&) : n(-1000), more{} {
    static_assert(!std::is_same<typename std::decay<T>::type, Taking>::value, "copied by the template");
  }
  Taking(const Taking &) = default;
  Taking &operator=(const Taking &) = default;
};
struct Pack {
  int n;
  Pack() : n(0) {}
  template <class... T> Pack(T &&...) : n(-1000) {}
  Pack(const Pack &) = default;
  Pack &operator=(const Pack &) = default;
};
struct Counted {
  int n;
  Counted() : n(0) {}
  template <class T> Counted(T &&) : n(-1000) {}
  Counted(const Counted &from) : n(from.n) {}
  Counted &operator=(const Counted &) = default;
};
typedef Taking<1> Small;
typedef Taking<7> Wide;

#pragma omp declare reduction(+ : Small, Wide, Pack, Counted : omp_out.n += omp_in.n) initializer(omp_priv = {})
#pragma omp declare reduction(sum : Small, Pack : omp_out.n += omp_in.n)

template <class T> static void reduce(const char *name) {
  T whole, of_loops, of_team, carried, elements[3];
  int running[8] = {};
#pragma omp target teams distribute parallel for map(tofrom : whole) reduction(+ : whole)
  for (int i = 0; i < 1000; i++) whole.n += i;
#pragma omp target teams distribute map(tofrom : of_loops) reduction(+ : of_loops)
  for (int block = 0; block < 8; block++) {
#pragma omp parallel for reduction(+ : of_loops)
    for (int i = 0; i < 100; i++) of_loops.n += block;
  }
#pragma omp target teams distribute parallel for map(tofrom : elements) reduction(+ : elements)
  for (int i = 0; i < 300; i++) elements[i % 3].n += i;
#pragma omp target map(tofrom : of_team, carried, running)
  {
#pragma omp parallel for reduction(+ : of_team)
    for (int i = 0; i < 100; i++) of_team.n += i;
#pragma omp parallel for reduction(inscan, + : carried)
    for (int i = 0; i < 8; i++) {
      carried.n += i;
#pragma omp scan inclusive(carried)
      running[i] = carried.n;
    }
  }
  printf("%s: %d %d %d %d %d %d\n", name, whole.n, of_loops.n, elements[1].n, of_team.n, running[3], running[7]);
}

int main() {
  reduce<Small>("small");
  reduce<Wide>("wide");
  reduce<Pack>("pack");
  reduce<Counted>("counted");
  Small small;
  Pack pack;
#pragma omp target parallel for map(tofrom : small, pack) reduction(sum : small, pack)
  for (int i = 0; i < 100; i++) {
    small.n += i;
    pack.n += 1;
  }
  printf("%d %d\n", small.n, pack.n);
  return 0;
}
