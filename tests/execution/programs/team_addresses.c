/* A team's array, or a structure with one, reached through every way in which an address can leave: parallels see
   the same elements. One block for each way. */
#include <stdio.h>
#define LEN 16
#define WAYS 33

struct hold { float *p; };
static inline float *same(float *p) { return p; }
static inline void give(float **to, float *p) { *to = p; }

int main(void) {
  static float result[WAYS][2][LEN];
#pragma omp target teams distribute map(from : result)
  for (int t = 0; t < 2; t++) {
    { /* cast */
      float tile[LEN];
      float *w = (float *)tile;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[0][t][i] = w[LEN - 1 - i];
    }
    { /* voidp */
      float tile[LEN];
      void *v = tile; float *w = (float *)v;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[1][t][i] = w[LEN - 1 - i];
    }
    { /* plus */
      float tile[LEN];
      float *w = tile + 1 - 1;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[2][t][i] = w[LEN - 1 - i];
    }
    { /* plus2 */
      float tile[LEN];
      float *w = 0 + tile;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[3][t][i] = w[LEN - 1 - i];
    }
    { /* amp */
      float tile[LEN];
      float *w = &tile[0];
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[4][t][i] = w[LEN - 1 - i];
    }
    { /* ampstar */
      float tile[LEN];
      float *w = &*tile;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[5][t][i] = w[LEN - 1 - i];
    }
    { /* ampwhole */
      float tile[LEN];
      float *w = *&tile;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[6][t][i] = w[LEN - 1 - i];
    }
    { /* assign */
      float tile[LEN];
      float *w; w = tile;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[7][t][i] = w[LEN - 1 - i];
    }
    { /* assigncast */
      float tile[LEN];
      float *w; w = (float *)(void *)tile;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[8][t][i] = w[LEN - 1 - i];
    }
    { /* chain */
      float tile[LEN];
      float *w, *v; v = w = tile; w = v;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[9][t][i] = w[LEN - 1 - i];
    }
    { /* cond */
      float tile[LEN];
      float *w = t >= 0 ? tile : (float *)0;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[10][t][i] = w[LEN - 1 - i];
    }
    { /* condcast */
      float tile[LEN];
      float *w = (float *)(t >= 0 ? (char *)tile : (char *)0);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[11][t][i] = w[LEN - 1 - i];
    }
    { /* comma */
      float tile[LEN];
      float *w = ((void)t, tile);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[12][t][i] = w[LEN - 1 - i];
    }
    { /* integer */
      float tile[LEN];
      unsigned long u = (unsigned long)tile; float *w = (float *)u;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[13][t][i] = w[LEN - 1 - i];
    }
    { /* call */
      float tile[LEN];
      float *w = same(tile);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[14][t][i] = w[LEN - 1 - i];
    }
    { /* callcast */
      float tile[LEN];
      float *w = (float *)same((float *)(char *)tile);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[15][t][i] = w[LEN - 1 - i];
    }
    { /* struct */
      float tile[LEN];
      struct hold h; h.p = tile; float *w = h.p;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[16][t][i] = w[LEN - 1 - i];
    }
    { /* structinit */
      float tile[LEN];
      struct hold h = {tile}; float *w = h.p;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[17][t][i] = w[LEN - 1 - i];
    }
    { /* structinitcast */
      float tile[LEN];
      struct hold h = {(float *)(char *)tile}; float *w = h.p;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[18][t][i] = w[LEN - 1 - i];
    }
    { /* array */
      float tile[LEN];
      float *ps[2] = {tile, tile}; float *w = ps[t & 1];
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[19][t][i] = w[LEN - 1 - i];
    }
    { /* out */
      float tile[LEN];
      float *w; give(&w, tile);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[20][t][i] = w[LEN - 1 - i];
    }
    { /* memcpy */
      float tile[LEN];
      float *v = tile, *w; __builtin_memcpy(&w, &v, sizeof w);
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[21][t][i] = w[LEN - 1 - i];
    }
    { /* indexed */
      float tile[LEN];
      float *w = &t[tile] - t;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[22][t][i] = w[LEN - 1 - i];
    }
    { /* back */
      float tile[LEN];
      float *w = tile; w += 3; w -= 3;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[23][t][i] = w[LEN - 1 - i];
    }
    { /* pp */
      float tile[LEN];
      float *v; float **pp = &v; *pp = (float *)tile; float *w = v;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[24][t][i] = w[LEN - 1 - i];
    }
    { /* member */
      struct { int k; float a[LEN]; } s;
      float *w = (float *)s.a;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[25][t][i] = w[LEN - 1 - i];
    }
    { /* memberfirst */
      struct { float a[LEN]; } s;
      float *w = (float *)&s;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[26][t][i] = w[LEN - 1 - i];
    }
    { /* container */
      struct part { int k; float a[LEN]; } s;
      int *k = &s.k; float *w = ((struct part *)((char *)k - 0))->a;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[27][t][i] = w[LEN - 1 - i];
    }
    { /* twodim */
      float m[2][LEN];
      float *w = (float *)m;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[28][t][i] = w[LEN - 1 - i];
    }
    { /* row */
      float m[2][LEN];
      float (*r)[LEN] = m; float *w = r[1];
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[29][t][i] = w[LEN - 1 - i];
    }
    { /* row2 */
      float m[2][LEN];
      float (*r)[LEN] = m + 1; float *w = *r;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[30][t][i] = w[LEN - 1 - i];
    }
    { /* union */
      union { float a[LEN]; int b[LEN]; } s;
      float *w = (float *)s.b;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[31][t][i] = w[LEN - 1 - i];
    }
    { /* nested */
      struct { struct { float a[LEN]; } in[2]; } s;
      float *w = (float *)s.in[1].a;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) w[i] = t * 18 + i;
#pragma omp parallel for
      for (int i = 0; i < LEN; i++) result[32][t][i] = w[LEN - 1 - i];
    }
  }
  for (int w = 0; w < WAYS; w++) {
    double sum = 0;
    for (int i = 0; i < 2 * LEN; i++) sum += result[w][i / LEN][i % LEN] * (i % 7 + 1);
    printf("%d %g\n", w, sum);
  }
  return 0;
}
