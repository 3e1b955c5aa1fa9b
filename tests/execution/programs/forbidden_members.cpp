// Constructors that nobody calls: deleted ones, and private ones without a definition, as they were written before C++11.
#include <cstdio>

template <class T> struct Value {
  Value() = delete;
  Value(const Value &) = default;
  explicit Value(T v) : t(v) {}
  T get() const { return t; }
  T t;
};
template <class R, class T> struct Reducer {
  Reducer() = delete;
  explicit Reducer(T v) : value(v), start(v) {}
  Reducer(const Reducer &other) : value(other.value), start(other.start) {}
  T get() const { return value.get() + start; }
  Value<T> value;
  T start;
};
template <class T> class Kept {
public:
  explicit Kept(T v) : t(v) {}
  T get() const { return t; }

private:
  Kept();
  Kept(const Kept &);
  Kept &operator=(const Kept &);
  T t;
};
class Plain {
public:
  explicit Plain(int v) : t(v) {}
  int get() const { return t; }

private:
  Plain();
  Plain(const Plain &);
  Plain &operator=(const Plain &);
  int t;
};
template <class T> struct Holder {
  explicit Holder(T v) : kept(v), plain(v + 1) {}
  Kept<T> kept;
  Plain plain;
};

template <class Body> static void forall(int n, Body body, int *out) {
#pragma omp target teams distribute parallel for map(from : out[ : n]) firstprivate(body)
  for (int i = 0; i < n; i++) {
    Body copy = body;
    copy(i, out);
  }
}

int main() {
  Reducer<Plain, int> reducer(3);
  int out[10], sum = 0, held = 0;
  forall(10, [=](int i, int *o) { o[i] = i * reducer.get(); }, out);
  for (int x : out) sum += x;
#pragma omp target map(from : held)
  {
    Kept<int> kept(3);
    Plain plain(4);
    Holder<int> holder(5);
    held = kept.get() + 10 * plain.get() + 100 * holder.kept.get() + 1000 * holder.plain.get();
  }
  printf("%d %d\n", sum, held);
}
