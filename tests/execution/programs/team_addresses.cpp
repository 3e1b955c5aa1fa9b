/* A team's array, or a structure with one, reached through every way in which an address can leave: parallels see
   the same elements. One block for each way. */
#include <stdio.h>
#define LEN 16
#define WAYS 31

struct Holder { float *p; Holder(float *q) : p(q) {} float *get() const { return p; } };
struct Tile { float a[LEN]; float *data() { return a; } float &at(int i) { return a[i]; } float &operator[](int i) { return a[i]; } operator float *() { return a; } };
struct Base { float a[LEN]; }; struct Derived : Base { int k; };
static inline float *of(Tile &t) { return t.a; }
static inline float &firstof(float (&a)[LEN]) { return a[0]; }
template <class T> T *tsame(T *p) { return p; }
static inline Tile &pass(Tile &t) { return t; }

int main(void) {
  static float result[WAYS][2][LEN];
#pragma omp target teams distribute map(from : result)
  for (int t = 0; t < 2; t++) {
    {  // static
      float tile[LEN];
      float *w = static_cast<float *>(static_cast<void *>(tile));
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[0][t][i] = w[LEN - 1 - i];
    }
    {  // reint
      float tile[LEN];
      float *w = reinterpret_cast<float *>(reinterpret_cast<char *>(tile));
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[1][t][i] = w[LEN - 1 - i];
    }
    {  // ref
      float tile[LEN];
      float (&r)[LEN] = tile; float *w = r;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[2][t][i] = w[LEN - 1 - i];
    }
    {  // refcast
      float tile[LEN];
      float *w = &(float &)tile[0];
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[3][t][i] = w[LEN - 1 - i];
    }
    {  // refcond
      float tile[LEN];
      float &r = t >= 0 ? tile[0] : tile[1]; float *w = &r;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[4][t][i] = w[LEN - 1 - i];
    }
    {  // autoref
      float tile[LEN];
      auto &r = tile; auto *w = (float *)r;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[5][t][i] = w[LEN - 1 - i];
    }
    {  // refelem
      float tile[LEN];
      float &r = tile[0]; float *w = &r;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[6][t][i] = w[LEN - 1 - i];
    }
    {  // refint
      float tile[LEN];
      int &r = (int &)tile[0]; float *w = (float *)&r;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[7][t][i] = w[LEN - 1 - i];
    }
    {  // holder
      float tile[LEN];
      Holder h(tile); float *w = h.get();
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[8][t][i] = w[LEN - 1 - i];
    }
    {  // holdercast
      float tile[LEN];
      Holder h((float *)(void *)tile); float *w = h.p;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[9][t][i] = w[LEN - 1 - i];
    }
    {  // lambda
      float tile[LEN];
      auto f = [&] { return (float *)tile; }; float *w = f();
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[10][t][i] = w[LEN - 1 - i];
    }
    {  // lambdap
      float tile[LEN];
      auto f = [](float *p) { return p; }; float *w = f((float *)(char *)tile);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[11][t][i] = w[LEN - 1 - i];
    }
    {  // lambdacap
      float tile[LEN];
      auto f = [p = (float *)tile] { return p; }; float *w = f();
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[12][t][i] = w[LEN - 1 - i];
    }
    {  // refcall
      float tile[LEN];
      float *w = &firstof(tile);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[13][t][i] = w[LEN - 1 - i];
    }
    {  // tsame
      float tile[LEN];
      float *w = tsame((float *)(tile + 0));
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[14][t][i] = w[LEN - 1 - i];
    }
    {  // braces
      float tile[LEN];
      float *w{(float *)tile};
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[15][t][i] = w[LEN - 1 - i];
    }
    {  // parens
      float tile[LEN];
      float *w((float *)tile);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[16][t][i] = w[LEN - 1 - i];
    }
    {  // addressof
      float tile[LEN];
      float *w = __builtin_addressof(tile[0]);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[17][t][i] = w[LEN - 1 - i];
    }
    {  // m_data
      Tile s;
      float *w = s.data();
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[18][t][i] = w[LEN - 1 - i];
    }
    {  // m_at
      Tile s;
      float *w = &s.at(0);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[19][t][i] = w[LEN - 1 - i];
    }
    {  // m_op
      Tile s;
      float *w = &s[0];
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[20][t][i] = w[LEN - 1 - i];
    }
    {  // m_conv
      Tile s;
      float *w = s;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[21][t][i] = w[LEN - 1 - i];
    }
    {  // m_of
      Tile s;
      float *w = of(s);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[22][t][i] = w[LEN - 1 - i];
    }
    {  // m_pass
      Tile s;
      float *w = pass(s).a;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[23][t][i] = w[LEN - 1 - i];
    }
    {  // m_pass2
      Tile s;
      float *w = pass(pass(s)).data();
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[24][t][i] = w[LEN - 1 - i];
    }
    {  // m_ref
      Tile s;
      Tile &r = s; float *w = r.data();
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[25][t][i] = w[LEN - 1 - i];
    }
    {  // m_ptr
      Tile s;
      Tile *r = &s; float *w = r->a;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[26][t][i] = w[LEN - 1 - i];
    }
    {  // m_refcond
      Tile s;
      Tile &r = t >= 0 ? s : s; float *w = r.a;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[27][t][i] = w[LEN - 1 - i];
    }
    {  // m_mp
      Tile s;
      float (Tile::*mp)[LEN] = &Tile::a; float *w = s.*mp;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[28][t][i] = w[LEN - 1 - i];
    }
    {  // derived
      Derived s;
      Base &b = s; float *w = b.a;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[29][t][i] = w[LEN - 1 - i];
    }
    {  // derivedp
      Derived s;
      float *w = ((Base *)&s)->a;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[30][t][i] = w[LEN - 1 - i];
    }
  }
  for (int w = 0; w < WAYS; w++) {
    double sum = 0;
    for (int i = 0; i < 2 * LEN; i++) sum += result[w][i / LEN][i % LEN] * (i % 7 + 1);
    printf("%d %g\n", w, sum);
  }
  return 0;
}
