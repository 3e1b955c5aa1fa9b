// Neighbouring elements in loops of few iterations: types of all sizes, sections and rows that are not aligned, elements
// that are changed, read before and behind the loop, and the same array in several loops.
#include <cstdio>

enum { MOST = 4096 };
template <class T> static T from[MOST + 64];
template <class T> static T to[MOST + 64];
template <class T> static T centres[64];
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

// The nearest of some points: loads in front of the loop over them, of rows that begin anywhere.
enum { POINTS = 12 };
template <class T> static void nearest(const T *points, const T *near, int *which, int n, int none) {
#pragma omp target teams distribute parallel for map(to : points[0:n * 4], near[0:POINTS * 4]) map(from : which[0:n])
  for (int i = 0; i < n; i++) {
    T best = T(1) * 100000;
    int found = -1;
    for (int k = 0; k < POINTS; k++) {
      T s = 0;
      for (int d = 0; d < 4; d++) {
        T t = points[i * 4 + d] - near[k * 4 + d];
        s += t * t;
      }
      if (s < best) best = s, found = k;
    }
    for (int k = none; k < 0; k++)
      for (int d = 0; d < 4; d++) found += (int)points[(i + (1 << 28)) * 4 + d]; // no iteration, and nothing there
    which[i] = found;
  }
  long sum = 0;
  for (int i = 0; i < n; i++) sum += which[i] * (i % 31 + 1);
  std::printf("nearest %zu: %ld\n", sizeof(T), sum);
}

// Elements that change in a loop between them and their loads' place further out.
static void changed(float *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0:n * 4])
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < 3; k++) {
      for (int d = 0; d < 4; d++) sum += a[i * 4 + d];
      a[i * 4 + k] = sum;
    }
  }
  double sum = 0;
  for (int i = 0; i < n * 4; i++) sum += a[i] * (i % 7);
  std::printf("changed: %.0f\n", sum);
}

// Windows that neighbouring iterations begin one, two or six elements further, of arrays that begin anywhere.
template <class T> static void windows(const T *g, T *o, int n) {
#pragma omp target teams distribute parallel for map(to : g[0:n]) map(tofrom : o[0:n])
  for (int i = 0; i < n / 6 - 2; i++) {
    T sum = 0;
    for (int v = 0; v < 8; v++) sum += g[i + v] * T(v);
    for (int v = 0; v < 8; v++) sum += g[2 * i + v] * T(v + 1);
    for (int v = 0; v < 4; v++) o[6 * i + v] += g[i * 6 + v + 2] + sum;
    const T *row = g + i * 2;
    for (int v = 0; v < 4; v++) o[i * 6 + 4] += row[v] - T(v);
  }
  tell<T>("windows");
}

static double table[128][4];
int main() {
  for (int i = 0; i < MOST + 64; i++) from<float>[i] = i * 37 % 101, from<double>[i] = i * 37 % 103, from<int>[i] = i % 9;
  for (int i = 0; i < 64; i++) centres<float>[i] = i * 53 % 101, centres<double>[i] = i * 41 % 103, centres<int>[i] = i % 7;
  static int which[MOST];
  nearest(from<float>, centres<float>, which, 500, 0);
  nearest(from<float> + 1, centres<float> + 3, which, 500, 0);
  nearest(from<double>, centres<double> + 1, which, 500, 0);
  nearest(from<double> + 1, centres<double>, which, 500, 0);
  nearest(from<int> + 3, centres<int>, which, 500, 0);
  changed(from<float>, 300);
  windows(from<float>, to<float>, MOST);
  windows(from<float> + 1, to<float> + 2, MOST);
  windows(from<int> + 2, to<int> + 3, MOST);
  windows(from<double> + 1, to<double>, MOST);
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
