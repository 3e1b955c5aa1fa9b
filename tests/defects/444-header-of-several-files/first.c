#define USED 10 * x
#include "both.h"
int of_first(void) { return add(1, 2); }
int main(void) { printf("%d %d\n", of_first(), of_second()); }
