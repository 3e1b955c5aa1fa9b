/* A B+ tree in an array of nodes: batches of searches for one key each, and for the sum over a range of keys. */
#include "../common_cuda.h"

enum { KEYS = 16, NONE = 2147483647 };

/* Subtree k holds the keys from keys[k - 1] on, below keys[k]. The children of a leaf are the values of its keys and, last,
 * the next leaf. */
typedef struct {
  int keys[KEYS];
  int child[KEYS + 1];
} Node;

typedef struct {
  int low, high;
} Range;

static int value_of(int key) {
  return (int)((unsigned)key * 7919u % 100003u);
}

static int count_nodes(int keys) {
  int level = (keys + KEYS - 1) / KEYS, all = level;
  while (level > 1) all += level = (level + KEYS) / (KEYS + 1);
  return all;
}

/* Leaves first, then level by level; the root is the last node. Keys are 0, 3, 6 … Returns how far the leaves are. */
static int make_tree(Node *nodes, int keys) {
  int leaves = (keys + KEYS - 1) / KEYS, first = 0, count = leaves, height = 0;
  int *smallest = (int *)allocate(leaves, sizeof *smallest);
  for (int leaf = 0; leaf < leaves; leaf++) {
    smallest[leaf] = 3 * leaf * KEYS;
    for (int k = 0; k < KEYS; k++) {
      int which = leaf * KEYS + k;
      nodes[leaf].keys[k] = which < keys ? 3 * which : NONE;
      nodes[leaf].child[k] = which < keys ? value_of(3 * which) : -1;
    }
    nodes[leaf].child[KEYS] = leaf + 1 < leaves ? leaf + 1 : -1;
  }
  while (count > 1) {
    int above = (count + KEYS) / (KEYS + 1);
    for (int i = 0; i < above; i++) {
      Node *node = &nodes[first + count + i];
      for (int k = 0; k <= KEYS; k++) {
        int below = i * (KEYS + 1) + k;
        node->child[k] = below < count ? first + below : -1;
        if (k > 0) node->keys[k - 1] = below < count ? smallest[below] : NONE;
      }
      smallest[i] = smallest[i * (KEYS + 1)];
    }
    first += count;
    count = above;
    height++;
  }
  free(smallest);
  return height;
}

/* How many keys of a node are not larger than the key. */
__device__ int rank_in(const Node *__restrict__ node, int key) {
  int rank = 0;
  for (int k = 0; k < KEYS; k++) rank += node->keys[k] <= key;
  return rank;
}

__device__ int find_leaf(const Node *__restrict__ nodes, int root, int height, int key) {
  int node = root;
  for (int level = 0; level < height; level++) node = nodes[node].child[rank_in(&nodes[node], key)];
  return node;
}

__global__ void search(const Node *__restrict__ nodes, int root, int height, const int *__restrict__ wanted,
                       int *__restrict__ answer, int n) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= n) return;
  int key = wanted[q];
  const Node *leaf = &nodes[find_leaf(nodes, root, height, key)];
  int at = rank_in(leaf, key) - 1;
  answer[q] = at >= 0 && leaf->keys[at] == key ? leaf->child[at] : -1;
}

__global__ void sum_ranges(const Node *__restrict__ nodes, int root, int height, const Range *__restrict__ ranges,
                           int *__restrict__ answer, int n) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= n) return;
  int low = ranges[q].low, high = ranges[q].high, sum = 0;
  int leaf = find_leaf(nodes, root, height, low);
  while (leaf >= 0 && nodes[leaf].keys[0] <= high) {
    for (int k = 0; k < KEYS; k++) {
      if (nodes[leaf].keys[k] >= low && nodes[leaf].keys[k] <= high) sum += nodes[leaf].child[k];
    }
    leaf = nodes[leaf].child[KEYS];
  }
  answer[q] = sum;
}

int main(int argc, char **argv) {
  int keys = argument(argc, argv, 1, 1048576), n = argument(argc, argv, 2, 1048576);
  int batches = argument(argc, argv, 3, 4), runs = argument(argc, argv, 4, 5);
  int count = count_nodes(keys), root = count - 1;
  Node *nodes = (Node *)allocate(count, sizeof *nodes);
  int *wanted = (int *)allocate(n, sizeof *wanted), *answer = (int *)allocate(n, sizeof *answer);
  int *sum = (int *)allocate(n, sizeof *sum);
  Range *ranges = (Range *)allocate(n, sizeof *ranges);
  int height = make_tree(nodes, keys);
  Clock clock = {0};
  unsigned state = 13;
  for (int q = 0; q < n; q++) {
    wanted[q] = random_below(&state, 3 * keys);
    ranges[q].low = random_below(&state, 3 * keys);
    ranges[q].high = ranges[q].low + random_below(&state, 200);
  }

  Node *dnodes = device_memory<Node>(count);
  int *dwanted = device_memory<int>(n), *danswer = device_memory<int>(n), *dsum = device_memory<int>(n);
  Range *dranges = device_memory<Range>(n);
  to_device(dnodes, nodes, count);
  for (int run = 0; run <= runs; run++) {
    to_device(dwanted, wanted, n);
    to_device(dranges, ranges, n);
    start(&clock);
    for (int batch = 0; batch < batches; batch++) {
      search<<<blocks_for(n), THREADS>>>(dnodes, root, height, dwanted, danswer, n);
      sum_ranges<<<blocks_for(n), THREADS>>>(dnodes, root, height, dranges, dsum, n);
    }
    CHECK(cudaGetLastError());
    from_device(answer, danswer, n);
    from_device(sum, dsum, n);
    stop(&clock);
  }

  int right = 0, found = 0;
  for (int q = 0; q < n; q++) {
    right += answer[q] == (wanted[q] % 3 == 0 ? value_of(wanted[q]) : -1);
    found += answer[q] >= 0;
  }
  printf("nodes %d, height %d, right %d of %d, found %d\n", count, height, right, n, found);
  report_ints("answers", answer, n);
  report_ints("sums", sum, n);
  report_time(&clock);
  CHECK(cudaFree(dnodes));
  CHECK(cudaFree(dwanted));
  CHECK(cudaFree(dranges));
  CHECK(cudaFree(danswer));
  CHECK(cudaFree(dsum));
  free(nodes);
  free(wanted);
  free(ranges);
  free(answer);
  free(sum);
  return right == n ? 0 : 1;
}
