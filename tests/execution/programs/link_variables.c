/* declare target link: variables that are on the device while they are mapped, in regions and in called functions. */
#include <stdio.h>

struct Pair {
  int a, b;
  double real[3];
};
static int counter = 3;
double numbers[10] = {1, 2, 3};
struct Pair pair = {1, 2, {0.5, 1.5, 2.5}};
const int fixed[4] = {7, 8, 9, 10};
#pragma omp declare target link(counter, numbers) link(pair)
#pragma omp declare target link(fixed)
int always_there = 4;
#pragma omp declare target enter(always_there)

static int get(int i) { return counter + (int)numbers[i] + always_there; }
static void put(int v) {
  numbers[3] = v;
  pair.b += v;
}
static int indirectly(int i) { return get(i) * 2; }

static void regions(void) {
  int r = 0;
#pragma omp target map(tofrom : counter)
  {
    counter += (int)numbers[1];
    always_there++;
  }
#pragma omp target update from(always_there)
  printf("regions: %d %d\n", counter, always_there);
#pragma omp target
  {
    pair.a += 5;
    numbers[9] = counter;
    counter = -1;
  }
  printf("implicitly: %g %d %d\n", numbers[9], pair.a, counter);
#pragma omp target map(tofrom : pair, numbers[2 : 4])
  put(7);
  printf("sections: %g %d\n", numbers[3], pair.b);
#pragma omp target map(tofrom : pair.b, pair.real[1 : 2])
  {
    pair.b = 12;
    pair.real[2] *= 2;
  }
  printf("members: %d %d %g\n", pair.a, pair.b, pair.real[2]);
#pragma omp target map(from : r)
  r = fixed[2];
  printf("const: %d\n", r);
#pragma omp target teams distribute parallel for reduction(+ : counter) map(tofrom : counter)
  for (int i = 0; i < 10; i++) counter += i;
  printf("reduction: %d\n", counter);
}

static void functions(void) {
  int r = 0;
#pragma omp target data map(tofrom : numbers, counter)
  {
#pragma omp target map(tofrom : r)
    r = indirectly(1);
    counter = 100;
#pragma omp target update to(counter)
#pragma omp target map(tofrom : r)
    r += get(2);
  }
  printf("functions: %d\n", r);
#pragma omp target enter data map(to : counter, numbers[0 : 5])
#pragma omp target map(tofrom : r, numbers[0 : 5])
  {
    r += get(0);
    counter = 50;
    numbers[4] = 4.5;
  }
#pragma omp target update from(counter, numbers[3 : 2])
  printf("entered: %d %d %g\n", r, counter, numbers[4]);
#pragma omp target exit data map(delete : counter, numbers[0 : 5])
}

static void copies(void) {
  int r = 0, t = 0;
#pragma omp target firstprivate(pair, counter) map(tofrom : r)
  {
    pair.a += 5;
    counter += pair.a;
    r = counter + pair.b;
    counter -= pair.a;
    pair.a -= 5;
  }
#pragma omp target teams distribute parallel for firstprivate(numbers) reduction(+ : t)
  for (int i = 0; i < 4; i++) t += (int)(4 * numbers[i]);
#pragma omp target parallel firstprivate(pair) num_threads(4) reduction(+ : t)
  t += pair.b * 0;
  printf("copies: %d %d %d\n", r, t, pair.a);
}

int main(void) {
  regions();
  functions();
  copies();
  return 0;
}
