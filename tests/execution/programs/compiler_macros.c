// Macros by which a compiler tells who it is: device code has the values and takes the branches of the host's compiler,
// whatever reads or compiles it. The program compares, so that it prints the same with each.
#include <stdio.h>
#include <string.h>

#if defined(__clang__) && __clang_major__ >= 19
typedef char unit;
#define KIND 19
#elif defined __clang__
typedef short unit;
#define KIND 18
#elif __GNUC__ > 4
typedef double unit;
#define KIND __GNUC__
#else
typedef int unit;
#define KIND 1
#endif
#define OLDER(major) (__GNUC__ < (major))

/* not a mention: __clang__ */
static const char *text = "__clang__ __GNUC__";

#pragma omp begin declare target
static int minor(void) { return __GNUC_MINOR__ * 100 + __GNUC_PATCHLEVEL__; }
#pragma omp end declare target

int main(void) {
  unit values[4] = {1, 2, 3, 4};
  int size = 0, kind = 0, older = 0, branch = 0, versions = 0, length = 0;
#pragma omp target map(tofrom : values, size, kind, older, branch, versions, length)
  {
    size = sizeof(unit);
    for (int i = 0; i < 4; i++) values[i] += 1;
    kind = KIND;
    older = OLDER(5) + 2 * OLDER(13);
#ifdef __clang__
    branch = 1;
#else
    branch = 2;
#endif
    versions = minor() + (__GNUC__ << 16);
    length = sizeof(__VERSION__) + sizeof "__clang__";
  }
  int host_branch = 2;
#ifdef __clang__
  host_branch = 1;
#endif
  printf("%d %d %d\n", size == sizeof(unit), values[0] == 2 && values[3] == 5, kind == KIND);
  printf("%d %d %d\n", older == OLDER(5) + 2 * OLDER(13), branch == host_branch, versions == minor() + (__GNUC__ << 16));
  printf("%d %s\n", length == (int)(sizeof(__VERSION__) + sizeof "__clang__"), text);
  return 0;
}
