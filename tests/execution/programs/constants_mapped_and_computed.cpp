// Constants that clauses map and that functions read from which other constants are computed: `constexpr int at = find(5);`.
#include <array>
#include <cstdio>

inline constexpr std::array<int, 3> entries{4, 5, 6};
static constexpr int plain[3] = {7, 8, 9};
namespace computed {
constexpr int find(int n) {
  for (std::size_t i = 0; i < entries.size(); i++)
    if (entries[i] == n) return int(i);
  return -1;
}
template <class T> constexpr T in_plain(T n) { return plain[n]; }
inline constexpr int at = find(5), last = in_plain(2);
} // namespace computed

int main() {
  int s = 0, mine[3] = {};
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : entries, plain)
  for (int i = 0; i < 30; i++) s += entries[i % 3] + computed::at + computed::last * plain[i % 3];
#pragma omp target map(to : entries) map(from : mine)
  for (int i = 0; i < 3; i++) mine[i] = entries[i] * computed::at;
  std::printf("%d %d\n", s, mine[2]);
  return 0;
}
