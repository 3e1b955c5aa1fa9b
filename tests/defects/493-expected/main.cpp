// std::expected around a region; libstdc++ has it where __cpp_concepts says that special members may be constrained.
#include <cstdio>
#include <expected>
#if __cpp_concepts < 202002L
#error "clang 19 says 202002"
#endif
enum class Error { empty };
static std::expected<int, Error> sum(const int *p, int n) {
  if (n == 0) return std::unexpected(Error::empty);
  int s = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}
int main() {
  const int p[3] = {1, 2, 3};
  printf("%d %d\n", *sum(p, 3), (int)sum(p, 0).error());
}
