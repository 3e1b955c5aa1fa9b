/* Threads that OpenMP does not know, each with target tasks of its own, inside and outside of parallel regions, while the
   initial thread has some as well. Before that a child process, which has tasks and ends, also without any. With an
   argument: a kernel that does not end. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 9, TURNS = 10, LENGTH = 200 };
static int data[THREADS + 1][LENGTH];

static void add_as_task(int *p) {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : LENGTH]) nowait depend(inout : p[0])
  for (int i = 0; i < LENGTH; i++) p[i]++;
}

static void *work(void *row) {
  int *p = row, number = (int)((int(*)[LENGTH])p - data);
  for (int k = 0; k < TURNS; k++) {
    if (number % 3 == 0) {
      add_as_task(p);
    } else if (number % 3 == 1) {
#pragma omp parallel num_threads(2)
#pragma omp single
      for (int part = 0; part < 2; part++) {
        int *q = p + part * LENGTH / 2;
#pragma omp target teams distribute parallel for map(tofrom : q[0 : LENGTH / 2]) nowait
        for (int i = 0; i < LENGTH / 2; i++) q[i]++;
      }
    } else {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : LENGTH])
      for (int i = 0; i < LENGTH; i++) p[i]++;
    }
  }
#pragma omp taskwait
  return 0;
}

static void stay(void) {
  int stop = 0;
#pragma omp target map(tofrom : stop)
  {
    volatile int *p = &stop;
    while (*p == 0) {}
  }
}

static void show(void) { printf("end of %s\n", data[0][0] > 0 ? "a child with tasks" : "a child"); }

static int status_of_child(int has_tasks) {
  fflush(stdout);
  pid_t child = fork();
  int status = 0;
  if (child == 0) {
    atexit(show);
    if (has_tasks) add_as_task(data[0]);
#pragma omp taskwait
    exit(7 + data[0][LENGTH - 1]);
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int count, char **arguments) {
  pthread_t threads[THREADS];
  int wrong = 0;
  puts("begin");
  if (count > 1) stay();
  add_as_task(data[THREADS]);
#pragma omp taskwait
  printf("children: %d %d\n", status_of_child(0), status_of_child(1));
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, data[i]);
  for (int k = 0; k < TURNS - 1; k++) add_as_task(data[THREADS]);
#pragma omp taskwait
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  for (int i = 0; i <= THREADS; i++)
    for (int k = 0; k < LENGTH; k++) wrong += data[i][k] != TURNS;
  printf("%d wrong\n", wrong);
  return 0;
}
