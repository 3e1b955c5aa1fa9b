// What lambdas refer to has parts that regions use, and others that threads change on the host meanwhile.
#include <cstdio>
#include <mutex>
template <class F> void each(int n, F f, bool there = true) {
#pragma omp target teams distribute parallel for if (there)
  for (int i = 0; i < n; i++) f(i);
}
class Engine {
  double gain = 2;
  long done = 0;
  std::mutex mutex;

 public:
  void run() {
    int same = 0;
    each(10, [this, &same](int i) {
      if (i == 3) same = gain == 2;
    });
    std::lock_guard<std::mutex> lock(mutex);
    done += same;
  }
  long runs() const { return done; }
};

int main() {
  Engine engine;
#pragma omp parallel for num_threads(8)
  for (int i = 0; i < 800; i++) engine.run();
  printf("%ld\n", engine.runs());

  int counts[8] = {}, total = 0;
#pragma omp parallel for num_threads(8) schedule(static, 1)
  for (int t = 0; t < 8; t++)
    for (int r = 0; r < 150; r++) {
      each(4, [&](int i) {
        if (i == t % 4) counts[t]++;
#pragma omp atomic
        total++;
      });
      counts[t]++;
      each(1, [&](int) { counts[t]++; }, r % 10 == 0);
    }
  for (int count : counts) printf("%d ", count);
  printf("%d\n", total);
}
