/* Nearest neighbours, Rodinia style: distances of many records to a point, then the closest ones and some statistics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
  float lat, lng;
} LatLong;

/* Distance of every record to (lat, lng). */
static void find_distances(const LatLong *where, float *z, int n, float lat, float lng) {
#pragma omp target teams distribute parallel for map(to : where[0:n]) map(from : z[0:n])
  for (int i = 0; i < n; i++) {
    float dlat = where[i].lat - lat, dlng = where[i].lng - lng;
    z[i] = sqrtf(dlat * dlat + dlng * dlng);
  }
}

/* Sum and smallest of all distances in one pass. */
static double sum_and_nearest(const float *z, int n, float *nearest) {
  double sum = 0;
  float best = *nearest;
#pragma omp target teams distribute parallel for map(to : z[0:n]) reduction(+ : sum) reduction(min : best)
  for (int i = 0; i < n; i++) {
    sum += z[i];
    if (z[i] < best) best = z[i];
  }
  *nearest = best;
  return sum;
}

/* How many records are closer than the radius. */
static int count_within(const float *z, int n, float radius) {
  int count = 0;
#pragma omp target map(tofrom : count) map(to : z[0:n])
#pragma omp teams distribute parallel for
  for (int i = 0; i < n; i++) {
    if (z[i] < radius) {
#pragma omp atomic update
      count++;
    }
  }
  return count;
}

int main(int argc, char **argv) {
  clock_t start = clock();
  int n = argc > 1 ? atoi(argv[1]) : 42765;
  LatLong *where = malloc(n * sizeof *where);
  float *z = malloc(n * sizeof *z);
  for (int i = 0; i < n; i++) where[i] = (LatLong){i % 90 + 0.25f, i % 181 - 0.5f};

  float nearest = 1e30f;
  double sum = 0;
  int within = 0;
#pragma omp target data map(to : where[0:n]) map(from : z[0:n])
  {
    find_distances(where, z, n, 30, 90);
    sum = sum_and_nearest(z, n, &nearest);
    within = count_within(z, n, 25);
  }
  printf("records %d, nearest %.4f, mean %.4f, within 25 degrees %d\n", n, nearest, sum / n, within);
  fprintf(stderr, "total time: %.6f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
  free(where);
  free(z);
  return 0;
}
