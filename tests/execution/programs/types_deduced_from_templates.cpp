// Kernels name types of the user's that their function only deduces, from what a template stands for its parameter by:
// nothing else in device code names these.
#include <cstdio>
namespace atoms {
enum class Species : unsigned char { A, B };
enum class Kind { X, Y };
struct Tag { int v; };
template <class A, class B> struct Pair { A a; B b; };
template <class T> struct Buf { T *p; T *data() { return p; } T first; T &front() { return *p; } using value_type = T; };
}
template <class T> T *same(T *p) { return p; }
int main() {
  atoms::Pair<atoms::Kind, atoms::Tag> q[4], r[4];
  atoms::Kind k2[2] = {atoms::Kind::Y, atoms::Kind::X};
  for (int i = 0; i < 4; i++) q[i] = {i % 2 ? atoms::Kind::Y : atoms::Kind::X, {i}};
  atoms::Buf<atoms::Pair<atoms::Kind, atoms::Tag>> b{q, q[1]}, c{r, q[2]};
  auto from = b.data(), to = c.data();
#pragma omp target teams distribute parallel for map(to : from[0 : 4]) map(from : to[0 : 4])
  for (int i = 0; i < 4; i++) to[i] = from[3 - i];
  for (auto &x : r) std::printf("%d %d\n", (int)x.a, x.b.v);
  atoms::Species s[2] = {atoms::Species::B, atoms::Species::A};
  decltype(same(s)) p = same(s);
  atoms::Buf<atoms::Species *> pp{&p, p};
  auto one = pp.first;
  auto both = pp.data();
  auto &ref = atoms::Buf<atoms::Kind>{k2, k2[0]}.front();
  decltype(pp)::value_type three = s;
  int t = 0;
#pragma omp target map(to : p[0 : 2], one[0:2], ref, three[0:2]) map(tofrom : t)
  { t = (int)p[0] + 10 * (int)one[0] + 100 * (int)ref + 1000 * (int)three[0]; }
#pragma omp target map(to : both[0][0 : 2]) map(tofrom : t)
  t += (int)both[0][0] * 10000;
  std::printf("%d\n", t);
}
