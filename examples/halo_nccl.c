/* The halo exchange of halo_mpi.c by NCCL: one GPU for each rank, rows go from device memory to device memory. MPI starts
 * the ranks and tells them how to meet. NCCL comes from CUDA's packages or from PyPI (nvidia-nccl-cu13); N is its folder:
 *
 *   N=$(python3 -c 'import nvidia.nccl as n; print(n.__path__[0])')
 *   OMPI_CC=rexcc mpicc -O2 halo_nccl.c -o halo_nccl -I$N/include -I/usr/local/cuda/include -L/usr/local/cuda/lib64 \
 *     $N/lib/libnccl.so.2 -Wl,-rpath,$N/lib -lcudart -lm && mpirun -np 2 ./halo_nccl [columns [rows [steps]]]
 *
 * CUDA and OpenMP have to mean the same GPU by a rank's device, so this program chooses it for both. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <mpi.h>
#include <nccl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
static void check_nccl(const char *what, ncclResult_t result) {
  if (result != ncclSuccess) stop(what, ncclGetErrorString(result));
}
static void check_cuda(const char *what, cudaError_t result) {
  if (result != cudaSuccess) stop(what, cudaGetErrorString(result));
}

/* The GPU of a rank, for CUDA and for OpenMP: those of a node in turn. */
static void choose_device(void) {
  MPI_Comm node;
  int local;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &local);
  MPI_Comm_free(&node);
  if (omp_get_num_devices() == 0) stop("omp_get_num_devices", "no device");
  const int device = local % omp_get_num_devices();
  omp_set_default_device(device);
  check_cuda("cudaSetDevice", cudaSetDevice(device));
}

static ncclComm_t meet(int rank, int ranks) {
  ncclUniqueId id;
  ncclComm_t all;
  if (rank == 0) check_nccl("ncclGetUniqueId", ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  check_nccl("ncclCommInitRank", ncclCommInitRank(&all, ranks, id, rank));
  return all;
}

/* Rows 1 and `own` go to the neighbours, whose rows come into 0 and own + 1; a neighbour below 0 is none. The next region
 * must not begin before they are there: its stream does not wait for this one. */
static void exchange(double *plate, int own, int columns, int above, int below, ncclComm_t all, cudaStream_t stream) {
  const size_t width = (size_t)columns;
  double *const last = plate + own * width;
  check_nccl("ncclGroupStart", ncclGroupStart());
  if (above >= 0) {
    check_nccl("ncclSend", ncclSend(plate + width, width, ncclDouble, above, all, stream));
    check_nccl("ncclRecv", ncclRecv(plate, width, ncclDouble, above, all, stream));
  }
  if (below >= 0) {
    check_nccl("ncclSend", ncclSend(last, width, ncclDouble, below, all, stream));
    check_nccl("ncclRecv", ncclRecv(last + width, width, ncclDouble, below, all, stream));
  }
  check_nccl("ncclGroupEnd", ncclGroupEnd());
  check_cuda("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

static int first_row(int rank, int ranks, int rows) { return (int)((long long)rows * rank / ranks); }

static double start_value(int row, int column, int columns) {
  return row < 0 ? 100.0 * column / columns : (row * 7 + column * 3) % 10;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int columns = argc > 1 ? atoi(argv[1]) : 1000, rows = argc > 2 ? atoi(argv[2]) : 1000;
  const int steps = argc > 3 ? atoi(argv[3]) : 100;
  const int first = first_row(rank, ranks, rows), own = first_row(rank + 1, ranks, rows) - first;
  const int above = rank - 1, below = rank < ranks - 1 ? rank + 1 : -1;
  const size_t width = (size_t)columns, count = (own + 2) * width;
  double *old = malloc(count * sizeof *old), *new = malloc(count * sizeof *new);
  double sum = 0, change = 0, all[2], mine[2];
  cudaStream_t stream;

  if (own < 1) stop("rows", "too few for so many ranks");
  choose_device();
  ncclComm_t comm = meet(rank, ranks);
  check_cuda("cudaStreamCreate", cudaStreamCreate(&stream));
  for (int i = 0; i < own + 2; i++)
    for (int j = 0; j < columns; j++)
      old[i * width + j] = new[i * width + j] = first + i - 1 < rows ? start_value(first + i - 1, j, columns) : 0;

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
#pragma omp target data map(tofrom : old[0 : count], new[0 : count])
  {
    for (int step = 0; step < steps; step++) {
#pragma omp target data use_device_ptr(old)
      exchange(old, own, columns, above, below, comm, stream);
#pragma omp target teams distribute parallel for collapse(2)
      for (int i = 1; i <= own; i++)
        for (int j = 1; j < columns - 1; j++)
          new[i * width + j] = 0.25 * (old[(i - 1) * width + j] + old[(i + 1) * width + j] + old[i * width + j - 1] +
                                       old[i * width + j + 1]);
      double *const swapped = old;
      old = new;
      new = swapped;
    }
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : sum) reduction(max : change)
    for (int i = 1; i <= own; i++)
      for (int j = 0; j < columns; j++) {
        sum += old[i * width + j];
        change = fmax(change, fabs(old[i * width + j] - new[i * width + j]));
      }
  }
  const double seconds = MPI_Wtime() - start;

  mine[0] = sum, mine[1] = change;
  MPI_Reduce(&mine[0], &all[0], 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine[1], &all[1], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d x %d, %d steps: mean %.6f, last change %.6f\n", rows, columns, steps, all[0] / rows / columns, all[1]);
    fprintf(stderr, "%d ranks, NCCL: %.3f s\n", ranks, seconds);
  }
  cudaStreamDestroy(stream);
  ncclCommDestroy(comm);
  free(old), free(new);
  MPI_Finalize();
  return 0;
}
