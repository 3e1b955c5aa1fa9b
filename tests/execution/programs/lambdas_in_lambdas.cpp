/* Lambdas in lambdas copy what the outer one holds, which may have changed or ended when they are called. */
#include <cstdio>
struct Held { int v; Held(int v) : v(v) {} ~Held() { v = -1000; } };
template <class B> void forall(int n, B body, int *out) {
#pragma omp target teams distribute parallel for map(from : out[:n]) map(to : body)
  for (int i = 0; i < n; i++) out[i] = body(i)(3);
}
template <class B> void forall_fp(int n, B body, int *out) {
#pragma omp target teams distribute parallel for map(from : out[:n]) firstprivate(body)
  for (int i = 0; i < n; i++) { auto q = [&] { B own = body; return own(i); }(); out[i] = q(3); }
}
static void show(const int *o) { for (int i = 0; i < 6; i++) printf("%d ", o[i]); puts(""); }
template <class T> void in_template(T x, int *out) {
  T arr[2] = {x, x + 1};
  auto l = [=](int i) { return [=](int j) { return x * i + j + arr[1] + (int)sizeof arr; }; };
  forall(6, l, out); show(out);
  forall_fp(6, l, out); show(out);
  const int c = 9;
  forall_fp(6, [=](auto i) { return [i, c, x, &arr](auto j) { return x * i + j + c + (int)(sizeof arr / sizeof *arr); }; }, out); show(out);
}
struct S { int a, b; int get(int k) const { return a * k; }
  void go(int *out) {
#pragma omp target data map(to : this[:1])
    {
    forall_fp(6, [=, this](int i) { return [=, this](int j) { return a * i + get(j); }; }, out); show(out);
    forall_fp(6, [=, this](int i) { return [this, i](int j) { return this->a * i + get(j); }; }, out); show(out);
    }
  } };
int main() {
  int out[6], x = 5; Held h(7);
  auto l1 = [=](int i) { return [=](int j) { return x * i + j; }; };
  forall(6, l1, out); show(out);
  forall_fp(6, l1, out); show(out);
  auto l2 = [=](int i) { return [=](int j) { return h.v * i + j; }; };
  forall(6, l2, out); show(out);
  forall_fp(6, l2, out); show(out);
  auto l3 = [=](int i) { return [=](int j) mutable { x += j; return x + i; }; };
  forall(6, l3, out); show(out);
  auto l4 = [x, h](int i) mutable { auto in = [=](int j) { return x + h.v + j; }; x += i; return [v = in(1)](int k) { return v + k; }; };
  forall_fp(6, l4, out); show(out);
  auto l5 = [x, h](int i) mutable { auto in = [x, &h](int j) { return [=, &h] { return x + h.v + j; }; }; x += i; return [v = in(1)()](int k) { return v + k; }; };
  forall_fp(6, l5, out); show(out);
  int y = 4;
#pragma omp target data map(to : y)
  {
  auto l6 = [&y, x](int i) { auto q = [&] { auto r = [=] { return x + y; }; return r(); }; return [=, z = q() + y](int k) { return y + z * k + i; }; };
  forall_fp(6, l6, out); show(out);
  }
  in_template(3, out); S s{2, 3}; s.go(out);
}
