// SPDX-License-Identifier: Apache-2.0
// Constants of the file with mutable members are mapped: these change.
#include <cstdio>

struct Cache {
  int fixed;
  mutable int last;
};

static const Cache cache{3, 4};
static const Cache pair[2] = {{1, 2}, {5, 6}};
static const Cache *const to_cache = &cache;

int main() {
  cache.last = 8;
  pair[1].last = 9;
  int seen[3] = {0};
#pragma omp target map(tofrom : seen)
  {
    seen[0] = cache.last * 10 + cache.fixed;
    seen[1] = pair[1].last * 10 + pair[0].last;
    cache.last = 11;
  }
#pragma omp target map(tofrom : seen) map(to : cache)
  seen[2] = to_cache->last;
  std::printf("%d %d %d %d\n", seen[0], seen[1], seen[2], cache.last);
  return 0;
}
