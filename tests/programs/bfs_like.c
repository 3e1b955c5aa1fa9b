// A breadth-first search: structs, flags, an outer loop around two data constructs. Includes are there twice.
#include <stdio.h>
#include <stdlib.h>
#include <stdio.h>
#include <stdlib.h>
#define NODES 40

struct Node {
  int first, degree;
};

static void search(const struct Node *nodes, const int *edges, int n, int m, char *mask, char *next, char *seen, int *cost) {
  int stop;
#pragma omp target data map(to : nodes[0 : n], edges[0 : m], mask[0 : n], next[0 : n], seen[0 : n]) map(tofrom : cost[0 : n])
  {
    do {
      stop = 0;
#pragma omp target teams distribute parallel for map(tofrom : stop)
      for (int t = 0; t < n; t++) {
        if (mask[t]) {
          mask[t] = 0;
          for (int i = nodes[t].first; i < nodes[t].first + nodes[t].degree; i++) {
            int id = edges[i];
            if (!seen[id]) {
              cost[id] = cost[t] + 1;
              seen[id] = 1;
              next[id] = 1;
              stop = 1;
            }
          }
        }
        /* the next level */
      }
      for (int t = 0; t < n; t++) mask[t] = 0;
#pragma omp target update from(next[0 : n])
      for (int t = 0; t < n; t++) mask[t] = next[t], next[t] = 0;
#pragma omp target update to(mask[0 : n], next[0 : n])
    } while (stop);
  }
}

int main(int argc, char **argv) {
  struct Node nodes[NODES];
  int edges[NODES * 2], m = 0, cost[NODES];
  char mask[NODES] = {1}, next[NODES] = {0}, seen[NODES] = {1};
  for (int i = 0; i < NODES; i++) {
    nodes[i].first = m;
    if (2 * i + 1 < NODES) edges[m++] = 2 * i + 1;
    if (2 * i + 2 < NODES) edges[m++] = 2 * i + 2;
    nodes[i].degree = m - nodes[i].first;
    cost[i] = i ? -1 : 0;
  }
  search(nodes, edges, NODES, m, mask, next, seen, cost);
  long s = 0;
  for (int i = 0; i < NODES; i++) s += cost[i] * (i + 1);
  printf("%ld\n", s);
  return argc > 100 ? atoi(argv[1]) : 0;
}
