// Regions of templates whose arguments are templates: of the user's, aliases, members of classes; declared behind them.
#include <cstdio>
#include <vector>

namespace n {
struct Tag {
  int k;
};
enum class Kind { a, b };

template <class T, Kind kind, template <class> class Store, template <class...> class Own> struct Cells {
  static constexpr int stride = 3;
  Store<T> cells;
  Own<int> owned;
  explicit Cells(int size) : cells(size) {}
  void add(int *p, int size) {
#pragma omp target teams distribute parallel for map(p[0 : size])
    for (int i = 0; i < size; i++) p[i] += stride;
  }
  template <class U> void widen(U *p, int size) {
#pragma omp target teams distribute parallel for map(p[0 : size])
    for (int i = 0; i < size; i++) p[i] += U(width(i));
  }
  static int width(int i) { return i + stride; }
};

template <class Inner> struct Around {
  static constexpr int more = Inner::stride + 1;
  int add(int *p, int size) {
#pragma omp target teams distribute parallel for map(p[0 : size])
    for (int i = 0; i < size; i++) p[i] += more;
    return p[0];
  }
};

template <template <class> class Store, class T> int sum(const Store<T> &store, int size) {
  int found = 0;
  const T *p = store.data();
#pragma omp target map(tofrom : found) map(to : p[0 : size])
  {
    Store<T> *none = nullptr;
    for (int i = 0; i < size; i++) found += p[i] + (none != nullptr);
  }
  return found;
}

template <class T> using Vector = std::vector<T>;
template <class T> struct Buffer {
  T *begin;
  explicit Buffer(int size) : begin(new T[size]()) {}
  ~Buffer() { delete[] begin; }
  const T *data() const { return begin; }
};
struct Families {
  template <class T> struct Pair {
    T first, second;
    explicit Pair(int size) : first(size), second(size) {}
    const T *data() const { return &first; }
  };
};
}  // namespace n

int main() {
  int a[4] = {};
  double d[4] = {};
  n::Cells<int, n::Kind::b, n::Buffer, std::vector> buffers(4);
  n::Cells<long, n::Kind::a, n::Vector, std::vector> vectors(4);
  n::Cells<int, n::Kind::a, n::Families::Pair, n::Vector> pairs(4);
  buffers.add(a, 4), vectors.add(a, 4), pairs.add(a, 4);
  buffers.widen(d, 4), vectors.widen(a, 4), pairs.widen(d, 4);
  printf("%d %d %g\n", a[0], a[3], d[3]);
  n::Around<n::Cells<n::Tag *, n::Kind::b, n::Vector, std::vector>> around;
  printf("%d\n", around.add(a, 4));
  printf("%d %d\n", n::sum(buffers.cells, 4), n::sum(pairs.cells, 2));
  return 0;
}
