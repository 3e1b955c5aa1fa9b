/* Nearest neighbours: the timer's declaration must come after the initialisation; scalars travel as literals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct place {
  float lat, lng;
} Place;

static void distances(const Place *where, float *z, int n, float lat, float lng, int teams) {
#pragma omp target teams distribute parallel for map(to : where[0 : n], lat, lng) map(from : z[0 : n]) num_teams(teams) thread_limit(128)
  for (int i = 0; i < n; i++) {
    float dlat = where[i].lat - lat, dlng = where[i].lng - lng;
    z[i] = sqrtf(dlat * dlat + dlng * dlng);
  }
}

int main(int argc, char *argv[]) {
  long long start = clock();
  int n = argc > 1 ? atoi(argv[1]) : 100;
  Place *where = malloc(n * sizeof *where);
  float *z = malloc(n * sizeof *z);
  for (int i = 0; i < n; i++) where[i] = (Place){i % 90, i % 181};
  distances(where, z, n, 30, 90, 4);
  double s = 0;
  for (int i = 0; i < n; i++) s += z[i];
  printf("%.2f\n", s);
  if (clock() < start) puts("time runs backwards");
  free(where), free(z);
  return 0;
}
