template <class T, T... I> struct Indices {};
template <class T, int N> using Made = __make_integer_seq<Indices, T, N>;
template <int N, class... T> using At = __type_pack_element<N, T...>;
template <class T, T... I> constexpr T sum(Indices<T, I...>) { return (I + ... + 0); }
static_assert(sum(Made<int, 5>{}) == 10);
int main() {
  double r = 0;
  int s = 0;
#pragma omp target map(tofrom : r, s)
  {
    At<1, int, double, char> x = 2.5;
    static_assert(sizeof(At<2, int, double, char>) == 1);
    r = x;
    s = sum(Made<int, 6>{});
  }
  return r != 2.5 || s != 15;
}
