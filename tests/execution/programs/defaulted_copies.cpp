/* Copies that go member by member call no constructor that takes nothing: what the host's does stays on the host. A part
 * whose copy the program writes begins the members that it does not name. */
#include <cstdio>
#include <mutex>

struct Stream {
  static int next() {
    static std::mutex lock;
    static int last = 0;
    lock.lock();
    last = (last + 1) % 16;
    lock.unlock();
    return last;
  }
  int number;
  Stream(int n = -1) : number(n < 0 ? next() : n) {}
};
struct Data {
  int first, last;
  Stream stream;
  Data(int a, int b, Stream s) : first(a), last(b), stream(s) {}
  Data(Data const &) = default;
};
struct Wrapper {
  Data data;
  explicit Wrapper(Data const &d) : data(d) {}
  Wrapper(Wrapper const &) = default;
  int operator()(int i) const { return data.first + i * data.stream.number; }
};

struct Five {
  int value;
  Five() : value(5) {}
};
struct Fresh {
  Five five;
  int kept;
  explicit Fresh(int k) : kept(k) { five.value = 1; }
  Fresh(Fresh const &other) : kept(other.kept) {}
};
struct Outer {
  Fresh fresh;
  explicit Outer(int k) : fresh(k) {}
  Outer(Outer const &) = default;
};

int main() {
  Wrapper body{Data(3, 4, Stream(2))};
  Outer outer(7);
  int a[10], b[10];
#pragma omp target teams distribute parallel for map(from : a, b) firstprivate(body) map(to : outer)
  for (int i = 0; i < 10; i++) {
    Wrapper own(body);
    Outer fresh(outer);
    a[i] = own(i);
    b[i] = fresh.fresh.five.value * fresh.fresh.kept + i;
  }
  for (int i = 0; i < 10; i++) std::printf("%d %d\n", a[i], b[i]);
}
