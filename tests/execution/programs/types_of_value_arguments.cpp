// Values as arguments of templates: their types are told by the arguments (auto), or by other parameters.
#include <cstddef>
#include <cstdio>
#include <type_traits>
enum class Mode { a, b }; enum Old { o1 = 4 };
inline int glob = 3;
template <auto Lo, auto Hi> long sumto() { long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (long i = (long)Lo; i < (long)Hi; i++) s += sizeof(Lo) * 100 + sizeof(Hi) * 10 + i;
  return s; }
template <auto V> struct Box { template <auto W> static long run(int n) { long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += sizeof(V) * sizeof(W) + (long)V + (long)W;
  return s; }
  long other(int n) const { long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += sizeof(V) + (long)V;
  return s; } };
template <class T, T V> struct Tv { static long go(int n) { long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += sizeof(V) + (long)V;
  return s; } };
template <class T, T V> long tv(int n) { long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += sizeof(V) + (long)V;
  return s; }
template <decltype(auto) V> long da(int n) { long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += sizeof(V) + (long)V;
  return s; }
template <auto... V> long pk(int n) { long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += (0 + ... + (sizeof(V) + (long)V));
  return s; }
namespace own { enum E { e1 = 3, e2 = -4 }; enum class C : char { a = 5 }; inline namespace v { enum F { f1 = 11 }; }
struct S { enum G { g = 12 }; }; }
template <auto V> long kind() { long r = 0;
#pragma omp target map(tofrom : r)
  if constexpr (std::is_same_v<decltype(V), std::nullptr_t>) r = -7;
  else if constexpr (std::is_same_v<decltype(V), long>) r = V + 1000;
  else r = (long)V * 10 + sizeof(V);
  return r; }
template <int N, auto V> long values() { long r = 0;
#pragma omp target map(tofrom : r)
  { decltype(N) x = N; x += 2; decltype( V ) y{}; y++;
    auto l = [](decltype(N) a) { a++; return a; };
    using K = decltype(V); K z = V; z--;
    r = x + y + l(N) + z + "decltype(N)"[9]; }
  return r; }
template <const int C, class T, T V> long counted() { long r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (decltype(C) i = 0; i < 5; i++) r += i * V + sizeof(decltype(V));
  return r; }
int main() {
  printf("%ld %ld %ld %ld %ld\n", kind<own::e2>(), kind<own::C::a>(), kind<own::f1>(), kind<own::S::g>(), kind<nullptr>());
  printf("%ld %ld %ld %ld\n", kind<5L>(), values<3, 4L>(), values<3, (short)4>(), counted<3, short, 4>());
  printf("%ld %ld %ld %ld %ld %ld\n", sumto<1, 11>(), sumto<1, 11L>(), sumto<1u, 11ull>(), sumto<'a', 'd'>(), sumto<false, true>(), sumto<Mode::a, Mode::b>());
  printf("%ld %ld %ld\n", sumto<(short)1, (unsigned char)7>(), sumto<(signed char)-3, o1>(), sumto<L'a', u'd'>());
  printf("%ld %ld %ld %ld %ld\n", Box<1>::run<2>(3), Box<1L>::run<'b'>(3), Box<true>::run<Mode::b>(3), Box<(short)4>::run<o1>(3), Box<'\n'>::run<'\''>(2));
  printf("%ld %ld %ld %ld %ld\n", Box<1>().other(3), Box<1L>().other(3), Box<true>().other(3), Box<o1>().other(3), Box<(unsigned char)200>().other(3));
  printf("%ld %ld %ld %ld\n", Tv<long, 5>::go(2), Tv<char, 'x'>::go(2), Tv<Mode, Mode::b>::go(2), Tv<bool, true>::go(2));
  printf("%ld %ld %ld\n", tv<long, 5>(2), tv<unsigned char, 5>(2), tv<Mode, Mode::b>(2));
  printf("%ld %ld %ld %ld\n", da<5>(2), da<5L>(2), pk<1, 2L, 'c'>(2), pk<true, Mode::b, 3u>(2));
}
