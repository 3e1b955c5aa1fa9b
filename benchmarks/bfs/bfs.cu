/* Breadth-first search from one node of a random graph: two launches for each level, until one finds nothing new. */
#include "../common_cuda.h"

/* The edges of node v are first[v] to first[v + 1]; a node has 2 to 14 of them. */
static int make_graph(int *first, int *edges, int nodes) {
  unsigned state = 5;
  int count = 0;
  for (int v = 0; v < nodes; v++) {
    first[v] = count;
    int degree = 2 + random_below(&state, 13);
    for (int e = 0; e < degree; e++) edges[count++] = random_below(&state, nodes);
  }
  first[nodes] = count;
  return count;
}

__global__ void begin(char *__restrict__ frontier, char *__restrict__ found, char *__restrict__ visited,
                      int *__restrict__ level, int nodes) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes) return;
  frontier[v] = visited[v] = v == 0;
  found[v] = 0;
  level[v] = v == 0 ? 0 : -1;
}

/* Mark the neighbours of the frontier that nobody has seen; all who mark a node write the same value. */
__global__ void expand(const int *__restrict__ first, const int *__restrict__ edges, char *__restrict__ frontier,
                       char *__restrict__ found, const char *__restrict__ visited, int nodes) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || !frontier[v]) return;
  frontier[v] = 0;
  int end = first[v + 1];
  for (int e = first[v]; e < end; e++) {
    int w = edges[e];
    if (!visited[w]) found[w] = 1;
  }
}

/* The marked nodes are the next frontier; again tells whether there are any. */
__global__ void advance(char *__restrict__ frontier, char *__restrict__ found, char *__restrict__ visited,
                        int *__restrict__ level, int nodes, int depth, int *__restrict__ again) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || !found[v]) return;
  found[v] = 0;
  frontier[v] = visited[v] = 1;
  level[v] = depth;
  *again = 1;
}

int main(int argc, char **argv) {
  int nodes = argument(argc, argv, 1, 4194304), runs = argument(argc, argv, 2, 5);
  int *first = (int *)allocate(nodes + 1, sizeof *first), *edges = (int *)allocate((size_t)nodes * 14, sizeof *edges);
  int *level = (int *)allocate(nodes, sizeof *level);
  int count = make_graph(first, edges, nodes), depth = 0;
  Clock clock = {0};

  int *dfirst = device_memory<int>(nodes + 1), *dedges = device_memory<int>(count), *dlevel = device_memory<int>(nodes);
  char *frontier = device_memory<char>(nodes), *found = device_memory<char>(nodes);
  char *visited = device_memory<char>(nodes);
  int *dagain = device_memory<int>(1), again, blocks = blocks_for(nodes);
  to_device(dfirst, first, nodes + 1);
  to_device(dedges, edges, count);
  for (int run = 0; run <= runs; run++) {
    start(&clock);
    begin<<<blocks, THREADS>>>(frontier, found, visited, dlevel, nodes);
    depth = 0;
    do {
      CHECK(cudaMemsetAsync(dagain, 0, sizeof again));
      expand<<<blocks, THREADS>>>(dfirst, dedges, frontier, found, visited, nodes);
      advance<<<blocks, THREADS>>>(frontier, found, visited, dlevel, nodes, ++depth, dagain);
      from_device(&again, dagain, 1);
    } while (again);
    from_device(level, dlevel, nodes);
    stop(&clock);
  }

  int reached = 0;
  for (int v = 0; v < nodes; v++) reached += level[v] >= 0;
  printf("edges %d, reached %d, levels %d\n", count, reached, depth);
  report_ints("levels", level, nodes);
  report_time(&clock);
  CHECK(cudaFree(dfirst));
  CHECK(cudaFree(dedges));
  CHECK(cudaFree(dlevel));
  CHECK(cudaFree(frontier));
  CHECK(cudaFree(found));
  CHECK(cudaFree(visited));
  CHECK(cudaFree(dagain));
  free(first);
  free(edges);
  free(level);
  return 0;
}
