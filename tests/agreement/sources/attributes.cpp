// Constructs of all sorts in C++, for their attributes only: nothing here is executed.
struct Base {
  int inherited;
};

struct Shape : Base {
  int x, list[4];
  double *p;
  static int count;
  static constexpr int size = 3;

  int get() const { return x; }

  void regions(int &scalar, int *&pointer, double (&array)[4], Shape &object, const int &constant, const Shape &fixed) {
    int i = 0, n = size;
    constexpr int five = 5;
    auto &alias = scalar;
    auto *const same = this;
#pragma omp target
    scalar = x + p[0] + list[1] + inherited + get() + this->x + count + size + five;
#pragma omp target map(tofrom : scalar, array) map(to : pointer[0 : n]) map(from : object)
    scalar = alias + array[0] + object.x + constant + fixed.x + same->x;
#pragma omp target
    scalar = pointer[0] + array[1] + object.x + constant + fixed.x + alias;
#pragma omp target map(to : x, p[0 : n]) map(tofrom : this->list)
    list[0] = x + p[0];
#pragma omp target map(this[:1])
    x++;
#pragma omp target teams distribute parallel for reduction(+ : scalar) map(to : p[0 : n]) firstprivate(constant)
    for (i = 0; i < n; i++) scalar += p[i] + constant;
#pragma omp target defaultmap(tofrom : scalar) defaultmap(firstprivate : aggregate)
    scalar = array[0] + object.x;
#pragma omp parallel for private(scalar) firstprivate(array)
    for (int k = 0; k < n; k++) scalar = array[k % 4] + x;
#pragma omp task
    scalar = object.x + pointer[0] + x;
#pragma omp parallel
    {
      int inside = 0;
#pragma omp task
      inside = scalar + n + object.x;
    }
  }

  template <typename T, int N> T sum(T (&values)[N], T start) {
    T result = start;
#pragma omp target parallel for reduction(+ : result) map(to : values)
    for (int i = 0; i < N; i++) result += values[i] + T(x);
#pragma omp target map(from : result)
    result = start + values[0];
#pragma omp parallel firstprivate(start)
    values[0] = start;
    return result;
  }
};

namespace lib {
int level;
double table[5];
const int depth = 7;
} // namespace lib

enum class Colour { red, green };

template <typename T> struct Holder {
  T value;
  T *where;
  void fill(int n) {
#pragma omp target map(from : where[0 : n])
    for (int i = 0; i < n; i++) where[i] = value;
  }
};

int use(int n, Shape *shapes) {
  Shape local, &name = local;
  Colour colour = Colour::green;
  int total = 0;
  const int even = 2 * n;
  unsigned long long big = 3;
  bool (*chosen)(int) = nullptr;
#pragma omp target map(tofrom : total)
  total += lib::level + (int)lib::table[2] + lib::depth + (colour == Colour::red) + local.x + name.x + even + (int)big;
#pragma omp target map(to : lib::table) map(tofrom : lib::level, shapes[0 : n])
  lib::level += (int)lib::table[1] + shapes[0].x;
#pragma omp target map(to : local.x, local.list[0 : 2]) map(tofrom : total)
  total += local.x + local.list[1];
  auto twice = [](int v) { return 2 * v; };
#pragma omp target map(tofrom : total)
  {
    auto inner = [&](int v) { total += v + n; };
    inner(3);
  }
#pragma omp parallel for reduction(+ : total) shared(lib::table)
  for (int i = 0; i < n; i++) total += (int)lib::table[i] + twice(i);
#pragma omp parallel
#pragma omp single
  for (auto &shape : local.list) {
#pragma omp task firstprivate(shape)
    total += shape;
  }
  int numbers[4] = {1, 2, 3, 4};
  double values[2] = {1, 2};
  Holder<int> holder{1, numbers};
  holder.fill(n);
  int *pointer = numbers;
  double array[4] = {};
  local.regions(total, pointer, array, local, 3, local);
  return local.sum(numbers, 1) + (int)local.sum(values, 1.5) + (chosen != nullptr) + total;
}
