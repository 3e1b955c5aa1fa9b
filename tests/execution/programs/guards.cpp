// Guards around what may not be read: sections smaller than the loop, null pointers, loops without iterations. Tools that
// check a GPU's memory find what clean-ups read too early.
#include <cstdio>
#include <cstdlib>

struct node {
  int val, tab[3];
  double scale;
};

enum { N = 4096 };
static int *out, *a, *b;

static void tell(const char *what) {
  long sum = 7;
  for (int i = 0; i < N; i++) sum = sum * 31 + out[i] + 3 * a[i];
  std::printf("%s %ld\n", what, sum);
}

// A section from lo to below end; the loop goes from 0 to N.
static void sections(int lo, int m) {
  const int end = lo + m;
#pragma omp target teams distribute parallel for map(to : a[lo : m]) map(from : out[0 : N])
  for (int i = 0; i < N; i++) {
    int v = 0;
    if (i >= lo && i < end) v = a[i] * 2 + a[i];
    out[i] = v;
  }
  tell("value");
#pragma omp target teams distribute parallel for map(tofrom : a[lo : m], out[0 : N])
  for (int i = 0; i < N; i++) out[i] += i >= lo && i < end ? a[i] : 1;
  tell("conditional");
#pragma omp target teams distribute parallel for map(tofrom : a[lo : m], out[0 : N])
  for (int i = 0; i < N; i++) {
    if (i < lo || i >= end) continue;
    a[i] += 3;
    for (int k = 0; k < 3; k++) a[i] ^= k;
    out[i] += a[i];
  }
  tell("continue");
#pragma omp target teams distribute parallel for map(tofrom : a[lo : m], out[0 : N])
  for (int i = 0; i < N; i++)
    if (i >= lo && i < end && a[i] % 3)
      out[i] += a[i];
    else
      out[i]--;
  tell("if");
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : out[0 : N]) map(to : a[lo : m], b[0 : N])
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) {
      int at = i * 64 + j, v = b[at];
      if (at >= lo && at < end) v += a[at];
      out[at] = v + (at > lo && at < end ? a[at - 1] : 0);
    }
  tell("nest");
#pragma omp target teams distribute parallel for map(tofrom : out[0 : N]) map(to : a[lo : m])
  for (int i = end - 1; i >= lo; i--) {
    out[i] += a[i] + a[i + (i + 1 < end)];
    if (i > lo) out[i] += a[i - 1];
  }
  tell("down");
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : a[lo : m])
  for (int i = 0; i < N; i++)
    if (i >= lo && i < end) sum += a[i] * a[i];
  std::printf("sum %d\n", sum);
}

static void pointers(int lo, int m, const int *none, const node *nil) {
  node *s = static_cast<node *>(std::calloc(N, sizeof(node)));
  for (int i = 0; i < N; i++) s[i].val = i, s[i].tab[1] = i % 5, s[i].scale = 0.5 * (i % 4);
#pragma omp target teams distribute parallel for map(tofrom : out[0 : N]) map(to : b[0 : N])
  for (int i = 0; i < N; i++) {
    int t = 0, count = nil ? nil->tab[0] : 0;
    for (int k = 0; k < count; k++) t += nil->val * nil->tab[k % 3] + nil->val;
    for (int k = 0; k < (none ? 3 : 0); k++) t += none[k] + none[i];
    out[i] += t + (none ? none[i] * none[i] : b[i]);
  }
  tell("null");
#pragma omp target teams distribute parallel for map(tofrom : out[0 : N], s[lo : m])
  for (int i = 0; i < N; i++) {
    node *p = i >= lo && i < lo + m ? s + i : nullptr;
    int t = 0;
    if (p)
      for (int k = 0; k < p->tab[1]; k++) {
        t += p->val * p->tab[k % 3] + p->val;
        p->tab[2] += k;
      }
    for (int k = 0; k < (p ? 2 : 0); k++) t += (int)(p->scale * 4) + (int)(p->scale * k);
    out[i] += t;
  }
  tell("members");
  std::printf("%d\n", s[lo + 4].tab[2]);
  std::free(s);
}

int main() {
  out = static_cast<int *>(std::calloc(N, sizeof(int)));
  a = static_cast<int *>(std::calloc(N, sizeof(int)));
  b = static_cast<int *>(std::calloc(N, sizeof(int)));
  for (int i = 0; i < N; i++) a[i] = i * 7 % 13, b[i] = i;
  sections(100, 1000);
  pointers(100, 1000, nullptr, nullptr);
}
