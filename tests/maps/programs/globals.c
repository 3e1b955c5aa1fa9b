/* Static storage: global and local variables, and those that declare target names. */
#include "shape.h"

#define N 12

#pragma omp begin declare target
int global_scalar = 3;
int global_array[N];
#pragma omp end declare target

int linked_array[N];
#pragma omp declare target link(linked_array)

static int plain_global = 4;
static double plain_global_array[N];

static void global_not_declared(void) {
  shape("global variables, implicit");
  NOTE(plain_global), NOTE(plain_global_array);
#pragma omp target map(tofrom : plain_global)
  plain_global_array[1] = plain_global++;
  check(plain_global == 5 && plain_global_array[1] == 4);
}

static void static_local(void) {
  static int a[N] = {1}, x = 2;
  shape("static local variables, implicit");
  NOTE(a), NOTE(x);
#pragma omp target
  a[0] += x;
  check(a[0] == 3);
}

static void declared_global(void) {
  int r[1];
  shape("declare target variables, used without a map");
  NOTE(r);
#pragma omp target
  {
    global_array[1] = 5;
    r[0] = global_scalar;
  }
  check(r[0] == 3 && global_array[1] == 0);
}

static void declared_global_updated(void) {
  shape("declare target variables, update to and from");
  global_scalar = 6;
#pragma omp target update to(global_scalar)
#pragma omp target
  global_array[2] = global_scalar;
#pragma omp target update from(global_array)
  check(global_array[2] == 6);
}

static void declared_global_mapped(void) {
  shape("declare target variables, mapped always tofrom");
  global_scalar = 8;
#pragma omp target map(always, tofrom : global_scalar, global_array)
  global_array[3] = global_scalar++;
  check(global_array[3] == 8 && global_scalar == 9);
}

static void linked_global(void) {
  shape("declare target link array, mapped");
  NOTE(linked_array);
#pragma omp target map(tofrom : linked_array)
  linked_array[1] = 5;
  check(linked_array[1] == 5);
}

static void linked_global_data(void) {
  shape("declare target link array, enter data and update");
  NOTE(linked_array);
#pragma omp target enter data map(to : linked_array)
#pragma omp target
  linked_array[2] = 6;
#pragma omp target update from(linked_array)
#pragma omp target exit data map(release : linked_array)
  check(linked_array[2] == 6);
}

int main(void) {
  NOTE(global_scalar), NOTE(global_array); /* mapped for ever */
  RUN(global_not_declared());
  RUN(static_local());
  RUN(declared_global());
  RUN(declared_global_updated());
  RUN(declared_global_mapped());
  RUN(linked_global());
  RUN(linked_global_data());
  return 0;
}
