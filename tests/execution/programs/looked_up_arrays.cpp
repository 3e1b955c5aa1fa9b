/* Arrays of an iteration whose elements only the run finds: each thread has its own, whatever its neighbours do. */
#include <cstdio>

enum { N = 3000, M = 40 };
static int keys[N * M], out[N];
static float values[N * M];
static unsigned char bytes[N * M];

static unsigned long long sum(const int *v) {
  unsigned long long s = 0;
  for (int i = 0; i < N; i++) s = s * 31 + (unsigned)v[i];
  return s;
}

template <class E, int K> static void counts(const unsigned char *from, int *to, int n) {
#pragma omp target teams distribute parallel for thread_limit(32 * K)
  for (int i = 0; i < n; i++) {
    E h[K];
    for (int k = 0; k < K; k++) h[k] = 0;
    for (int j = 0; j < M; j++) h[from[j * n + i] % K]++;
    unsigned s = 0;
    for (int k = 0; k < K; k++) s = s * 7 + (unsigned)h[k];
    to[i] = (int)s;
  }
}

/* Two arrays in step, sorted by insertion: the loop ends where the values say so. */
static void least(const float *from, int *to, int n) {
#pragma omp target teams distribute parallel for thread_limit(64)
  for (int i = 0; i < n; i++) {
    float best[6];
    int at[6];
    for (int k = 0; k < 6; k++) best[k] = 1e30f, at[k] = -1;
    for (int j = 0; j < M; j++) {
      const float v = from[j * n + i];
      if (v >= best[5]) continue;
      int p = 5;
      while (p > 0 && best[p - 1] > v) {
        best[p] = best[p - 1];
        at[p] = at[p - 1];
        p--;
      }
      best[p] = v, at[p] = j;
    }
    unsigned s = 0;
    for (int k = 0; k < 6; k++) s = s * 41 + (unsigned)at[k];
    to[i] = (int)s;
  }
}

/* A stack beside other declarators; iterations leave at different places. */
static void walks(const int *from, int *to, int n) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int r = 0; r < n / 100; r++)
    for (int c = 0; c < 100; c++) {
      const int i = r * 100 + c;
      int stack[12], top = 0, depth = 9;
      unsigned found = 0;
      if (from[i] % 5 == 0) {
        to[i] = -1;
        continue;
      }
      stack[top++] = 1 + from[i] % 3;
      while (top > 0) {
        const int node = stack[--top];
        found = found * 3 + (unsigned)node;
        if (node > 200 || top > depth) continue;
        if (from[(node + i) % n] % 2) stack[top++] = 2 * node;
        if (from[(node * 7 + i) % n] % 3) stack[top++] = 2 * node + 1;
      }
      to[i] = (int)found;
    }
}

/* Arrays in inner blocks, an order of elements, and swaps through references. */
static void orders(const int *from, int *to, int n) {
#pragma omp target teams distribute parallel for num_threads(96)
  for (int i = 0; i < n; i++) {
    unsigned s = 0;
    for (int part = 0; part < 3; part++) {
      short order[9];
      for (int k = 0; k < 9; k++) order[k] = (short)k;
      for (int k = 8; k > 0; k--) {
        short &mine = order[k], &other = order[from[(part * 9 + k) * n + i] % (k + 1)];
        const short kept = mine;
        mine = other, other = kept;
      }
      for (int k = 0; k < 9; k++) s = s * 9 + (unsigned)order[k];
    }
    to[i] = (int)s;
  }
}

/* Subscripts of all types, elements that share words, and blocks that are no whole warps. */
enum Colour { RED, GREEN, BLUE, WHITE };

template <int THREADS> static void kinds(const int *from, int *to, int n) {
#pragma omp target teams distribute parallel for thread_limit(THREADS)
  for (int i = 0; i < n; i++) {
    signed char marks[26];
    short pairs[21], at = 0;
    bool odd[5];
    long sums[4];
    for (unsigned char k = 0; k < 26; k++) marks[k] = (signed char)-k;
    for (unsigned long k = 0; k < 21; k++) pairs[k] = (short)(k * 300);
    for (long long k = 0; k < 5; k++) odd[k] = k & 1;
    for (unsigned k = 0; k < 4; k++) sums[k] = -(long)k;
    for (int j = 0; j < M; j++) {
      const int v = from[j * n + i];
      const Colour colour = (Colour)(v >> 3 & 3);
      const bool is_odd = v & 1;
      const signed char c = (signed char)(v % 26);
      const unsigned u = (unsigned)v % 21u;
      sums[colour] += (long)v << 8;
      marks[c] = (signed char)(marks[25 - c] + j);
      pairs[u] ^= (short)v, at += pairs[20l - u];
      odd[is_odd] = odd[2 + is_odd] != odd[(unsigned long)v % 5];
      if (v % 3 == 0) odd[v % 4 + 1] = !odd[v % 4];
    }
    unsigned s = at;
    for (int k = 0; k < 26; k++) s = s * 5 + (unsigned)marks[k];
    for (int k = 0; k < 21; k++) s = s * 5 + (unsigned)pairs[k];
    for (int k = 0; k < 5; k++) s = s * 2 + odd[k];
    for (int k = 0; k < 4; k++) s = s * 3 + (unsigned)(sums[k] >> 7);
    to[i] = (int)s;
  }
}

static void show(const char *call) {
#pragma omp target update from(out)
  std::printf("%s %llx\n", call, sum(out));
}

int main() {
  unsigned x = 12345;
  for (int i = 0; i < N * M; i++) {
    x = x * 1664525u + 1013904223u;
    keys[i] = (int)(x >> 9), values[i] = (float)(x >> 11), bytes[i] = (unsigned char)(x >> 21);
  }
#pragma omp target data map(to : keys, values, bytes) map(alloc : out)
  {
#define SHOW(call) call, show(#call);
    SHOW((counts<int, 8>(bytes, out, N)))
    SHOW((counts<unsigned char, 16>(bytes, out, N)))
    SHOW((counts<short, 7>(bytes, out, N)))
    SHOW((counts<double, 5>(bytes, out, N)))
    SHOW((counts<long, 32>(bytes, out, N)))
    SHOW((counts<unsigned, 4>(bytes, out, N)))
    SHOW((counts<unsigned char, 18>(bytes, out, N)))
    SHOW((counts<short, 15>(bytes, out, N)))
    SHOW((counts<float, 10>(bytes, out, N)))
    SHOW(least(values, out, N))
    SHOW(walks(keys, out, N))
    SHOW(orders(keys, out, N))
    SHOW(kinds<100>(keys, out, N))
    SHOW(kinds<256>(keys, out, N))
  }
}
