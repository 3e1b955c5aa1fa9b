// SPDX-License-Identifier: Apache-2.0
/* Regions before main, after main and in destructors: nothing is unregistered behind the user's back. */
#include <stdio.h>
#include <stdlib.h>

int fill_one(int *p, int n);

static void launch(const char *when) {
  int p[1000], on_device = fill_one(p, 1000);
  printf("%s on %s: %d\n", when, on_device ? "device" : "host", p[999]);
}

__attribute__((constructor(101))) static void before_all(void) { launch("constructor"); }
__attribute__((destructor)) static void after_all(void) { launch("destructor"); }
static void at_exit(void) { launch("atexit"); }

int main(void) {
  atexit(at_exit);
  launch("main");
  return 0;
}
