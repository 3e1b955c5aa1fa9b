/* The halo exchange of examples/halo_mpi.c by hand in CUDA: the same steps, the same output. Rows at the borders go
 * through pinned memory of the host; a rank takes its node's GPUs in turn.
 *
 *   nvcc -O3 -arch=sm_90 -ccbin mpicxx halo_mpi.cu -o halo_mpi.cuda
 *   mpirun -np 4 ./halo_mpi.cuda [columns [rows [steps]]] */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <utility>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int first_row(int rank, int ranks, int rows) { return (int)((long long)rows * rank / ranks); }

static double start_value(int row, int column, int columns) {
  return row < 0 ? 100.0 * column / columns : (row * 7 + column * 3) % 10;
}

__global__ void average(const double *__restrict__ from, double *__restrict__ to, int own, int columns) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i > own || j >= columns - 1) return;
  const size_t place = (size_t)i * columns + j;
  to[place] = 0.25 * (from[place - columns] + from[place + columns] + from[place - 1] + from[place + 1]);
}

/* The sum of a plate's own rows and the largest change, which is not negative, so that its bits are in its order. */
__global__ void summarize(const double *__restrict__ plate, const double *__restrict__ last, size_t begin, size_t end,
                          double *sum, unsigned long long *change) {
  double part = 0, most = 0;
  for (size_t i = begin + (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < end; i += (size_t)gridDim.x * blockDim.x) {
    part += plate[i];
    most = fmax(most, fabs(plate[i] - last[i]));
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    part += __shfl_down_sync(~0u, part, offset);
    most = fmax(most, __shfl_down_sync(~0u, most, offset));
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sum, part);
    atomicMax(change, (unsigned long long)__double_as_longlong(most));
  }
}

int main(int argc, char **argv) {
  int rank, ranks, devices = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(cudaGetDeviceCount(&devices));
  MPI_Comm node;
  int rank_of_node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank_of_node);
  check(cudaSetDevice(rank_of_node % devices));

  const int columns = argc > 1 ? atoi(argv[1]) : 1000, rows = argc > 2 ? atoi(argv[2]) : 1000;
  const int steps = argc > 3 ? atoi(argv[3]) : 100;
  const int first = first_row(rank, ranks, rows), own = first_row(rank + 1, ranks, rows) - first;
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  const size_t width = (size_t)columns, count = (own + 2) * width, bytes = width * sizeof(double);
  double *const plate = (double *)malloc(count * sizeof(double));
  for (int i = 0; i < own + 2; i++)
    for (int j = 0; j < columns; j++)
      plate[i * width + j] = first + i - 1 < rows ? start_value(first + i - 1, j, columns) : 0;

  /* As libomptarget's context is: made before anything is timed, waiting by asking. */
  check(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  check(cudaFree(nullptr));
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  double *old, *next, *sum, *row; /* row: pinned, four rows: the first and last own ones, those of the neighbours */
  unsigned long long *change;
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaMalloc(&old, count * sizeof(double)));
  check(cudaMalloc(&next, count * sizeof(double)));
  check(cudaMalloc(&sum, 2 * sizeof(double)));
  change = (unsigned long long *)(sum + 1);
  check(cudaMallocHost(&row, 4 * bytes));
  check(cudaMemcpyAsync(old, plate, count * sizeof(double), cudaMemcpyHostToDevice, stream));
  check(cudaMemcpyAsync(next, plate, count * sizeof(double), cudaMemcpyHostToDevice, stream));
  check(cudaMemsetAsync(sum, 0, 2 * sizeof(double), stream));
  check(cudaStreamSynchronize(stream));
  const double steps_begun = MPI_Wtime();

  const dim3 threads(32, 8), blocks((columns - 2 + 31) / 32, (own + 7) / 8);
  for (int step = 0; step < steps; step++) {
    if (above != MPI_PROC_NULL) check(cudaMemcpyAsync(row, old + width, bytes, cudaMemcpyDeviceToHost, stream));
    if (below != MPI_PROC_NULL)
      check(cudaMemcpyAsync(row + width, old + own * width, bytes, cudaMemcpyDeviceToHost, stream));
    if (ranks > 1) check(cudaStreamSynchronize(stream));
    MPI_Sendrecv(row, columns, MPI_DOUBLE, above, 0, row + 3 * width, columns, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(row + width, columns, MPI_DOUBLE, below, 1, row + 2 * width, columns, MPI_DOUBLE, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (above != MPI_PROC_NULL)
      check(cudaMemcpyAsync(old, row + 2 * width, bytes, cudaMemcpyHostToDevice, stream));
    if (below != MPI_PROC_NULL)
      check(cudaMemcpyAsync(old + (own + 1) * width, row + 3 * width, bytes, cudaMemcpyHostToDevice, stream));
    average<<<blocks, threads, 0, stream>>>(old, next, own, columns);
    std::swap(old, next);
  }
  check(cudaStreamSynchronize(stream));
  const double steps_ended = MPI_Wtime();
  summarize<<<264, 256, 0, stream>>>(old, next, width, (own + 1) * width, sum, change);
  double mine[2], all[2];
  check(cudaMemcpyAsync(mine, sum, 2 * sizeof(double), cudaMemcpyDeviceToHost, stream));
  check(cudaMemcpyAsync(plate, old, count * sizeof(double), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  const double seconds = MPI_Wtime() - start;

  MPI_Reduce(&mine[0], &all[0], 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine[1], &all[1], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d x %d, %d steps: mean %.6f, last change %.6f\n", rows, columns, steps, all[0] / rows / columns, all[1]);
    fprintf(stderr, "%d ranks, by hand: %.3f s, the steps %.6f s\n", ranks, seconds, steps_ended - steps_begun);
  }
  free(plate);
  MPI_Finalize();
  return 0;
}
