// decltype of a name in parentheses: a reference to an object of the type that the program gives it.
#include <cstdio>
#include <type_traits>
struct S { int v; };
template <class T> static int asked(T w) {
  int r = 0; T f = w;
#pragma omp target map(tofrom: r) firstprivate(f)
  { decltype((f)) y = f; r = std::is_same<decltype((f)), T &>::value * 10 + std::is_same<decltype( ( w ) ), T &>::value + (int)y * 100; }
  return r;
}
int main() {
  int x = 3, z = 4, a[3] = {1, 2, 3}; double d = 2.5; int r[12] = {0}; const int c = 5; S s{6}; int &ref = z; int *p = &x; int (&arr)[3] = a;
  #pragma omp target map(tofrom: r) firstprivate(d) map(to: s)
  {
    r[0] = std::is_same<decltype((x)), int &>::value;
    r[1] = std::is_same<decltype((d)), double &>::value;
    decltype((x)) y = x; y += 4; r[2] = x;
    r[3] = std::is_same<decltype(x), int>::value;
    r[4] = std::is_same<decltype((c)), const int &>::value + c;
    r[5] = std::is_same<decltype((s)), S &>::value + s.v;
    r[6] = std::is_same<decltype((ref)), int &>::value * 10 + ref;
    r[7] = std::is_same<decltype((p)), int *&>::value + 2 * std::is_same<decltype((a)), int (&)[3]>::value + 4 * std::is_same<decltype((arr)), int (&)[3]>::value;
    auto f = [=] { return std::is_same<decltype((d)), const double &>::value + 0 * d; }; r[8] = f();
  }
  for (int i = 0; i < 9; i++) printf("%d ", r[i]);
  printf("%d %d\n", asked(3), asked(2.5));
}
