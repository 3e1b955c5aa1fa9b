/* Breadth-first search from one node of a random graph: two launches for each level, until one finds nothing new. */
#include "../common.h"

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

static void begin(char *frontier, char *found, char *visited, int *level, int nodes) {
#pragma omp target teams distribute parallel for map(from : level[0:nodes]) \
    map(from : frontier[0:nodes], found[0:nodes], visited[0:nodes])
  for (int v = 0; v < nodes; v++) {
    frontier[v] = visited[v] = v == 0;
    found[v] = 0;
    level[v] = v == 0 ? 0 : -1;
  }
}

/* Mark the neighbours of the frontier that nobody has seen. */
static void expand(const int *first, const int *edges, char *frontier, char *found, const char *visited, int nodes) {
#pragma omp target teams distribute parallel for
  for (int v = 0; v < nodes; v++) {
    if (frontier[v]) {
      frontier[v] = 0;
      for (int e = first[v]; e < first[v + 1]; e++) {
        int w = edges[e];
        if (!visited[w]) {
#pragma omp atomic write
          found[w] = 1;
        }
      }
    }
  }
}

/* The marked nodes are the next frontier. Returns whether there are any. */
static int advance(char *frontier, char *found, char *visited, int *level, int nodes, int depth) {
  int again = 0;
#pragma omp target teams distribute parallel for map(tofrom : again)
  for (int v = 0; v < nodes; v++) {
    if (found[v]) {
      found[v] = 0;
      frontier[v] = visited[v] = 1;
      level[v] = depth;
#pragma omp atomic write
      again = 1;
    }
  }
  return again;
}

int main(int argc, char **argv) {
  int nodes = argument(argc, argv, 1, 4194304), runs = argument(argc, argv, 2, 5);
  int *first = allocate(nodes + 1, sizeof *first), *edges = allocate((size_t)nodes * 14, sizeof *edges);
  char *frontier = allocate(nodes, 1), *found = allocate(nodes, 1), *visited = allocate(nodes, 1);
  int *level = allocate(nodes, sizeof *level);
  int count = make_graph(first, edges, nodes), depth = 0;
  Clock clock = {0};

#pragma omp target data map(to : first[0:nodes + 1], edges[0:count]) \
    map(alloc : frontier[0:nodes], found[0:nodes], visited[0:nodes], level[0:nodes])
  for (int run = 0; run <= runs; run++) {
    start(&clock);
    begin(frontier, found, visited, level, nodes);
    depth = 0;
    do {
      expand(first, edges, frontier, found, visited, nodes);
    } while (advance(frontier, found, visited, level, nodes, ++depth));
#pragma omp target update from(level[0:nodes])
    stop(&clock);
  }

  int reached = 0;
  for (int v = 0; v < nodes; v++) reached += level[v] >= 0;
  printf("edges %d, reached %d, levels %d\n", count, reached, depth);
  report_ints("levels", level, nodes);
  report_time(&clock);
  free(first);
  free(edges);
  free(frontier);
  free(found);
  free(visited);
  free(level);
  return 0;
}
