/* Several declarators of one declaration: each has its first value as C has it, and addresses of elements. */
#include <stdio.h>

#pragma omp declare target
int first = sizeof('a'), second = 3, third = sizeof(1 == 1), *fourth = &first;
static const unsigned long sizes[] = {sizeof('b'), sizeof(int)}, *sizes_of = sizes;
char narrow = 300 - 200, small[] = {65, 'b' + 1}, *text = "abc";
int cube[2][3][7], flat[9];
int *const in_cube = &cube[1][1][4], *in_flat = &flat[3], *also = &cube[1][1][2];
int (*row)[7] = &cube[1][2];
struct held {
  long address;
  int *p[2];
} held = {0, {&cube[0][2][1 + 1], &(cube[1][0])[6]}};
#pragma omp end declare target

int main(void) {
  long values[8] = {0};
  int same[6] = {0};
#pragma omp target map(tofrom: values)
  {
    values[0] = first;
    values[1] = second;
    values[2] = third;
    values[3] = *fourth;
    values[4] = (long)sizes[0] + (long)sizes_of[1];
    values[5] = narrow;
    values[6] = small[0] + small[1];
    values[7] = text[1];
  }
#pragma omp target map(tofrom: same)
  {
    same[0] = in_cube == &cube[1][1][4];
    same[1] = in_flat == flat + 3;
    same[2] = also - &cube[0][0][0] == 21 + 7 + 2;
    same[3] = held.p[0] == &cube[0][2][2];
    same[4] = held.p[1] - &cube[0][0][0] == 27;
    same[5] = *row == cube[1][2];
  }
  for (int i = 0; i < 8; i++) printf("%ld ", values[i]);
  for (int i = 0; i < 6; i++) printf("%d ", same[i]);
  printf("\n");
  return 0;
}
