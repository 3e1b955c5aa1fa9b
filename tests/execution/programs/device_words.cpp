// Names that kernels have as CUDA's own variables, and typedefs that CUDA's headers have, as the user's.
extern "C" int printf(const char *, ...);
typedef unsigned long long uint64_t; // what <stdint.h> makes of another type
typedef short uint;
struct launch {
  int gridDim, blockDim;
  int threads() const { return gridDim * blockDim; }
};
static int warpSize(int blockIdx) { return blockIdx * 2; }
#define SHIFTED(x) ((x) + blockIdx)
template <class T> T sum(const T *values, int gridDim) {
  T total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total) map(to : values[0 : gridDim])
  for (int threadIdx = 0; threadIdx < gridDim; threadIdx++) total += values[threadIdx];
  return total;
}
int main() {
  launch shape = {4, 8}, *there = &shape;
  uint64_t marks[32] = {0};
  uint offset = 3;
  int blockIdx = 5;
#pragma omp target teams distribute parallel for map(tofrom : marks)
  for (int threadIdx = 0; threadIdx < 32; threadIdx++) marks[threadIdx] = SHIFTED(threadIdx) + warpSize(offset);
#pragma omp target map(tofrom : shape)
  shape.gridDim += shape.threads();
  int values[3] = {1, 2, 3};
  printf("gridDim %d %llu %llu %d\n", there->gridDim, marks[0], marks[31], sum(values, 3)); // "gridDim" stays
}
