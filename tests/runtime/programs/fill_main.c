// SPDX-License-Identifier: Apache-2.0
/* The user's main for two fill modules, in whatever pieces they are linked. Not a generated file: registration must
   have happened before main. */
#include <omp.h>
#include <stdio.h>

int fill_one(int *p, int n);
int fill_two(int *p, int n);
void set_table_one(int value);
void set_table_two(int value);

static void show(const char *name, int on_device, const int *p) {
  printf("%s on %s: %d %d\n", name, on_device ? "device" : "host", p[0], p[9]);
}

int main(void) {
  int p[10];
  printf("devices: %s\n", omp_get_num_devices() > 0 ? "some" : "none");
  show("one", fill_one(p, 10), p);
  show("two", fill_two(p, 10), p);
  set_table_one(7);
  set_table_two(8);
  show("one", fill_one(p, 10), p);
  show("two", fill_two(p, 10), p);
  return 0;
}
