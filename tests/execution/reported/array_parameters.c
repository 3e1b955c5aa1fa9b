// Parameters that are written as arrays are pointers: what is mapped is the pointer, or what it points to.
#include <stdio.h>

static int rows(int n, int m[3][4]) {
  int sum = 0;
#pragma omp target enter data map(to : m[0 : 3])
  for (int i = 0; i < 12; i++) m[0][i] += 0;
#pragma omp target update to(m[0 : n][1 : 2])
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < n; i++) sum += m[i][1] + m[i][2];
#pragma omp target exit data map(delete : m[0 : 3])
  return sum;
}

// The region gets the pointer, and moves it on.
static int moved(int a[4]) {
  int first = 0;
#pragma omp target data map(a[0 : 4])
#pragma omp target map(from : first) defaultmap(tofrom : pointer)
  {
    first = a != 0;
    a++;
  }
  return first;
}

static int mapped(int a[4], int *b) {
  int step = 0;
#pragma omp target map(tofrom : a, b, step)
  {
    a += 1;
    b += 2;
    step = 1;
  }
  return step + a[0] + b[0];
}

int main(void) {
  int m[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
  printf("%d %d %d\n", rows(2, m), moved(m[0]), mapped(m[1], m[2]));
  return 0;
}
