/* Shared loops whose bodies repeat reads: what clean-ups put in front of a loop stands where the loop still is. */
#include <stdio.h>

struct cell {
  float x, y;
  int k;
};

int main(void) {
  struct cell c[8];
  float out[128], more[128], in[16];
  for (int i = 0; i < 8; i++) c[i].x = i, c[i].y = 2 * i, c[i].k = i;
  for (int i = 0; i < 16; i++) in[i] = i;
  for (int i = 0; i < 128; i++) out[i] = more[i] = i;
#pragma omp target parallel map(to : c, in) map(tofrom : out, more) num_threads(6)
  {
    const struct cell *first = &c[1];
#pragma omp for collapse(2) nowait
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 16; j++) out[i * 16 + j] = c[i].x * in[j] + c[i].y * c[i].x + c[i].k;
#pragma omp for nowait schedule(static, 3)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 16; j++)
        for (int k = 0; k < 4; k++) more[i * 16 + j] += c[i].x * in[j] + c[i].y * c[i].x + first->k * c[k].x + first->k;
  }
#pragma omp target teams distribute parallel for map(to : c, in) map(tofrom : out)
  for (int i = 0; i < 8; i++) {
#pragma omp simd
    for (int j = 0; j < 16; j++) out[i * 16 + j] += c[i].x * in[j] + c[i].y * c[i].x + c[i].k;
#pragma omp parallel for collapse(2)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 8; k++) out[i * 16 + j * 8 + k] += c[j].x * in[k] + c[j].y * c[j].x + c[i].k;
  }
  float s = 0;
  for (int i = 0; i < 128; i++) s += (out[i] + 3 * more[i]) * (i % 7);
  printf("%g\n", s);
}
