// Objects that functions only read, arrays of bytes in structures, rows of a team's array by their addresses, results of
// operators of the program's in teams, elements behind those that have bins.
#include <cstdio>
#include <vector>
struct Grid { int width, height; float step; };
struct Named { int width; char name[20]; };
struct Block { float scale; signed char q[32]; };
struct Best { float value; int at; };
#pragma omp declare target
static int place(const Grid &g, int x, int y) { return y * g.width + x; }
static float scaled(const Grid &g, int x, int y) { return place(g, x, y) * g.step; }
static float area(Grid g) { g.width *= g.height; return g.width * g.step; }
static int letter(const Named &n, int i) { return n.name[i % 20] * n.width; }
static void lesser(Best &a, const Best &b) {
  if (b.value < a.value || (b.value == a.value && b.at < a.at)) a = b;
}
#pragma omp end declare target
#pragma omp declare reduction(least : Best : lesser(omp_out, omp_in)) initializer(omp_priv = Best{1e30f, 1 << 30})
static double objects(Grid g, const Named n) {
  std::vector<float> out(g.width * g.height);
  float *o = out.data();
  const int size = g.width * g.height;
#pragma omp target teams distribute parallel for collapse(2) map(from : o[0:size])
  for (int y = 0; y < g.height; y++)
    for (int x = 0; x < g.width; x++) o[place(g, x, y)] = scaled(g, x, y) + area(g) + letter(n, x);
  double sum = 0;
  for (int i = 0; i < size; i++) sum += o[i] * (i % 5);
  return sum;
}
static double words(int rows, int blocks) {
  std::vector<Block> a(rows * blocks), x(blocks);
  for (int i = 0; i < rows * blocks; i++) {
    a[i].scale = 1 + i % 3;
    for (int k = 0; k < 32; k++) a[i].q[k] = (signed char)(i * 7 + k * 31);
  }
  for (int i = 0; i < blocks; i++) x[i] = a[i * 3 % (rows * blocks)];
  std::vector<float> y(rows);
  const Block *pa = a.data(), *px = x.data();
  float *py = y.data();
#pragma omp target teams distribute map(to : pa[0:rows * blocks], px[0:blocks]) map(from : py[0:rows])
  for (int r = 0; r < rows; r++) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int b = 0; b < blocks; b++) {
      int d = 0;
      for (int k = 0; k < 32; k++) d += pa[r * blocks + b].q[k] * px[b].q[k];
      s += d / 64 * pa[r * blocks + b].scale;
    }
    py[r] = s;
  }
  double sum = 0;
  for (int i = 0; i < rows; i++) sum += y[i] * (i % 7);
  return sum;
}
static int triangle(int n) {
  int result = 0;
#pragma omp target map(from : result)
  {
    int row[3][65];
    for (int k = 0; k < n; k++) {
      int *now = row[k % 3], *before = row[(k + 2) % 3];
#pragma omp parallel for
      for (int i = 0; i <= k; i++) now[i] = i == 0 || i == k ? 1 : (before[i] + before[i - 1]) % 1009;
    }
    int *last = row[(n - 1) % 3];
    result = last[n / 2] + 1000 * last[n / 3];
  }
  return result;
}
static double nearest(int rows, int columns) {
  std::vector<float> a(rows * columns);
  for (int i = 0; i < rows * columns; i++) a[i] = (float)(i * 7919 % 1013);
  std::vector<Best> best(rows);
  const float *pa = a.data();
  Best *pb = best.data();
#pragma omp target teams distribute map(to : pa[0:rows * columns]) map(from : pb[0:rows])
  for (int r = 0; r < rows; r++) {
    Best b{1e30f, 1 << 30};
#pragma omp parallel for reduction(least : b)
    for (int c = 0; c < columns; c++)
      if (pa[r * columns + c] < b.value) b = Best{pa[r * columns + c], c};
    pb[r] = b;
  }
  double sum = 0;
  for (int r = 0; r < rows; r++) sum += best[r].value * 3 + best[r].at * (r % 4);
  return sum;
}
static long counts(int n) {
  std::vector<unsigned> bins(5000, 1);
  unsigned *b = bins.data();
#pragma omp target teams distribute parallel for map(tofrom : b[0:5000])
  for (int i = 0; i < n; i++) {
    int k = (int)(i * 2654435761u >> 8) % 5000;
#pragma omp atomic update
    b[k] += __builtin_popcount(k);
  }
  long sum = 0;
  for (int i = 0; i < 5000; i++) sum += (long)bins[i] * (i % 11);
  return sum;
}
template <class T> struct Frame {
  T width, height;
  bool inside(T x) const { return x < width * height; }
};
struct Steps { char first, second, third; };
template <> struct Frame<short> { // has an element that is found at run time
  short width, height;
  short size[3];
  bool inside(short x) const { return x < size[x & 1] * size[2]; }
};
template <> struct Frame<char> { // another is mapped as it is
  char width, height;
  long more[20];
  bool inside(char x) const { return x < width * height; }
};
template <class T> static long framed(Frame<T> f, Steps s, int n) {
  std::vector<T> v(n);
  T *p = v.data();
#pragma omp target enter data map(to : p[0:n])
  for (int round = 0; round < 3; round++) {
    f.width++, s.third++; // after a launch that still reads the values before
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      if (f.inside((T)i)) p[i] += (T)(f.width * s.first + f.height * s.second + s.third + i % 3);
  }
#pragma omp target teams distribute
  for (int i = 0; i < 1; i++) p[n - 1] = (T)(f.width + s.second);
#pragma omp target exit data map(from : p[0:n])
  long sum = 0;
  for (int i = 0; i < n; i++) sum += (long)v[i] * (i % 7);
  return sum;
}
template <class T> static long changed(Frame<T> f) { // comes back
#pragma omp target
  { f.width += f.height; }
  return (long)f.width * 100 + f.height;
}
int main() {
  printf("%ld %ld\n", framed<int>({7, 11}, {1, 2, 3}, 90), framed<double>({3, 5}, {4, 1, 0}, 50));
  printf("%ld %ld\n", framed<short>({3, 5, {6, 7, 9}}, {1, 2, 3}, 90), framed<char>({3, 5, {}}, {1, 1, 1}, 50));
  printf("%ld %ld\n", changed<int>({7, 11}), changed<char>({3, 5, {}}));
  printf("%g\n", objects({37, 21, .5f}, {3, "a name of a field"}));
  printf("%g\n", words(50, 70));
  printf("%d\n", triangle(60));
  printf("%g\n", nearest(40, 300));
  printf("%ld\n", counts(300000));
  return 0;
}
