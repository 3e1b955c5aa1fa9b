// The object itself is mapped by a section of `this`, its members are used without naming it.
#include <cstdio>

struct State {
  int count;
  int values[4];

  void advance() {
    #pragma omp target map(tofrom: this[0:1])
    {
      count += 1;
      values[2] = count;
    }
  }

  void fill() {
    #pragma omp target teams distribute parallel for map(tofrom: this[:1])
    for (int i = 0; i < 4; i++) values[i] += count * i;
  }
};

int main() {
  State state{1, {0, 0, 0, 0}};
  state.advance();
  state.fill();
  std::printf("%d %d %d %d\n", state.count, state.values[1], state.values[2], state.values[3]);
}
