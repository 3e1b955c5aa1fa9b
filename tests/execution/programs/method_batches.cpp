// Methods that launch in loops: their object's members are bounds, what clauses say, arguments and devices.
#include <cstdio>
#include <utility>

enum { N = 1000 };

struct place {
  int did, host; // the number of a device, and that of the host
  place() : did(0), host(-1) {}
};

struct limits {
  long first, last;
  int strides[3];
};

static void add(double *to, const double *from, long n, int device, double by) {
#pragma omp target teams distribute parallel for map(tofrom : to[0 : n]) map(to : from[0 : n]) device(device)
  for (long i = 0; i < n; i++) to[i] += from[i] * by;
}

class kernel : place {
  double *m_a, *m_b, m_factor;
  long m_n, m_runs;
  limits m_limits;
  int m_launches[2];
  static int m_repeats;
  int &m_referred;

public:
  kernel(double *a, double *b, int &referred)
      : m_a(a), m_b(b), m_factor(0.5), m_n(N), m_runs(3), m_limits{1, N - 1, {1, 2, 3}}, m_launches{0, 0},
        m_referred(referred) {}
  void run();
  void exchange();
  void alternate();
  void follow();
  void tell(const char *what) const;
  double at(long i) const { return m_a[i]; }
};
int kernel::m_repeats = 2;

// Bounds, clauses and devices.
void kernel::run() {
  const long reps = m_runs;
  double *a = m_a, *b = m_b;
  const long n = m_n;
#pragma omp target data map(tofrom : a[0 : n], b[0 : n]) device(did)
  {
    for (long r = 0; r < reps; ++r) {
#pragma omp target device( did )
#pragma omp teams distribute parallel for thread_limit(256) schedule(static, 1)
      for (long i = 0; i < n; ++i) a[i] = b[i] + a[i] * 0.5;
      m_launches[0]++;
    }
    for (int step = 0; step < m_limits.strides[2]; step++) {
#pragma omp target teams distribute parallel for device(this->did) num_teams(m_runs + 1)
      for (long i = m_limits.first; i < m_limits.last; i += m_limits.strides[1]) a[i] += b[i - 1] * step;
      m_limits.first++;
      m_launches[step % 2] += 1;
    }
    for (int k = 0; k < this->m_repeats; k++) add(a, b, m_n, did, m_factor);
  }
}

// Pointers that change from launch to launch.
void kernel::exchange() {
  double *a = m_a, *b = m_b;
#pragma omp target data map(tofrom : a[0 : N], b[0 : N])
  for (int k = 0; k < m_runs; k++) {
    add(m_a, m_b, m_n, did, m_factor);
    std::swap(m_a, m_b);
    m_factor += 0.25;
  }
}

// Every other launch is for the host, which has what came home before.
void kernel::alternate() {
  double *a = m_a;
  const long n = m_n;
#pragma omp target data map(tofrom : a[0 : n]) device(did)
  for (int k = 0; k < m_runs; k++) {
#pragma omp target teams distribute parallel for device(did)
    for (long i = 0; i < n; i++) a[i] += k;
#pragma omp target update from(a[0 : n]) device(did)
#pragma omp target teams distribute parallel for device(host)
    for (long i = 0; i < n; i++) a[i] = a[i] * 0.5 + 1;
#pragma omp target update to(a[0 : n]) device(did)
  }
}

// What a member refers to is somebody else's.
void kernel::follow() {
  double *a = m_a, *b = m_b;
#pragma omp target data map(tofrom : a[0 : N]) map(to : b[0 : N])
  for (int k = 0; k < m_referred; k++) {
    add(a, b, m_n, did, 0.125);
    m_referred--;
  }
}

void kernel::tell(const char *what) const {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += m_a[i] * (i % 7) - m_b[i];
  printf("%s: %.10g, %d %d, %ld, %g\n", what, sum, m_launches[0], m_launches[1], m_limits.first, m_factor);
}

// The number of launches is a base's in one instantiation and static in another one.
struct fixed {
  static const int launches = 3;
};
struct given {
  int launches = 4;
};
template <class T> struct repeated : T {
  int *data;
  void run() {
    int *p = data;
#pragma omp target data map(tofrom : p[0 : N])
    for (int k = 0; k < this->launches; k++) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) p[i] = p[i] * 2 + k;
    }
  }
};

int main() {
  static double a[N], b[N];
  static int numbers[N];
  for (int i = 0; i < N; i++) a[i] = i % 10, b[i] = i % 3, numbers[i] = i;
  int referred = 5;
  kernel k(a, b, referred);
  k.run();
  k.tell("run");
  k.exchange();
  k.tell("exchange");
  k.alternate();
  k.tell("alternate");
  k.follow();
  k.tell("follow");
  repeated<fixed> first;
  repeated<given> second;
  first.data = second.data = numbers;
  first.run();
  second.run();
  printf("%d %d %d, %d %g\n", numbers[0], numbers[1], numbers[N - 1], referred, k.at(7));
  return 0;
}
