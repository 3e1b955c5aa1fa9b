// Small objects of classes that are mapped `to`: their values travel, unless the device has values of its own.
#include <omp.h>

#include <cstdio>

class Numbers {
public:
  explicit Numbers(long first) : first(first) {}
  long operator[](long i) const { return first + i; }
  void move(long by) { first += by; }

private:
  long first;
};

template <class Start> void each(Start start, long n, long *out) {
  auto from = start;
#pragma omp target teams distribute parallel for map(to : from) map(from : out[0 : n])
  for (long i = 0; i < n; i++) out[i] = 2 * from[i];
}

static bool on_device() {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  return !host;
}

// The first number that a loop finds, and the host's own.
static void read(long n, long *out, bool there) {
  Numbers numbers(10);
#pragma omp target enter data map(to : numbers) if (there)
#pragma omp target map(to : numbers) if (there)
  numbers.move(there ? 100 : 0);
  if (there && on_device()) numbers.move(5); // the host's own
#pragma omp target teams distribute parallel for map(to : numbers) map(from : out[0 : n])
  for (long i = 0; i < n; i++) out[i] = numbers[i];
#pragma omp target exit data map(release : numbers) if (there)
  printf("%s %ld\n", numbers[0] == (there ? on_device() ? 15 : 110 : 10) ? "as expected" : "wrong", out[0] + out[n - 1]);
}

int main() {
  long out[100];
  read(100, out, false);
  read(100, out, true);
  each(Numbers(7), 100, out);
  printf("%ld %ld\n", out[0], out[99]);
  return 0;
}
