// Loops count in variables of namespaces and of the file, which their regions name with the scope in front.
#include <cstdio>

namespace outer {
int row = 3;
namespace inner {
long column = 4;
}
} // namespace outer
int counter = 5;

static int values[64];

static void show(const char *name, int count) {
  std::printf("%s", name);
  for (int i = 0; i < count; i++) {
    std::printf(" %d", values[i]);
    values[i] = -1;
  }
  std::puts("");
}

template <class T> static void in_a_template(T shift) {
#pragma omp target teams distribute parallel for
  for (outer::row = 0; outer::row < 8; outer::row++)
    values[outer::row] = outer::row + shift;
}

int main() {
#pragma omp target teams distribute parallel for
  for (outer::row = 0; outer::row < 8; outer::row++)
    values[outer::row] = outer::row;
  show("combined", 8);

#pragma omp target teams distribute parallel for collapse(2)
  for (outer::row = 0; outer::row < 4; outer::row++)
    for (outer::inner::column = 0; outer::inner::column < 3; ++outer::inner::column)
      values[outer::row * 3 + outer::inner::column] = outer::row * 100 + outer::inner::column;
  show("collapsed", 12);

#pragma omp target teams distribute
  for (outer::row = 0; outer::row < 4; outer::row++) {
#pragma omp parallel for
    for (int column = 0; column < 3; ++column)
      values[outer::row * 3 + column] = outer::row * 10 + column;
  }
  show("nested", 12);

#pragma omp target parallel for
  for (::counter = 0; ::counter < 8; ::counter++)
    values[::counter] = 2 * ::counter;
  show("of the file", 8);

  {
    using namespace outer;
#pragma omp target teams loop
    for (row = 0; row < 8; outer::row++)
      values[outer::row] = 3 * row;
    show("both names", 8);
  }

#pragma omp target teams distribute parallel for
  for (outer::row = 0; outer::row < 8; outer::row++) {
    auto by_reference = [&] { return outer::row; };
    auto by_value = [=] { return outer::row; };
    values[outer::row] = by_reference() + by_value();
  }
  show("lambdas", 8);

  in_a_template(1);
  show("template", 8);
  return 0;
}
