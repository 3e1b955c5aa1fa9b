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

// Questions that compilers answer differently: gcc has the first built-in function and attribute, clang the others.
#ifdef __has_builtin
#define HAS(name) __has_builtin(name)
#else
#define HAS(name) 0
#endif
#define HAS_BUILTIN(name) HAS(__builtin_##name)
#ifdef __has_c_attribute
#define IN_SCOPE(scope, name) ATTRIBUTE(scope::name)
#define ATTRIBUTE(name) __has_c_attribute(name)
#else
#define IN_SCOPE(scope, name) 0
#define ATTRIBUTE(name) 0
#endif
#define IS_KEPT ATTRIBUTE(gnu::noipa)
#if HAS_BUILTIN(has_attribute)
typedef long counted;
#elif HAS(__builtin_readcyclecounter) && __has_attribute(ext_vector_type)
typedef short counted;
#else
typedef char counted;
#endif
#if IN_SCOPE(clang, noescape) || __has_attribute(noescape)
struct padded { char a[3], b; };
#elif IS_KEPT
struct padded { int a[3], b; };
#else
struct padded { long a[3], b; };
#endif
#define ASKED_IN_CODE(result) \
  result += (__has_attribute(noescape) ? 5 : 7) + ATTRIBUTE(gnu::noinline) + HAS(__builtin_unpredictable) + \
            sizeof(counted) + 16 * sizeof(struct padded)

/* not a mention: __clang__ */
static const char *text = "__clang__ __GNUC__";

#pragma omp begin declare target
static int minor(void) { return __GNUC_MINOR__ * 100 + __GNUC_PATCHLEVEL__; }
#pragma omp end declare target

int main(void) {
  unit values[4] = {1, 2, 3, 4};
  struct padded record = {{1, 3}, 4};
  int size = 0, kind = 0, older = 0, branch = 0, versions = 0, length = 0, asked = 0;
#pragma omp target map(tofrom : values, record, size, kind, older, branch, versions, length, asked)
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
#if HAS_BUILTIN(nondeterministic_value) || ATTRIBUTE(gnu::noipa) && HAS(__builtin_speculation_safe_value)
    asked += 1000;
#elif __has_attribute(noipa)
    asked += 2000;
#else
    asked += 3000;
#endif
    ASKED_IN_CODE(asked);
    record.a[1]++;
    record.b += 2;
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
#if HAS_BUILTIN(nondeterministic_value) || ATTRIBUTE(gnu::noipa) && HAS(__builtin_speculation_safe_value)
  host_asked += 1000;
#elif __has_attribute(noipa)
  host_asked += 2000;
#else
  host_asked += 3000;
#endif
  ASKED_IN_CODE(host_asked);
  printf("%d %d %d\n", size == sizeof(unit), values[0] == 2 && values[3] == 5, kind == KIND);
  printf("%d %d %d\n", older == OLDER(5) + 2 * OLDER(13), branch == host_branch, versions == minor() + (__GNUC__ << 16));
  printf("%d %s\n", length == (int)(sizeof(__VERSION__) + sizeof "__clang__"), text);
  printf("%d %d\n", asked == host_asked, record.a[1] == 4 && record.b == 6);
  return 0;
}
