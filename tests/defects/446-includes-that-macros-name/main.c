#define STANDARD <stdio.h>
#define OPENMP <omp.h>
#include STANDARD
#include OPENMP
#define PART "part.h"
#define IN(folder, name) STRING(folder/name.h)
#define STRING(text) #text
#include IN(inner, deeper)
#define NAME first
#define ADDED 1
#include PART
#undef NAME
#undef ADDED
#define NAME second
#define ADDED 10
#include /* once more */ "part.h" // behind
#undef NAME
#undef ADDED
#define NAME third
#define ADDED 100
#include COMMAND_LINE
#if 0
#include NOWHERE
#endif
int main(void) {
  int sum = 0;
  first(&sum), second(&sum), third(&sum);
  printf("%d %d %d\n", sum, lowest(7), __LINE__);
  return 0;
}
