/* Variables of a team that one thread changes through every way in which that can be written: in a parallel, and in
   the team's sequential code. All threads see the change. */
#include <cstdio>
struct Box { int v; int a[4]; Box() : v(0), a() {} void add(int n) { v += n; } int get() const { return v; } int &ref() { return v; } int &operator[](int i) { return a[i]; } Box &operator+=(int n) { v += n; return *this; } void operator()(int n) { v += n; } operator int &() { return v; } };
struct Mut { mutable int v; void hit(int n) const { v += n; } };
struct Bits { int k : 4; int v : 20; };
struct Derived : Box { int z; };
struct Pair { int &r; };
static inline void add(int &x, int n) { x += n; }
static inline void addp(int *x, int n) { *x += n; }
static inline int &same(int &x) { return x; }
static inline void addbox(Box &b, int n) { b.v += n; }
static inline Box &samebox(Box &b) { return b; }
template <class T> void tadd(T &x, int n) { x += n; }
template <class F> void run(F f) { f(); }

#define WAYS 65

int main() {
  static int result[WAYS][2], seen[WAYS][2];
#pragma omp target teams distribute map(tofrom : result, seen)
  for (int t = 0; t < 2; t++) {
    const int N = 100 * (t + 1);
    {  // plain
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { x += N; }
      }
      result[0][t] = x + y;
    }
    {  // condl
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (t >= 0 ? x : y) += N; }
      }
      result[1][t] = x;
    }
    {  // condl2
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (t >= 0 ? x : y) = N; }
      }
      result[2][t] = x;
    }
    {  // comma
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { ((void)0, x) += N; }
      }
      result[3][t] = x;
    }
    {  // preinc
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (++x) += N - 1; }
      }
      result[4][t] = x;
    }
    {  // chain
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (x = N) += 0; }
      }
      result[5][t] = x;
    }
    {  // castref
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (unsigned &)x += N; }
      }
      result[6][t] = x;
    }
    {  // sref
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { static_cast<int &>(x) += N; }
      }
      result[7][t] = x;
    }
    {  // rref
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { reinterpret_cast<unsigned &>(x) += N; }
      }
      result[8][t] = x;
    }
    {  // ccast
      int x = 0;
      const int &c = x;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { const_cast<int &>(c) += N; }
      }
      result[9][t] = x;
    }
    {  // ccast2
      int x = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { const_cast<int &>(static_cast<const int &>(x)) += N; }
      }
      result[10][t] = x;
    }
    {  // addr
      int x = 0, y = 0;
      int *p = &x;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { *p += N; }
      }
      result[11][t] = x;
    }
    {  // addrcast
      int x = 0, y = 0;
      unsigned *p = (unsigned *)&x;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { *p += N; }
      }
      result[12][t] = x;
    }
    {  // addrcond
      int x = 0, y = 0;
      int *p = t >= 0 ? &x : &y;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { *p += N; }
      }
      result[13][t] = x;
    }
    {  // addrcond2
      int x = 0, y = 0;
      int *p = &(t >= 0 ? x : y);
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { *p += N; }
      }
      result[14][t] = x;
    }
    {  // inaddr
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { *&x += N; }
      }
      result[15][t] = x;
    }
    {  // incond
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { *(t >= 0 ? &x : &y) += N; }
      }
      result[16][t] = x;
    }
    {  // ref
      int x = 0, y = 0;
      int &r = x;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { r += N; }
      }
      result[17][t] = x;
    }
    {  // refcond
      int x = 0, y = 0;
      int &r = t >= 0 ? x : y;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { r += N; }
      }
      result[18][t] = x;
    }
    {  // inref
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { int &r = x; r += N; }
      }
      result[19][t] = x;
    }
    {  // inrefcond
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { int &r = t >= 0 ? x : y; r += N; }
      }
      result[20][t] = x;
    }
    {  // call
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { add(x, N); }
      }
      result[21][t] = x;
    }
    {  // callp
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { addp(&x, N); }
      }
      result[22][t] = x;
    }
    {  // callcond
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { add(t >= 0 ? x : y, N); }
      }
      result[23][t] = x;
    }
    {  // callret
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { same(x) += N; }
      }
      result[24][t] = x;
    }
    {  // callret2
      int x = 0, y = 0;
      int &r = same(x);
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { r += N; }
      }
      result[25][t] = x;
    }
    {  // tmpl
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { tadd(x, N); }
      }
      result[26][t] = x;
    }
    {  // pair
      int x = 0, y = 0;
      Pair q = {x};
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { q.r += N; }
      }
      result[27][t] = x;
    }
    {  // lamref
      int x = 0, y = 0;
      auto f = [&] { x += N; };
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { f(); }
      }
      result[28][t] = x;
    }
    {  // laminit
      int x = 0, y = 0;
      auto f = [&z = x, N] { z += N; };
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { f(); }
      }
      result[29][t] = x;
    }
    {  // lamin
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { auto f = [&] { x += N; }; f(); }
      }
      result[30][t] = x;
    }
    {  // lamin2
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { [&] { x += N; }(); }
      }
      result[31][t] = x;
    }
    {  // lamrun
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { run([&] { x += N; }); }
      }
      result[32][t] = x;
    }
    {  // lamcond
      int x = 0, y = 0;
      auto f = [&]() -> int & { return x; };
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { f() += N; }
      }
      result[33][t] = x;
    }
    {  // member
      Bits b = {0, 0};
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b.v += N; }
      }
      result[34][t] = b.v;
    }
    {  // mem2
      struct { int k; struct { int v[3]; } s; } b = {};
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b.s.v[1] += N; }
      }
      result[35][t] = b.s.v[1];
    }
    {  // memcast
      struct { int k; int v; } b = {};
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { ((int *)&b)[1] += N; }
      }
      result[36][t] = b.v;
    }
    {  // memwhole
      struct par { int k; int v; } b = {}, c = {};
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { c.v = N; b = c; }
      }
      result[37][t] = b.v;
    }
    {  // memref
      struct { int k; int v; } b = {};
      int &r = b.v;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { r += N; }
      }
      result[38][t] = b.v;
    }
    {  // method
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b.add(N); }
      }
      result[39][t] = b.get();
    }
    {  // methodret
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b.ref() += N; }
      }
      result[40][t] = b.v;
    }
    {  // opidx
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b[2] += N; }
      }
      result[41][t] = b[2];
    }
    {  // opcall
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b(N); }
      }
      result[42][t] = b.v;
    }
    {  // opadd
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b += N; }
      }
      result[43][t] = b.v;
    }
    {  // opadd2
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (b += N) += 0; }
      }
      result[44][t] = b.v;
    }
    {  // conv
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (int &)b += N; }
      }
      result[45][t] = b.v;
    }
    {  // conv2
      Box b;
      int &r = b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { r += N; }
      }
      result[46][t] = b.v;
    }
    {  // boxref
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { addbox(b, N); }
      }
      result[47][t] = b.v;
    }
    {  // boxsame
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { samebox(b).v += N; }
      }
      result[48][t] = b.v;
    }
    {  // boxcond
      Box b; Box c;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (t >= 0 ? b : c).v += N; }
      }
      result[49][t] = b.v;
    }
    {  // boxcond2
      Box b; Box c;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (t >= 0 ? b : c).add(N); }
      }
      result[50][t] = b.v;
    }
    {  // boxp
      Box b;
      Box *p = &b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { p->add(N); }
      }
      result[51][t] = b.v;
    }
    {  // boxtmpl
      Box b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { tadd(b, N); }
      }
      result[52][t] = b.v;
    }
    {  // derived
      Derived b;
      Box &q = b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { q.add(N); }
      }
      result[53][t] = b.v;
    }
    {  // derived2
      Derived b;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { addbox(b, N); }
      }
      result[54][t] = b.v;
    }
    {  // mutable
      Mut b = {0};
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b.hit(N); }
      }
      result[55][t] = b.v;
    }
    {  // pointer
      int u[4] = {0, 0, 0, 0}; int *p = u;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { p = p + 1; *p += N; }
      }
      result[56][t] = *p;
    }
    {  // ptrcond
      int u[4] = {0, 0, 0, 0}; int *p = u, *q = u;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (t >= 0 ? p : q) = u + 2; *p += N; }
      }
      result[57][t] = *p;
    }
    {  // ptrref
      int u[4] = {0, 0, 0, 0}; int *p = u;
      int *&r = p;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { r = u + 1; *p = N; }
      }
      result[58][t] = *p;
    }
    {  // mp
      Box b;
      int Box::*m = &Box::v;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { b.*m += N; }
      }
      result[59][t] = b.v;
    }
    {  // mf
      Box b;
      void (Box::*m)(int) = &Box::add;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { (b.*m)(N); }
      }
      result[60][t] = b.v;
    }
    {  // atomic
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { __atomic_fetch_add(&x, N, __ATOMIC_RELAXED); }
      }
      result[61][t] = x;
    }
    {  // memcpy
      int x = 0, y = 0;
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { int n = N; __builtin_memcpy(&x, &n, sizeof x); }
      }
      result[62][t] = x;
    }
    {  // struct2
      int x = 0, y = 0;
      struct { int *a, *b; } h = {&x, &y};
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { *h.a += N; }
      }
      result[63][t] = x;
    }
    {  // array
      int x = 0, y = 0;
      int *h[2] = {&x, &y};
#pragma omp parallel num_threads(4)
      {
#pragma omp single
        { *h[0] += N; }
      }
      result[64][t] = x;
    }
  }
