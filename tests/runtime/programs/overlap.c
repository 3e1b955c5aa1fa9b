// SPDX-License-Identifier: Apache-2.0
/* A main like a generated one. What it does while the GPU is being started is the first argument. */
#include "rex_kmp.h"
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int fill_one(int *p, int n);

static void launch(const char *who, int (*fill)(int *, int)) {
  int p[10] = {0}, on_device = fill(p, 10);
  printf("%s on %s: %d %d\n", who, on_device ? "device" : "host", p[0], p[9]);
  fflush(stdout);
}

static void *leave(void *status) { exit(*(int *)status); }
static void *launch_in_thread(void *unused) { return launch("thread", fill_one), unused; }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  rex_offload_init();
  if (getenv("FAKE_CUDA_LOG") != NULL) fprintf(stderr, "program: main\n");
  if (strcmp(what, "return") == 0) return 7;
  if (strcmp(what, "exit") == 0) {
    pthread_t thread;
    int status = 7;
    pthread_create(&thread, NULL, leave, &status);
    pthread_join(thread, NULL);
  }
  if (strcmp(what, "fork") == 0) {
    if (fork() == 0) {
      launch("child", fill_one);
      _exit(0);
    }
    wait(NULL);
  }
  if (strcmp(what, "devices") == 0) printf("%s devices\n", omp_get_num_devices() > 0 ? "some" : "no");
  if (strcmp(what, "library") == 0) {
    void *library = dlopen("./libfill_late.so", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return printf("%s\n", dlerror()), 1;
    launch("library", (int (*)(int *, int))dlsym(library, "fill_two"));
  }
  if (strcmp(what, "threads") == 0) {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, launch_in_thread, NULL);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
  }
  launch("main", fill_one);
  return 0;
}
