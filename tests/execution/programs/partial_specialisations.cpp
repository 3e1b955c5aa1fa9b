// Regions in members of partial specialisations: keys have the arguments of what is specialised.
#include <cstdio>
#include <type_traits>
template <class T, class How> struct Task;
template <class T> struct Task<T, int> {
  T *p;
  void run(int n) {
    T *q = p;
#pragma omp target teams distribute parallel for map(from : q[0:n])
    for (int i = 0; i < n; i++) q[i] = T(i) / 2;
  }
};
template <class T> struct Task<T *, char> {
  T *p;
  void run(int n);
};
template <class T> void Task<T *, char>::run(int n) {
    T *q = p;
#pragma omp target teams distribute parallel for map(from : q[0:n])
    for (int i = 0; i < n; i++) { T k = i; q[i] = k + 7; }
}
namespace in {
template <int N, class B> struct Fixed;
template <int N> struct Fixed<N, float> { static float sum() { float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += i;
  return s; } };
template <class B> struct Fixed<3, B> { static B sum() { B s = 0;
#pragma omp target map(s)
  s = 3;
  return s; } };
}
namespace plan {
using index = long;
template <index... Is> struct indices {};
template <class Policy, class Indices, class... Inside> struct nest;
template <int Factor> struct body {};
struct two_loops {};
} // namespace plan
namespace run_by {
using plan::index;
using plan::indices;
template <class Statement, class Types> struct executor;
template <class... Statements> struct executor_of_all {
  template <class Data> static int exec(Data &data) { return (executor<Statements, void>::exec(data) + ... + 0); }
};
template <int Factor, class Types> struct executor<plan::body<Factor>, Types> {
  template <class Data> static int exec(Data &data) { return Factor * data.function(data.at[0], data.at[1]); }
};
template <class T> struct copied {
  T data;
  T &get() { return data; }
};
template <class Types, class Data> using element = typename std::remove_reference<Data>::type::value;
// Parts of other arguments, a pack among them, in a template that is a member.
template <index A, index B, class... Inside, class Types>
struct executor<plan::nest<plan::two_loops, indices<A, B>, Inside...>, Types> {
  template <class Data> static void exec(Data &&data) {
    auto rows = data.extent[A];
    auto columns = data.extent[B];
    using Value = element<Types, Data>;
    copied<typename std::decay<Data>::type> own {data};
    Value *values = data.values;
#pragma omp target teams distribute parallel for collapse(2) firstprivate(own)
    for (auto i = (decltype(rows))0; i < rows; ++i)
      for (auto j = (decltype(columns))0; j < columns; ++j) {
        auto &mine = own.get();
        mine.at[A] = i;
        mine.at[B] = j;
        Value made = executor_of_all<Inside...>::exec(mine);
        values[i * columns + j] += made;
      }
  }
};
template <class T, template <class> class Box, plan::index... Is> struct executor<Box<T *>, indices<Is...>> {
  template <int By, class... More> static int sum(More... more) {
    T total = (more + ... + T(0));
#pragma omp target map(tofrom : total)
    {
      Box<T *> box {&total};
      *box.held += By * (Is + ... + 0);
    }
    return total;
  }
};
template <class F> struct data_of {
  using value = double;
  int extent[2];
  int at[2];
  double *values;
  F function;
};
template <class F> data_of<F> with(int rows, int columns, F &&function) {
  return data_of<F> {{rows, columns}, {0, 0}, nullptr, function};
}
template <class T> struct box {
  T held;
};
} // namespace run_by
static void members() {
  double v[12] = {0};
  auto data = run_by::with(3, 4, [](int i, int j) { return 10 * i + j; });
#pragma omp target data map(tofrom : v)
  {
    double *there = v;
#pragma omp target data use_device_ptr(there)
    data.values = there;
    run_by::executor<plan::nest<plan::two_loops, plan::indices<0, 1>, plan::body<1>>, int>::exec(data);
    run_by::executor<plan::nest<plan::two_loops, plan::indices<0, 1>, plan::body<2>, plan::body<3>>, char>::exec(data);
    run_by::executor<plan::nest<plan::two_loops, plan::indices<0, 1>>, char>::exec(data);
  }
  double sum = 0;
  for (int i = 0; i < 12; i++) sum += (i + 1) * v[i];
  using numbers = run_by::executor<run_by::box<int *>, plan::indices<4, 5, 6>>;
  std::printf("%g %d %d\n", sum, numbers::sum<2>(1, 2, 3), numbers::sum<3>());
}
// Parameters that are values: clang's types name them as the first template of the file does that mentions such a type.
namespace values {
enum class mode { slow, fast = 7 };
template <int... I> struct list {};
template <int A, int B> struct pair {};
template <mode M, int N> struct kind {};
template <int... I> using listed = list<I...>;
template <int A, int B> using two = listed<A, B>;
template <int B, int A> int named_first(pair<B, A>, list<B, A>) { return 10 * B + A; }
template <class T, class S> struct step;
template <int A, int B, class T> struct step<T, pair<A, B>> { static int run() { int r = 0;
#pragma omp target map(tofrom : r)
  r = 10 * A + B + (int)sizeof(T);
  return r; } };
template <int A, int B, class T> struct step<T *, two<A, B>> { static int run() { int r = 0;
#pragma omp target map(tofrom : r)
  r = 10 * A + B + (int)sizeof(T);
  return r; } };
template <int F, int... I, class T, int N> struct step<T[N], list<F, 7, I...>> { static int run() { int r = 0;
#pragma omp target map(tofrom : r)
  r = 100 * F + 10 * N + (int)sizeof...(I) + (0 + ... + I);
  return r; } };
template <int B, mode M, class T> struct step<T, kind<M, B>> { static int run() { int r = 0;
#pragma omp target map(tofrom : r)
  r = 10 * (int)M + B + (int)sizeof(T);
  return r; } };
// Each argument of a pack is a part of another one.
template <class T> struct box { T v; };
template <int N> struct number {};
template <class... S> struct all {};
template <class... T, class... A> struct step<all<box<T>...>, all<A...>> { static int run() { int r = 0;
#pragma omp target map(tofrom : r)
  r = (sizeof(T) + ... + 0) + 100 * sizeof...(A);
  return r; } };
template <int A, int... B> struct step<int, all<number<A>, number<B>...>> { static int run() { int r = 0;
#pragma omp target map(tofrom : r)
  r = A + ((B * 10) + ... + 0);
  return r; } };
template <template <class> class W, class T, int N> struct step<W<T[N]>, int> { static int run() { int r = 0;
#pragma omp target map(tofrom : r)
  { W<T[N]> w; w.v[N - 1] = 5; r = w.v[N - 1] + N; }
  return r; } };
} // namespace values
/* The first of an array's extents is the outermost one. */
template <typename T> struct rows { static int count() { return 0; } };
template <typename T, unsigned long N> struct rows<T[N]> { static int count() { int r = 0;
#pragma omp target map(tofrom : r)
  { T row = {}; r = 100 * N + sizeof row + sizeof row[0]; }
  return r; } };
static void in_another_order() {
  std::printf("%d %d\n", rows<short[3][4]>::count(), rows<int[2][3][5]>::count());
  using namespace values;
  std::printf("%d %d ", step<char, pair<3, 4>>::run(), step<char *, list<3, 4>>::run());
  std::printf("%d %d ", step<all<box<char>, box<long>>, all<int>>::run(), step<box<short[7]>, int>::run());
  std::printf("%d ", step<int, all<number<3>, number<4>, number<5>>>::run());
  std::printf("%d %d\n", step<char[5], list<2, 7, 8, 9>>::run(), step<char, kind<mode::fast, 3>>::run());
}
int main() {
  members();
  in_another_order();
  double x[10]; int y[10]; float z[10];
  Task<double, int> t{x}; t.run(10);
  Task<int, int> u{y}; u.run(10);
  Task<float *, char> v{z}; v.run(10);
  std::printf("%g %d %g %g %g %d\n", x[9], y[9], z[9], in::Fixed<10, float>::sum(), in::Fixed<20, float>::sum(), in::Fixed<3, int>::sum());
}
