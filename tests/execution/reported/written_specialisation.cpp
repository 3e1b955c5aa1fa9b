#include <cstdio>
template <typename T> void set(T *p) {
#pragma omp target map(from : p[0 : 1])
  p[0] = 1;
}
template <> void set<char>(char *p) {
#pragma omp target map(from : p[0 : 1])
  p[0] = 'x';
}
template void set<short>(short *p);
int main() {
  int i;
  char c;
  set(&i), set(&c);
  std::printf("%d %c\n", i, c);
}
