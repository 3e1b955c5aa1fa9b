/* CUDA-style regions: team-shared arrays, barriers, thread and team numbers; results do not depend on how many. */
#include <omp.h>
#include <stdio.h>

#define N 256
#define TILE 32

static void reverse_tiles(const int *in, int *out) {
  #pragma omp target teams num_teams(N / TILE) thread_limit(TILE) map(to: in[0:N]) map(from: out[0:N])
  {
    int tile[TILE], other[TILE];
    #pragma omp parallel num_threads(TILE)
    {
      for (int b = omp_get_team_num(); b < N / TILE; b += omp_get_num_teams()) {
        for (int t = omp_get_thread_num(); t < TILE; t += omp_get_num_threads()) tile[t] = in[b * TILE + t];
        #pragma omp barrier
        for (int t = omp_get_thread_num(); t < TILE; t += omp_get_num_threads()) other[t] = tile[TILE - 1 - t] * 2;
        #pragma omp barrier
        for (int t = omp_get_thread_num(); t < TILE; t += omp_get_num_threads()) out[b * TILE + t] = other[(t + 1) % TILE];
      }
    }
  }
}

static int tree_sums(const int *in, int *sums) {
  int launched = 0;
  #pragma omp target teams num_teams(8) thread_limit(64) map(to: in[0:N]) map(from: sums[0:8]) map(tofrom: launched)
  {
    int partial[64];
    #pragma omp allocate(partial) allocator(omp_pteam_mem_alloc)
    #pragma omp parallel
    {
      for (int b = omp_get_team_num(); b < 8; b += omp_get_num_teams()) {
        for (int t = omp_get_thread_num(); t < 64; t += omp_get_num_threads())
          partial[t] = t < 32 ? in[b * 32 + t] : 0;
        #pragma omp barrier
        for (int width = 32; width > 0; width /= 2) {
          for (int t = omp_get_thread_num(); t < width; t += omp_get_num_threads()) partial[t] += partial[t + width];
          #pragma omp barrier
        }
        if (omp_get_thread_num() == 0) {
          sums[b] = partial[0];
          #pragma omp atomic
          launched++;
        }
        #pragma omp barrier
      }
    }
  }
  return launched;
}

static void matrix(const float *a, float *b) {
  #pragma omp target teams distribute collapse(2) num_teams(4) map(to: a[0:N]) map(from: b[0:N])
  for (int by = 0; by < 2; by++)
    for (int bx = 0; bx < 2; bx++) {
      float tile[8][8];
      #pragma omp parallel num_threads(64)
      {
        #pragma omp for collapse(2)
        for (int y = 0; y < 8; y++)
          for (int x = 0; x < 8; x++) tile[y][x] = a[(by * 8 + y) * 16 + bx * 8 + x];
        #pragma omp for collapse(2) nowait
        for (int y = 0; y < 8; y++)
          for (int x = 0; x < 8; x++) b[(bx * 8 + y) * 16 + by * 8 + x] = tile[x][y];
      }
    }
}

int main(void) {
  int in[N], out[N], sums[8];
  float a[N], b[N];
  for (int i = 0; i < N; i++) {
    in[i] = i * 3 % 101;
    a[i] = (float)i;
  }
  reverse_tiles(in, out);
  int launched = tree_sums(in, sums);
  matrix(a, b);
  long check = launched;
  for (int i = 0; i < N; i++) check += (long)out[i] * i;
  printf("%ld", check);
  for (int i = 0; i < 8; i++) printf(" %d", sums[i]);
  printf(" %g %g %g\n", b[1], b[17], b[200]);
  return 0;
}
