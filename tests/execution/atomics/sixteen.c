/* Integers of 16 bytes. A host compiler wants libatomic for them. */
#include <stdint.h>
#include <stdio.h>

__extension__ typedef __int128 wide;

int main(void) {
  int n = 500;
  wide sum = 0, most = 0, swapped = 0, seen;
  int torn = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum, most, swapped, torn)
  for (int i = 0; i < n; i++) {
    wide v;
#pragma omp atomic
    sum += ((wide)1 << 64) + i;
#pragma omp atomic compare
    if (most < (wide)i << 70) { most = (wide)i << 70; }
#pragma omp atomic read
    v = swapped;
    if ((uint64_t)(v >> 64) != (uint64_t)v) torn = 1;
#pragma omp atomic write
    swapped = ((wide)i << 64) + i;
  }
  seen = sum >> 64;
  printf("sixteen: %d %d %d %d\n", (int)seen, (int)sum, (int)(most >> 70), torn);
  return 0;
}
