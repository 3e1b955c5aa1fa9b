#include <cstdio>
template <class T, int N> struct reg { static int first(); static void *root; };
template <class T, int N> void *reg<T, N>::root = nullptr;
template <class T, int N> int reg<T, N>::first() { return root ? 1 : 0; }
struct plain { int a; };
class owner {
  struct hidden { int b; };
public:
  static int use() { return reg<hidden, 3>::first() + reg<const hidden[2], 3>::first() + reg<hidden *&, 3>::first() + reg<plain, 2>::first() + reg<plain *, 4>::first(); }
};
template <class T, int N> struct outer {
  template <class U> static U total(const T *from) { return from ? U(N) : U(0); }
};
template double outer<float, 5>::total<double>(const float *);
static int local_use() { struct inner { int c; }; return reg<inner, 1>::first(); }
double x[1000];
int main() {
  int n = 0;
#pragma omp target data map(tofrom : x)
  for (int k = 0; k < 3; k++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 1000; i++) x[i] += 1;
    n += reg<plain, 2>::first() + owner::use() + local_use() + (int)outer<float, 5>::total<double>(nullptr);
  }
  printf("%g %d\n", x[5], n);
}
template struct reg<plain, 7>;
template struct reg<reg<plain, 2>, 7>;
