/* Nearest neighbours: the distances of all records to a place, then the closest five, one short reduction for each. */
#include <math.h>

#include "../common.h"

enum { NEIGHBOURS = 5 };

typedef struct {
  float lat, lng;
} Place;

static void fill(Place *places, int n) {
  unsigned state = 9;
  for (int i = 0; i < n; i++) {
    places[i].lat = 180.0f * random_unit(&state) - 90.0f;
    places[i].lng = 360.0f * random_unit(&state) - 180.0f;
  }
}

static void find_distances(const Place *places, float *distance, int n, float lat_here, float lng_here) {
#pragma omp target teams distribute parallel for map(to : places[0:n]) map(from : distance[0:n])
  for (int i = 0; i < n; i++) {
    float lat = places[i].lat - lat_here, lng = places[i].lng - lng_here;
    distance[i] = sqrtf(lat * lat + lng * lng);
  }
}

/* The smallest distance that is larger than the last one. */
static float next_distance(const float *distance, int n, float last) {
  float best = 1e30f;
#pragma omp target teams distribute parallel for map(to : distance[0:n]) reduction(min : best)
  for (int i = 0; i < n; i++) {
    if (distance[i] > last && distance[i] < best) best = distance[i];
  }
  return best;
}

int main(int argc, char **argv) {
  int n = argument(argc, argv, 1, 4194304), queries = argument(argc, argv, 2, 20), runs = argument(argc, argv, 3, 5);
  Place *places = allocate(n, sizeof *places);
  float *distance = allocate(n, sizeof *distance), *nearest = allocate(queries * NEIGHBOURS, sizeof *nearest);
  Clock clock = {0};
  fill(places, n);

#pragma omp target data map(to : places[0:n]) map(alloc : distance[0:n])
  for (int run = 0; run <= runs; run++) {
    start(&clock);
    for (int q = 0; q < queries; q++) {
      float lat = 80.0f - 7.0f * (float)q, lng = 15.0f * (float)q - 150.0f;
      find_distances(places, distance, n, lat, lng);
      float last = -1.0f;
      for (int k = 0; k < NEIGHBOURS; k++) {
        last = next_distance(distance, n, last);
        nearest[q * NEIGHBOURS + k] = last;
      }
    }
    stop(&clock);
  }

  for (int q = 0; q < queries && q < 3; q++) printf("query %d: %.6e\n", q, nearest[q * NEIGHBOURS]);
  report_floats("nearest", nearest, queries * NEIGHBOURS);
  report_time(&clock);
  free(places);
  free(distance);
  free(nearest);
  return 0;
}
