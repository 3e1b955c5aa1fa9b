template <class T> T v = T(3);
template <class T> T arr[4] = {};
template <class T> struct S {
  static T m;
  T k;
};
template <class T> T S<T>::m = 1;
template <class T> S<T> s{};
namespace n {
template <class T, int N> T w = N;
}
int main() {
#pragma omp target map(tofrom : v<int>, n::w<int, 3>)
  v<int> += n::w<int, 3>;
#pragma omp target map(tofrom : arr<int>[0 : 2])
  arr<int>[1] += 2;
#pragma omp target map(tofrom : S<int>::m)
  S<int>::m += 2;
#pragma omp target map(tofrom : s<int>.k)
  s<int>.k += 2;
  return v<int>;
}
