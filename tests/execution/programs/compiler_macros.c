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

// Questions that gcc does not have, of which a program may have its own form.
#ifdef __has_extension
#define EXTENDS 1
#else
#define EXTENDS 2
#endif
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(c_atomic)
enum { FEATURE = 1 };
#else
enum { FEATURE = 2 };
#endif

/* not a mention: __clang__ */
static const char *text = "__clang__ __GNUC__";

#pragma omp begin declare target
static int minor(void) { return __GNUC_MINOR__ * 100 + __GNUC_PATCHLEVEL__; }
#pragma omp end declare target

int main(void) {
  unit values[4] = {1, 2, 3, 4};
  int size = 0, kind = 0, older = 0, branch = 0, versions = 0, length = 0, asked = 0;
#pragma omp target map(tofrom : values, size, kind, older, branch, versions, length, asked)
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
    asked = EXTENDS * 10 + FEATURE;
#ifdef __has_warning
    asked += 100;
#endif
    versions = minor() + (__GNUC__ << 16);
    length = sizeof(__VERSION__) + sizeof "__clang__";
  }
  int host_branch = 2;
#ifdef __clang__
  host_branch = 1;
#endif
  int host_asked = EXTENDS * 10 + FEATURE;
#ifdef __has_warning
  host_asked += 100;
#endif
  printf("%d %d %d\n", size == sizeof(unit), values[0] == 2 && values[3] == 5, kind == KIND);
  printf("%d %d %d\n", older == OLDER(5) + 2 * OLDER(13), branch == host_branch, versions == minor() + (__GNUC__ << 16));
  printf("%d %s\n", length == (int)(sizeof(__VERSION__) + sizeof "__clang__"), text);
  printf("%d\n", asked == host_asked);
  return 0;
}
