// Memory beside the stack of a thread is no variable of the host's: here it is what a library gives a kernel. One that is
// on the stack is found.
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

enum { STACK = 1 << 20 };

static void *run(void *given) {
  int *beside = given, own = 3, sum = 0;
#pragma omp target is_device_ptr(beside) map(tofrom : sum)
  sum += beside[5];
  int *p = &own;
#pragma omp target map(tofrom : sum)
  sum += p[0]; // want: unmapped
  printf("%d\n", sum);
  return NULL;
}

int main(void) {
  char *stack = mmap(NULL, 2 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return 1;
  int *beside = (int *)(stack + STACK);
  beside[5] = 7;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, STACK);
  if (pthread_create(&thread, &attributes, run, beside) != 0) return 1;
  pthread_join(thread, NULL);
  return 0;
}
