// Templates of constructors that no region calls stay on the host, with their initialisers: what they call need not
// exist on the device.
#include <cstdio>
#include <memory>
#include <new>
#include <string>

struct Pool {
  static Pool &instance();
  void *allocate(unsigned long n);
};

struct Base {
  int k;
  template <class E> Base(E e) : k(int(e)) {}
  Base() : k(1) {}
};

template <class T> class View : public Base {
 public:
  template <class... E>
  explicit View(std::string label, E... n) : Base(3), label_(new std::string(label)), size_(product(n...)) {
    data_ = static_cast<T *>(Pool::instance().allocate(sizeof(T) * size_));
  }
  template <class F, class = decltype(F::x)> View(const F &f) try : data_(nullptr) {
    if (f.x) throw 1;
  } catch (int) {
    throw;
  }
  template <int N> View(const int (&)[N]) {
    static std::string last;
    last = "x";
    size_ = N;
    if (N > 3) throw 3;
  }
  template <class Q> View(Q *q, long n) : data_(reinterpret_cast<T *>(q)), size_(n) {}
  static long product(long a, long b) { return a * b; }
  struct Ref {
    T *p;
    T &operator()(long i) const { return p[i]; }
  };
  struct Twice {
    Ref r;
    template <class A> explicit Twice(A a) : r{a.p} {}
    T operator()(long i) const { return 2 * r(i); }
  };
  T *data() const { return data_; }

 private:
  std::shared_ptr<std::string> label_;
  T *data_ = nullptr;
  long size_ = 0;
};

Pool &Pool::instance() {
  static Pool p;
  return p;
}
void *Pool::allocate(unsigned long n) { return ::operator new(n); }

int main() {
  View<double> v("v", 10, 10);
  double *p = v.data();
#pragma omp target teams distribute parallel for map(from : p[0 : 100])
  for (int i = 0; i < 100; ++i) {
    View<double>::Ref r{p};
    r(i) = i;
    View<double>::Twice t(r);
    r(i) = t(i);
  }
  double s = 0;
  for (int i = 0; i < 100; ++i) s += p[i];
  std::printf("%g\n", s);
}