#pragma omp target teams distribute map(tofrom : result, seen)
  for (int t = 0; t < 2; t++) {
    const int N = 100 * (t + 1);
    {  // plain
      int x = 0, y = 0;
      { x += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x + y;
#pragma omp atomic
        seen[0][t] += mine == N;
      }
    }
    {  // condl
      int x = 0, y = 0;
      { (t >= 0 ? x : y) += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[1][t] += mine == N;
      }
    }
    {  // condl2
      int x = 0, y = 0;
      { (t >= 0 ? x : y) = N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[2][t] += mine == N;
      }
    }
    {  // comma
      int x = 0, y = 0;
      { ((void)0, x) += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[3][t] += mine == N;
      }
    }
    {  // preinc
      int x = 0, y = 0;
      { (++x) += N - 1; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[4][t] += mine == N;
      }
    }
    {  // chain
      int x = 0, y = 0;
      { (x = N) += 0; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[5][t] += mine == N;
      }
    }
    {  // castref
      int x = 0, y = 0;
      { (unsigned &)x += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[6][t] += mine == N;
      }
    }
    {  // sref
      int x = 0, y = 0;
      { static_cast<int &>(x) += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[7][t] += mine == N;
      }
    }
    {  // rref
      int x = 0, y = 0;
      { reinterpret_cast<unsigned &>(x) += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[8][t] += mine == N;
      }
    }
    {  // ccast
      int x = 0;
      const int &c = x;
      { const_cast<int &>(c) += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[9][t] += mine == N;
      }
    }
    {  // ccast2
      int x = 0;
      { const_cast<int &>(static_cast<const int &>(x)) += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[10][t] += mine == N;
      }
    }
    {  // addr
      int x = 0, y = 0;
      int *p = &x;
      { *p += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[11][t] += mine == N;
      }
    }
    {  // addrcast
      int x = 0, y = 0;
      unsigned *p = (unsigned *)&x;
      { *p += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[12][t] += mine == N;
      }
    }
    {  // addrcond
      int x = 0, y = 0;
      int *p = t >= 0 ? &x : &y;
      { *p += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[13][t] += mine == N;
      }
    }
    {  // addrcond2
      int x = 0, y = 0;
      int *p = &(t >= 0 ? x : y);
      { *p += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[14][t] += mine == N;
      }
    }
    {  // inaddr
      int x = 0, y = 0;
      { *&x += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[15][t] += mine == N;
      }
    }
    {  // incond
      int x = 0, y = 0;
      { *(t >= 0 ? &x : &y) += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[16][t] += mine == N;
      }
    }
    {  // ref
      int x = 0, y = 0;
      int &r = x;
      { r += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[17][t] += mine == N;
      }
    }
    {  // refcond
      int x = 0, y = 0;
      int &r = t >= 0 ? x : y;
      { r += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[18][t] += mine == N;
      }
    }
    {  // inref
      int x = 0, y = 0;
      { int &r = x; r += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[19][t] += mine == N;
      }
    }
    {  // inrefcond
      int x = 0, y = 0;
      { int &r = t >= 0 ? x : y; r += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[20][t] += mine == N;
      }
    }
    {  // call
      int x = 0, y = 0;
      { add(x, N); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[21][t] += mine == N;
      }
    }
    {  // callp
      int x = 0, y = 0;
      { addp(&x, N); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[22][t] += mine == N;
      }
    }
    {  // callcond
      int x = 0, y = 0;
      { add(t >= 0 ? x : y, N); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[23][t] += mine == N;
      }
    }
    {  // callret
      int x = 0, y = 0;
      { same(x) += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[24][t] += mine == N;
      }
    }
    {  // callret2
      int x = 0, y = 0;
      int &r = same(x);
      { r += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[25][t] += mine == N;
      }
    }
    {  // tmpl
      int x = 0, y = 0;
      { tadd(x, N); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[26][t] += mine == N;
      }
    }
    {  // pair
      int x = 0, y = 0;
      Pair q = {x};
      { q.r += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[27][t] += mine == N;
      }
    }
    {  // lamref
      int x = 0, y = 0;
      auto f = [&] { x += N; };
      { f(); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[28][t] += mine == N;
      }
    }
    {  // laminit
      int x = 0, y = 0;
      auto f = [&z = x, N] { z += N; };
      { f(); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[29][t] += mine == N;
      }
    }
    {  // lamin
      int x = 0, y = 0;
      { auto f = [&] { x += N; }; f(); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[30][t] += mine == N;
      }
    }
    {  // lamin2
      int x = 0, y = 0;
      { [&] { x += N; }(); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[31][t] += mine == N;
      }
    }
    {  // lamrun
      int x = 0, y = 0;
      { run([&] { x += N; }); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[32][t] += mine == N;
      }
    }
    {  // lamcond
      int x = 0, y = 0;
      auto f = [&]() -> int & { return x; };
      { f() += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[33][t] += mine == N;
      }
    }
    {  // member
      Bits b = {0, 0};
      { b.v += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[34][t] += mine == N;
      }
    }
    {  // mem2
      struct { int k; struct { int v[3]; } s; } b = {};
      { b.s.v[1] += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.s.v[1];
#pragma omp atomic
        seen[35][t] += mine == N;
      }
    }
    {  // memcast
      struct { int k; int v; } b = {};
      { ((int *)&b)[1] += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[36][t] += mine == N;
      }
    }
    {  // memwhole
      struct seq { int k; int v; } b = {}, c = {};
      { c.v = N; b = c; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[37][t] += mine == N;
      }
    }
    {  // memref
      struct { int k; int v; } b = {};
      int &r = b.v;
      { r += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[38][t] += mine == N;
      }
    }
    {  // method
      Box b;
      { b.add(N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.get();
#pragma omp atomic
        seen[39][t] += mine == N;
      }
    }
    {  // methodret
      Box b;
      { b.ref() += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[40][t] += mine == N;
      }
    }
    {  // opidx
      Box b;
      { b[2] += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b[2];
#pragma omp atomic
        seen[41][t] += mine == N;
      }
    }
    {  // opcall
      Box b;
      { b(N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[42][t] += mine == N;
      }
    }
    {  // opadd
      Box b;
      { b += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[43][t] += mine == N;
      }
    }
    {  // opadd2
      Box b;
      { (b += N) += 0; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[44][t] += mine == N;
      }
    }
    {  // conv
      Box b;
      { (int &)b += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[45][t] += mine == N;
      }
    }
    {  // conv2
      Box b;
      int &r = b;
      { r += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[46][t] += mine == N;
      }
    }
    {  // boxref
      Box b;
      { addbox(b, N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[47][t] += mine == N;
      }
    }
    {  // boxsame
      Box b;
      { samebox(b).v += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[48][t] += mine == N;
      }
    }
    {  // boxcond
      Box b; Box c;
      { (t >= 0 ? b : c).v += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[49][t] += mine == N;
      }
    }
    {  // boxcond2
      Box b; Box c;
      { (t >= 0 ? b : c).add(N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[50][t] += mine == N;
      }
    }
    {  // boxp
      Box b;
      Box *p = &b;
      { p->add(N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[51][t] += mine == N;
      }
    }
    {  // boxtmpl
      Box b;
      { tadd(b, N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[52][t] += mine == N;
      }
    }
    {  // derived
      Derived b;
      Box &q = b;
      { q.add(N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[53][t] += mine == N;
      }
    }
    {  // derived2
      Derived b;
      { addbox(b, N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[54][t] += mine == N;
      }
    }
    {  // mutable
      Mut b = {0};
      { b.hit(N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[55][t] += mine == N;
      }
    }
    {  // pointer
      int u[4] = {0, 0, 0, 0}; int *p = u;
      { p = p + 1; *p += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = *p;
#pragma omp atomic
        seen[56][t] += mine == N;
      }
    }
    {  // ptrcond
      int u[4] = {0, 0, 0, 0}; int *p = u, *q = u;
      { (t >= 0 ? p : q) = u + 2; *p += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = *p;
#pragma omp atomic
        seen[57][t] += mine == N;
      }
    }
    {  // ptrref
      int u[4] = {0, 0, 0, 0}; int *p = u;
      int *&r = p;
      { r = u + 1; *p = N; }
#pragma omp parallel num_threads(4)
      {
        int mine = *p;
#pragma omp atomic
        seen[58][t] += mine == N;
      }
    }
    {  // mp
      Box b;
      int Box::*m = &Box::v;
      { b.*m += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[59][t] += mine == N;
      }
    }
    {  // mf
      Box b;
      void (Box::*m)(int) = &Box::add;
      { (b.*m)(N); }
#pragma omp parallel num_threads(4)
      {
        int mine = b.v;
#pragma omp atomic
        seen[60][t] += mine == N;
      }
    }
    {  // atomic
      int x = 0, y = 0;
      { __atomic_fetch_add(&x, N, __ATOMIC_RELAXED); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[61][t] += mine == N;
      }
    }
    {  // memcpy
      int x = 0, y = 0;
      { int n = N; __builtin_memcpy(&x, &n, sizeof x); }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[62][t] += mine == N;
      }
    }
    {  // struct2
      int x = 0, y = 0;
      struct { int *a, *b; } h = {&x, &y};
      { *h.a += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[63][t] += mine == N;
      }
    }
    {  // array
      int x = 0, y = 0;
      int *h[2] = {&x, &y};
      { *h[0] += N; }
#pragma omp parallel num_threads(4)
      {
        int mine = x;
#pragma omp atomic
        seen[64][t] += mine == N;
      }
    }
  }
  for (int w = 0; w < WAYS; w++)
    std::printf("%d %d %d %d\n", w, result[w][0], result[w][1], seen[w][0] > 0 && seen[w][0] == seen[w][1]);
}
