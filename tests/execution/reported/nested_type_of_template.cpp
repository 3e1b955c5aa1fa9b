#include <cstdio>
template <typename T> class Stack {
  struct Entry {
    T value;
    int next;
  };
  Entry entries[4];

public:
  T set(T v) {
    Entry *e = entries;
#pragma omp target teams distribute parallel for map(from : e[0 : 4])
    for (int i = 0; i < 4; i++) e[i].value = v * i;
    return e[3].value;
  }
};
int main() {
  Stack<double> s;
  std::printf("%g\n", s.set(0.5));
}
