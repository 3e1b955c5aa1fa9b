// Functions of the host where nothing executes them: operands of sizeof, discarded branches, default arguments.
#include <cstdio>
#include <cstdlib>

static int with_default(int x, int y = rand()) { return x + y; }
static long of_the_host(int x) { return x + rand(); }
constexpr int checked(int x) { return x < 0 ? rand() : x; }

template <bool Host>
int either() {
  if constexpr (Host)
    return rand();
  else
    return 2;
}

template <int N>
struct Array {
  int values[N];
};

struct Made {
  int value;
  Made(int x = rand()) : value(x) {}
  Made(char) : value(rand()) {}
};

int main() {
  int p[16] = {};
#pragma omp target map(tofrom : p)
  {
    p[0] = static_cast<int>(sizeof(rand()) + sizeof(puts("x"))) + (noexcept(rand()) ? 1 : 2) * 0;
    auto unused = [](int x) { return x ? 1 : rand(); };
    p[1] = sizeof(unused) == 1;
    p[2] = with_default(1, 2);
    p[3] = either<false>();
    if constexpr (false) p[3] = rand();
    if constexpr (constexpr int k = 3; k > 4)
      p[4] = rand();
    else
      p[4] = k;
    p[5] = false ? rand() : 3;
    p[6] = true || rand();
    Made made(3);
    p[7] = made.value;
    static_assert(checked(1) == 1, "");
    Array<checked(2)> array{};
    array.values[1] = 5;
    p[8] = array.values[1];
    p[9] = sizeof(of_the_host(2));
    decltype(of_the_host(2)) other = 4;
    p[10] = static_cast<int>(other);
  }
  for (int value : p) std::printf("%d ", value);
  std::printf("\n");
  return 0;
}
