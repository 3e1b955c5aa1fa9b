// SPDX-License-Identifier: Apache-2.0
/* Loads and unloads two shared libraries again and again; each registers itself and must survive dlclose. */
#include <dlfcn.h>
#include <stdio.h>

static int use(const char *library, const char *function) {
  int p[10];
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return printf("%s\n", dlerror()), 0;
  int (*fill)(int *, int) = (int (*)(int *, int))dlsym(handle, function);
  int on_device = fill(p, 10);
  printf("%s on %s: %d %d\n", function, on_device ? "device" : "host", p[0], p[9]);
  dlclose(handle);
  return on_device;
}

int main(void) {
  for (int i = 0; i < 3; i++)
    if (!use("./libone.so", "fill_one") || !use("./libtwo.so", "fill_two")) return 1;
  return 0;
}
