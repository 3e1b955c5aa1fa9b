// Functions of the host whose body is a try block, in classes that regions name: constructors, methods, templates, friends;
// and regions in them.
#include <cstdio>
#include <stdexcept>
#include <vector>
class Buffer {
  int n_;
  std::vector<double> d_;
  enum class state { ok, bad };

public:
  explicit Buffer(int n) try : n_(n), d_(n) {
    double *d = d_.data();
#pragma omp target teams distribute parallel for map(tofrom : d[ : n])
    for (int i = 0; i < n; i++) d[i] = i;
    if (n > 100) throw std::runtime_error("too many");
  } catch (...) {
    std::puts("caught");
    throw;
  }
  int run(int n) try {
    int s = 0;
    state k = state::ok;
#pragma omp target map(tofrom : s)
    s += n + (k == state::bad);
    if (s < 20) throw s;
    return s;
  } catch (int x) {
    return -x;
  }
  template <class... T> double sum(T... more) const try {
    const double *d = d_.data();
    double s = (0.0 + ... + more);
    const int n = n_;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : d[ : n])
    for (int i = 0; i < n; i++) s += state::bad == state::ok ? 0 : d[i];
    if (s < 0) throw std::runtime_error("less");
    return s;
  } catch (const std::runtime_error &e) {
    return -1;
  }
  friend void change(Buffer &b) try {
    b.n_--;
    throw b.n_;
  } catch (int x) {
    b.d_[0] = x;
  }
};
int main() try {
  Buffer b(10);
  std::printf("%d %d\n", b.run(10), b.run(30));
  std::printf("%g %g\n", b.sum(), b.sum(1, 2.5));
  change(b);
  std::printf("%g %g\n", b.sum(), b.sum(-100));
  Buffer c(101);
  return 1;
} catch (const std::exception &e) {
  std::puts(e.what());
}
