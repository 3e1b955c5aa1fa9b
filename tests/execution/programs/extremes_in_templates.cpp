/* std::min and std::max in templates: of numbers in reductions and loops, of objects that are compared by their own
   operator and stay where they are, of references that are kept, with a type given, in methods of class templates. */
#include <algorithm>
#include <cstdio>
#include <limits>

constexpr int N = 300;

struct Word {
  int value, place;
  bool operator<(const Word &o) const { return value % 10 < o.value % 10; }
};

template <class T> void extent(const T *a, T *out) {
  T least = a[0], most = a[0];
#pragma omp target teams distribute parallel for map(to : a[0 : N]) reduction(min : least) reduction(max : most)
  for (int i = 0; i < N; i++) {
    least = std::min(least, a[i]);
    most = std::max<T>(most, a[i]);
  }
  out[0] = least, out[1] = most;
}

template <class T> void rows(const T *a, T *out) {
#pragma omp target teams distribute map(to : a[0 : N]) map(from : out[0 : 3])
  for (int r = 0; r < 3; r++) {
    T most = a[r];
#pragma omp parallel for reduction(max : most)
    for (int i = r; i < N; i += 3) most = std::max(most, a[i]);
    out[r] = most;
  }
}

template <class T> struct Best {
  const T *a;
  T first() const {
    T best = a[0];
    for (int i = 1; i < N; i++) best = ::std::max(best, a[i]);
    return best;
  }
  T last() const {
    T best = a[0], other = a[1];
    for (int i = 1; i < N; i++) best = std::max(a[i], best);
    const T &kept = std::min(best, other);
    other = best;
    T sum = kept;
    sum = std::max(sum, other);
    return sum;
  }
};

template <class T> void best(const T *a, T *out) {
#pragma omp target map(to : a[0 : N]) map(from : out[0 : 2])
  {
    Best<T> b{a};
    out[0] = b.first(), out[1] = b.last();
  }
}

int main() {
  float f[N], ends[3];
  int n[N], own[3];
  unsigned char c[N], bytes[3];
  Word w[N], words[2];
  for (int i = 0; i < N; i++) {
    f[i] = (float)((i * 37) % 211) / 3 - 20, n[i] = (i * 91) % 307 - 150, c[i] = (unsigned char)(i * 53);
    w[i] = Word{(i * 17) % 101, i};
  }
  extent(f, ends), std::printf("%g %g\n", ends[0], ends[1]);
  extent(n, own), std::printf("%d %d\n", own[0], own[1]);
  extent(c, bytes), std::printf("%d %d\n", bytes[0], bytes[1]);
  rows(f, ends), std::printf("%g %g %g\n", ends[0], ends[1], ends[2]);
  rows(n, own), std::printf("%d %d %d\n", own[0], own[1], own[2]);
  best(f, ends), std::printf("%g %g\n", ends[0], ends[1]);
  best(w, words), std::printf("%d %d, %d %d\n", words[0].value, words[0].place, words[1].value, words[1].place);
  f[0] = std::numeric_limits<float>::quiet_NaN();
  best(f, ends), std::printf("%d %d\n", ends[0] != ends[0], ends[1] != ends[1]);
}
