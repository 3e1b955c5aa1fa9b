/* Specifiers and attributes of variables on the device, whose symbols the runtime has to find; macros hide some. */
#include <stdio.h>
#define LOCAL static
#define LOCAL_INT LOCAL int
#define ALIGNED_LOCAL(n) static __attribute__((aligned(n)))
#define DEFINE(type, name, value) static type name = value
#define HIDDEN __attribute__((visibility("hidden")))
#define ATTRIBUTE(what) __attribute__((what))
#define NAMED(name) __asm__(name)

#pragma omp declare target
static /* static extern inline */ int /* static */ first = 5, second[2] = {6, 66}, *third = &second[1];
int static words = 2;
LOCAL int local = 7;
LOCAL_INT local_int = 8, several[3] = {1, 2, 3};
ALIGNED_LOCAL(32) int aligned = 9;
DEFINE(int, defined, 10);
HIDDEN int hidden = 11;
int HIDDEN behind = 12;
__attribute__((visibility("hidden"), aligned(16))) int both = 13;
ATTRIBUTE(visibility("hidden")) int made = 14;
int at_end __attribute__((__visibility__("hidden"))) = 15;
int named __asm__("other_name") = 16;
int renamed NAMED("another_name") = 17, plain = 18;
static const char text[] = "static inline";
LOCAL struct { int x; } unnamed = {19};
#pragma omp end declare target

static void show(const char *when) {
  int seen[20] = {0};
#pragma omp target map(tofrom : seen)
  {
    seen[0] = first++, seen[1] = second[1]++, seen[2] = *third, seen[3] = words++, seen[4] = local++;
    seen[5] = local_int++, seen[6] = several[2]++, seen[7] = aligned++, seen[8] = defined++, seen[9] = hidden++;
    seen[10] = behind++, seen[11] = both++, seen[12] = made++, seen[13] = at_end++, seen[14] = named++;
    seen[15] = renamed++, seen[16] = plain++, seen[17] = text[7], seen[18] = unnamed.x++;
  }
  printf("%s:", when);
  for (int i = 0; i < 19; i++) printf(" %d", seen[i]);
  printf("\n");
}

int main(void) {
  show("first");
#pragma omp target update from(first, second, words, local, local_int, several, aligned, defined, hidden, behind, both)
#pragma omp target update from(made, at_end, named, renamed, plain, unnamed)
  printf("%d %d %d %d %d %d %d %d\n", first, second[1], words, local, local_int, several[2], aligned, defined);
  printf("%d %d %d %d %d %d %d %d\n", hidden, behind, both, made, at_end, named, renamed, plain);
  local = 100, several[1] = 200, hidden = 300, made = 400, named = 500, renamed = 600, defined = 700, unnamed.x = 800;
#pragma omp target update to(local, several, hidden, made, named, renamed, defined, unnamed)
  show("then");
  return 0;
}
