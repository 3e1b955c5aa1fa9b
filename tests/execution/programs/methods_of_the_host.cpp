// Methods that launch regions stay on the host: what only they call need not exist on the device.
#include <cstdio>
#include <string>

extern "C" int puts_of_the_library(const char *text) __attribute__((weak));

static void announce(const char *text) {
  if (puts_of_the_library) puts_of_the_library(text);
}

struct Model {
  int width = 3;
  double cells[4] = {1, 2, 3, 4};
  std::string name = "model";

  int doubled(int x) const { return 2 * x; }

  void grow() {
    announce("grow");
#pragma omp target map(tofrom : this->width)
    this->width += doubled(2);
    announce(name.c_str());
  }

  double sum() const {
    double total = 0;
    announce("sum"); /* a brace } in a comment */
#pragma omp target map(tofrom : total) map(to : cells)
    for (int i = 0; i < 4; i++) total += cells[i];
    return total;
  }

  auto scaled(double by) -> double;
};

inline auto Model::scaled(double by) -> double {
  announce("scaled");
#pragma omp target map(tofrom : cells)
  cells[0] *= by;
  return cells[0];
}

int main() {
  Model model;
  model.grow();
  std::printf("%d\n", model.width);
  std::printf("%g\n", model.sum());
  std::printf("%g\n", model.scaled(5));
  return 0;
}
