// Device functions that call themselves, more deeply than a GPU's first stack has room for.
#include <cstdio>
struct Node {
  int left, right, key;
};
#pragma omp declare target
static long sum(const Node *pool, int at, int depth) {
  if (at < 0) return 0;
  long mine = pool[at].key * (depth + 1l);
  return mine + sum(pool, pool[at].left, depth + 1) - sum(pool, pool[at].right, depth + 1) % 7;
}
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static void sort(int *p, int low, int high) {
  if (low >= high) return;
  int pivot = p[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (p[i] < pivot) i++;
    while (p[j] > pivot) j--;
    if (i <= j) {
      int t = p[i];
      p[i++] = p[j], p[j--] = t;
    }
  }
  sort(p, low, j), sort(p, i, high);
}
#pragma omp end declare target
int main() {
  constexpr int n = 60, rows = 40, m = 90;
  Node pool[n];
  for (int i = 0; i < n; i++) pool[i] = {i + 1 < n ? i + 1 : -1, i + 7 < n && i % 5 == 0 ? i + 7 : -1, i * 3 + 1};
  long total = 0;
  int evens = 0, data[rows * m];
  for (int i = 0; i < rows * m; i++) data[i] = i * 7919 % 1009;
#pragma omp target map(to : pool) map(from : total)
  total = sum(pool, 0, 0);
#pragma omp target teams distribute parallel for reduction(+ : evens)
  for (int i = 0; i < 50; i++) evens += even(i);
#pragma omp target teams distribute parallel for map(tofrom : data)
  for (int r = 0; r < rows; r++) sort(data + r * m, 0, m - 1);
  long check = 0;
  for (int i = 0; i < rows * m; i++) check += data[i] * (i % m);
  printf("%ld %d %ld\n", total, evens, check);
}
