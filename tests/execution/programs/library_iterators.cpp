// Functions of the library that advance iterators, search, and go backwards.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>

template <class F> static void show(const char *what, const F &f) {
  printf("%s:", what);
  for (int i = 0; i < 20; i++) printf(" %d", f[i]);
  printf("\n");
}

int main() {
  int far[20], found[20], back[20], sorted[20], both[20];
#pragma omp target teams distribute parallel for map(from: far, found, back, sorted, both)
  for (int i = 0; i < 20; i++) {
    std::array<int, 8> a{};
    std::iota(a.begin(), a.end(), i * 7 % 5);
    auto at = a.begin();
    std::advance(at, i % 8);
    far[i] = *at * 100 + *std::next(a.begin(), (i + 3) % 8) * 10 + *std::prev(a.end(), 1 + i % 8);
    auto low = std::lower_bound(a.begin(), a.end(), i, std::less<>()), high = std::upper_bound(a.begin(), a.end(), i);
    found[i] = (int)(low - a.begin()) * 10 + (int)(high - a.begin()) + 100 * std::binary_search(a.begin(), a.end(), i);
    back[i] = std::inner_product(a.begin(), a.end(), a.rbegin(), 0) - *std::prev(a.rend()) + *a.crbegin();
    int b[40];
    for (int k = 0; k < 40; k++) b[k] = (k * 17 + i) % 41;
    std::sort(b, b + 40);
    std::nth_element(a.begin(), a.begin() + 3, a.end(), std::greater<int>());
    sorted[i] = b[i] * 1000 + b[39] + a[3];
    std::rotate(a.begin(), a.begin() + i % 8, a.end());
    std::reverse(b, b + i);
    both[i] = b[0] * 100 + std::accumulate(b, b + i, 0) + (int)std::distance(a.begin(), std::max_element(a.begin(), a.end()));
    auto range = std::equal_range(b + i, b + 40, b[30]);
    both[i] += (int)(range.second - range.first) * 10000;
  }
  show("far", far);
  show("found", found);
  show("back", back);
  show("sorted", sorted);
  show("both", both);
}
