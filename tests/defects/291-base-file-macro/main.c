#include <stdio.h>
static char told[2][64];
static void tell(char *to, const char *from) {
  do *to = *from;
  while (*to++ && *from++);
}
#ifdef __BASE_FILE__
#define OWN "__BASE_FILE__"
#endif
int main(void) {
#pragma omp target map(from : told)
  tell(told[0], __BASE_FILE__), tell(told[1], OWN);
  printf("%s %s %s\n", __BASE_FILE__, told[0], told[1]);
}
