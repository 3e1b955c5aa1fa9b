// Virtual call operators of objects that the host has made: function objects behind pointers, in templates, as members.
#include <stdio.h>

#pragma omp begin declare target
int calls = 0;
struct Function {
  int k = 2;
  virtual int operator()(int x) const { return x + k; }
  int twice(int x) { return (*this)(x)*2; }
};
struct Product : Function {
  int operator()(int x) const override {
    calls++;
    return x * k;
  }
};
struct Holder {
  Product own;
  Function *p;
};
template <class F> int at_seven(const F &f) { return f(7); }
static int all(Function **f, int n) {
  int r = 0;
  for (int i = 0; i < n; i++) r += f[i][0](i + 1);
  return r;
}
#pragma omp end declare target

int main() {
  Function sum;
  Product product;
  Holder holder = {product, &product};
  Function *p = &product;
  int r[5] = {0};
#pragma omp target map(to : sum, product, holder) map(from : r) map(to : p[0 : 1])
  {
    r[0] = (*p)(4) + p->operator()(3);
    r[1] = at_seven(*p) + at_seven(sum);
    r[2] = holder.own(3) + p->twice(4);
    Product local;
    Function *made = &local, *both[2] = {p, made};
    r[3] = local(9) + (*made)(9);
    r[4] = all(both, 2);
  }
#pragma omp target update from(calls)
  for (int x : r) printf("%d ", x);
  printf("%d\n", calls);
}
