// Constructors, destructors and other methods that no region calls count and list objects in variables of the host,
// which device code does not have.
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#define OF_ALL_FILES inline

class Listed;
static std::vector<const Listed *> all;
std::mutex guard;
inline std::map<std::string, int> uses;
static const std::vector<int> widths{3, 4, 5};
std::atomic<int> made{0};
OF_ALL_FILES int next = 1;
static inline int steps = 2;
thread_local int mine = 3;
namespace counts {
inline thread_local long of_thread = 4;
extern thread_local long of_others;
}
template <class T> inline T numbered = T(5);

class Listed {
  int n;

public:
  explicit Listed(int n, const char *name) : n(n) {
    std::lock_guard<std::mutex> locked(guard);
    all.push_back(this);
    uses[name]++;
    made++;
  }
  Listed(const Listed &other) : n(other.n) { made.fetch_add(1); }
  ~Listed() { all.pop_back(); }
  int get() const { return n; }
  int width(int i) const { return widths[i]; }
  virtual int many() const { return (int)uses.size() + n; }
  double sum() const {
    double total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) total += get() + n;
    return total;
  }
};

struct Numbered {
  int id = next++;
  long all_of_them = mine + steps + counts::of_thread + counts::of_others + numbered<int>;
  int n;
  explicit Numbered(int n) : n(n) {}
  Numbered();
  ~Numbered() { mine--; }
  double sum() const {
    double total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) total += id + n;
    return total;
  }
};

thread_local long counts::of_others = 6;
Numbered::Numbered() : n(next) { next += steps; }

template <class T> struct Kept {
  static inline std::vector<Kept *> kept;
  static std::mutex lock;
  static thread_local int changes;
  T value;
  explicit Kept(T v) : value(v) {
    std::lock_guard<std::mutex> locked(lock);
    kept.push_back(this);
    changes++;
  }
  ~Kept() { kept.pop_back(); }
  T get() const { return value; }
};
template <class T> std::mutex Kept<T>::lock;
template <class T> thread_local int Kept<T>::changes = 4;

int main() {
  Listed listed(10, "a");
  std::printf("%d %g %d %d\n", (int)all.size(), listed.sum(), listed.many(), listed.width(2));
  Numbered first(10), second;
  std::printf("%g %g %ld %d\n", first.sum(), second.sum(), second.all_of_them, next);
  Kept<long> kept(8);
  long got = 0;
#pragma omp target map(tofrom : got)
  got = kept.get() + listed.get();
  std::printf("%ld %d %d\n", got, Kept<long>::changes, (int)Kept<long>::kept.size());
  return 0;
}
