/* A halo exchange between GPUs by MPI: heat on a plate, whose rows the ranks share. The plate stays on the devices from
 * beginning to end; what goes between ranks are the rows at the borders, from device memory where the MPI takes its
 * addresses, else through the host. No rank chooses a device: those of a node get its GPUs in turn (REX_INFO=1 tells).
 *
 *   OMPI_CC=rexcc mpicc -O2 halo_mpi.c -o halo_mpi -lm && mpirun -np 4 ./halo_mpi [columns [rows [steps]]]
 *
 * (MPICH_CC for MPICH.) HALO=device or HALO=host chooses the way; an MPI that is not CUDA-aware ends with a segmentation
 * fault when it is given the address of a GPU's memory. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

/* Whether MPI's calls may be given device addresses. */
static int mpi_takes_device_addresses(void) {
#if defined(MPIX_CUDA_AWARE_SUPPORT) || defined(MPIX_GPU_SUPPORT_CUDA)
  return MPIX_Query_cuda_support();
#else
  return 0;
#endif
}

/* The rows of a rank: first, how many. */
static int first_row(int rank, int ranks, int rows) { return (int)((long long)rows * rank / ranks); }

static double start_value(int row, int column, int columns) {
  return row < 0 ? 100.0 * column / columns : (row * 7 + column * 3) % 10;
}

/* One exchange: rows 1 and `own` go to the neighbours, whose rows come into 0 and own + 1. */
static void exchange(double *plate, int own, int columns, int above, int below) {
  const size_t width = (size_t)columns;
  double *const last = plate + own * width;
  MPI_Sendrecv(plate + width, columns, MPI_DOUBLE, above, 0, last + width, columns, MPI_DOUBLE, below, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(last, columns, MPI_DOUBLE, below, 1, plate, columns, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int columns = argc > 1 ? atoi(argv[1]) : 1000, rows = argc > 2 ? atoi(argv[2]) : 1000;
  const int steps = argc > 3 ? atoi(argv[3]) : 100;
  const int first = first_row(rank, ranks, rows), own = first_row(rank + 1, ranks, rows) - first;
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
  const char *const chosen = getenv("HALO");
  const int can = mpi_takes_device_addresses(), direct = chosen != NULL ? strcmp(chosen, "device") == 0 : can;
  const size_t width = (size_t)columns, count = (own + 2) * width;
  const size_t to_above = above != MPI_PROC_NULL ? width : 0, to_below = below != MPI_PROC_NULL ? width : 0;
  double *old = malloc(count * sizeof *old), *new = malloc(count * sizeof *new);
  double sum = 0, change = 0, steps_begun, steps_ended, all[2], mine[2];

  if (own < 1) {
    fprintf(stderr, "%d rows are too few for %d ranks\n", rows, ranks);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (int i = 0; i < own + 2; i++)
    for (int j = 0; j < columns; j++)
      old[i * width + j] = new[i * width + j] = first + i - 1 < rows ? start_value(first + i - 1, j, columns) : 0;

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
#pragma omp target data map(tofrom : old[0 : count], new[0 : count])
  {
    steps_begun = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
      if (direct) {
#pragma omp target data use_device_ptr(old)
        exchange(old, own, columns, above, below);
      } else if (ranks > 1) {
        /* Where there is no neighbour, nothing goes or comes: the plate's own borders stay as they are. */
#pragma omp target update from(old[width : to_above], old[own * width : to_below])
        exchange(old, own, columns, above, below);
#pragma omp target update to(old[0 : to_above], old[(own + 1) * width : to_below])
      }
#pragma omp target teams distribute parallel for collapse(2)
      for (int i = 1; i <= own; i++)
        for (int j = 1; j < columns - 1; j++)
          new[i * width + j] = 0.25 * (old[(i - 1) * width + j] + old[(i + 1) * width + j] + old[i * width + j - 1] +
                                       old[i * width + j + 1]);
      double *const swapped = old;
      old = new;
      new = swapped;
    }
    steps_ended = MPI_Wtime();
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
    fprintf(stderr, "%d ranks, %s: %.3f s, the steps %.6f s\n", ranks,
            direct ? "device to device"
            : can  ? "through the host"
                   : "through the host (this MPI does not say that it takes device addresses)",
            seconds, steps_ended - steps_begun);
  }
  free(old), free(new);
  MPI_Finalize();
  return 0;
}
