/* Nearest neighbours: the distances of all records to a place, then the closest five, one short reduction for each. */
#include <math.h>

#include "../common_cuda.h"

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

__global__ void find_distances(const Place *__restrict__ places, float *__restrict__ distance, int n, float lat_here,
                               float lng_here) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float lat = places[i].lat - lat_here, lng = places[i].lng - lng_here;
  distance[i] = sqrtf(lat * lat + lng * lng);
}

__device__ float smallest_of_warp(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fminf(value, __shfl_down_sync(0xffffffffu, value, offset));
  return value;
}

/* The smallest distance that is larger than the last one; positive floats are ordered as their bits are. */
__global__ void next_distance(const float *__restrict__ distance, int n, float last, int *__restrict__ result) {
  __shared__ float of_warps[THREADS / 32];
  float best = 1e30f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float d = distance[i];
    if (d > last) best = fminf(best, d);
  }
  best = smallest_of_warp(best);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x < 32) {
    best = smallest_of_warp(threadIdx.x < THREADS / 32 ? of_warps[threadIdx.x] : 1e30f);
    if (threadIdx.x == 0) atomicMin(result, __float_as_int(best));
  }
}

int main(int argc, char **argv) {
  int n = argument(argc, argv, 1, 4194304), queries = argument(argc, argv, 2, 20), runs = argument(argc, argv, 3, 5);
  Place *places = (Place *)allocate(n, sizeof *places);
  float *nearest = (float *)allocate(queries * NEIGHBOURS, sizeof *nearest);
  Clock clock = {0};
  fill(places, n);

  Place *dplaces = device_memory<Place>(n);
  float *distance = device_memory<float>(n), last;
  int *result = device_memory<int>(1), processors;
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  int blocks = blocks_for(n) < 8 * processors ? blocks_for(n) : 8 * processors;
  to_device(dplaces, places, n);
  for (int run = 0; run <= runs; run++) {
    start(&clock);
    for (int q = 0; q < queries; q++) {
      float lat = 80.0f - 7.0f * (float)q, lng = 15.0f * (float)q - 150.0f;
      find_distances<<<blocks_for(n), THREADS>>>(dplaces, distance, n, lat, lng);
      last = -1.0f;
      for (int k = 0; k < NEIGHBOURS; k++) {
        CHECK(cudaMemsetAsync(result, 0x7f, sizeof *result));
        next_distance<<<blocks, THREADS>>>(distance, n, last, result);
        from_device(&last, (const float *)result, 1);
        nearest[q * NEIGHBOURS + k] = last;
      }
    }
    stop(&clock);
  }

  for (int q = 0; q < queries && q < 3; q++) printf("query %d: %.6e\n", q, nearest[q * NEIGHBOURS]);
  report_floats("nearest", nearest, queries * NEIGHBOURS);
  report_time(&clock);
  CHECK(cudaFree(dplaces));
  CHECK(cudaFree(distance));
  CHECK(cudaFree(result));
  free(places);
  free(nearest);
  return 0;
}
