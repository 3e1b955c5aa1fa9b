// First-private objects that range-based loops and structured bindings change, under names of their parts alone.
#include <array>
#include <cstdio>
#include <tuple>
#include <utility>

struct Cells {
  std::array<int, 4> values;
  int k;
};

struct Plain {
  int values[4];
  int *begin() { return values; }
  int *end() { return values + 4; }
};

template <class Range> int each(Range init) {
  Range range = init;
  int sum = 0;
#pragma omp target firstprivate(range) map(from : sum)
  {
    sum = 0;
    for (auto &x : range) x += 1;
    for (const auto &x : range) sum += x;
  }
  return sum;
}

template <class Pair> int bound(Pair init, int n) {
  Pair pair = init;
  int sum = 0;
#pragma omp target teams distribute parallel for firstprivate(pair) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    Pair own = pair;
    auto &[first, second] = own;
    first += i, second -= first;
    auto [a, b] = pair;
    a *= 2;
    sum += a + b + std::get<0>(own) * second;
  }
  return sum;
}

int implicitly(std::array<int, 4> values, Cells cells, Plain plain) {
  int out = 0;
#pragma omp target map(from : out)
  {
    for (auto &x : values) x *= 10;
    for (auto &x : cells.values) x *= 10;
    for (int &x : plain) x += 3;
    out = values[2] + cells.values[1] + plain.values[3];
  }
  return out;
}

int parts(int n) {
  std::pair<int, std::array<short, 3>> pair{1, {2, 3, 4}};
  std::tuple<int, int> two{4, 5};
  int three[3] = {1, 2, 3}, sum = 0;
#pragma omp target teams distribute parallel for firstprivate(pair, three, two) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    auto &[k, values] = pair;
    auto &[x, y, z] = three;
    auto &[g, h] = two;
    k = i, y = 2 * i, g = h;
    for (auto &value : values) value = static_cast<short>(k);
    sum += pair.first + pair.second[1] + three[1] + std::get<0>(two) + x + z;
  }
  return sum;
}

int main() {
  const std::array<int, 4> values{1, 2, 3, 4};
  const Plain plain{{1, 1, 1, 2}};
  printf("%d %d\n", each(values), each(plain));
  printf("%d %d\n", bound(std::pair<int, int>(3, 4), 10), bound(std::array<long, 2>{3, 4}, 11));
  printf("%d\n", implicitly(values, Cells{{5, 6, 7, 8}, 9}, plain));
  printf("%d\n", parts(10));
  return 0;
}
