// Neighbouring elements in loops of few iterations: types of all sizes, sections and rows that are not aligned, elements
// that are changed, read before and behind the loop, and the same array in several loops.
#include <cstdio>

enum { MOST = 4096 };
template <class T> static T from[MOST + 64];
template <class T> static T to[MOST + 64];
template <class T> static void tell(const char *what) {
  double sum = 0;
  for (int i = 0; i < MOST + 64; i++) sum += (double)to<T>[i] * (i % 257 + 1), to<T>[i] = T(i % 5);
  std::printf("%s %zu: %.0f\n", what, sizeof(T), sum);
}

template <class T, int V> static void visited(const T *__restrict g, T *__restrict o, int n, int shift) {
#pragma omp target teams distribute parallel for map(to : g[0:n]) map(tofrom : o[0:n])
  for (int i = 0; i < n / V; i++)
    for (int v = 0; v < V; v++) o[i * V + v] = T(g[i * V + v] * 2 > 40 ? 3 : g[i * V + v]);
  tell<T>("whole");
#pragma omp target teams distribute parallel for map(to : g[shift:n]) map(tofrom : o[shift:n])
  for (int i = 0; i < n / V; i++) {
    T most = 0;
    const T *row = g + shift + i * V;
    for (int v = 0; v != V; ++v) most = row[v] > most ? row[v] : most;
    for (int v = 0; v < V; v++) o[v + (shift + i * V)] += most, o[v + (shift + i * V)] -= T(v);
    o[shift + i * V] = T(o[shift + i * V] + 1);
  }
  tell<T>("shifted");
#pragma omp target map(to : g[0:n]) map(tofrom : o[0:n])
#pragma omp teams distribute parallel for
  for (int i = 0; i < n / V - 1; i++)
    for (int k = 0; k < 3; k++) {
      if (i % 3 == k)
        for (long v = 0; v < V; v++) {
          T both = g[(i + 1) * V + v];
          if (both > 9) both = g[(i + 1) * V + v] - T(k);
          o[(long)i * V + v] = both;
        }
      else
        for (int v = 0; v < V; v++)
          if (g[i * V + v] > 7) o[i * V + v] = 1;
    }
  tell<T>("under conditions");
}

template <class T> static void all(const char *name) {
  std::printf("%s\n", name);
  for (int i = 0; i < MOST + 64; i++) from<T>[i] = T(i * 37 % 101 % 60), to<T>[i] = T(i % 5);
  visited<T, 2>(from<T>, to<T>, MOST, 1);
  visited<T, 4>(from<T>, to<T>, MOST, 3);
  visited<T, 8>(from<T> + 1, to<T> + 2, MOST, 8);
  visited<T, 16>(from<T>, to<T>, MOST, 5);
}

static double table[128][4];
int main() {
  all<signed char>("bytes");
  all<unsigned short>("shorts");
  all<float>("floats");
  all<double>("doubles");
  all<long>("longs");
#pragma omp target teams distribute parallel for map(tofrom : table)
  for (int i = 0; i < 128; i++) {
    for (int d = 0; d < 4; d++) table[i][d] = i + d;
    for (int d = 0; d < 4; d++) table[i][d] *= table[i][d];
  }
  double sum = 0;
  for (int i = 0; i < 128; i++)
    for (int d = 0; d < 4; d++) sum += table[i][d] * (d + 1);
  std::printf("%.0f\n", sum);
}
