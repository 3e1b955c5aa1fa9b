/* A tool that takes ranges of NVTX, and counts what OpenMP tells a tool. NVTX finds it by NVTX_INJECTION64_PATH, libomp by
   OMP_TOOL_LIBRARIES. It writes what it has heard to standard error when the program ends. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NVTX: the program's tables of functions, in which the tool puts its own. */
typedef void function(void);
struct callbacks {
  size_t size;
  int (*find)(int module, function ****table, unsigned *count);
};
enum { CORE = 1, CALLBACKS = 1, PUSH = 9, POP = 11 };

static char heard[1 << 16];
static int pops;
static __thread int depth;

static int push(const char *name) {
  static const char spaces[] = "        ";
  char line[256];
  snprintf(line, sizeof line, "%.*s%s\n", depth, spaces, name);
  strncat(heard, line, sizeof heard - strlen(heard) - 1);
  return depth++;
}
static int pop(void) { return pops++, --depth; }
static void tell_ranges(void) { fprintf(stderr, "%s%d pops\n", heard, pops); }

int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t)) {
  const struct callbacks *callbacks = export_table(CALLBACKS);
  function ***table;
  unsigned count = 0;
  if (callbacks == NULL || callbacks->size < sizeof *callbacks || export_table(77) != NULL) return 0;
  if (!callbacks->find(CORE, &table, &count) || count != 16 || callbacks->find(99, &table, &count)) return 0;
  callbacks->find(CORE, &table, &count);
  *table[PUSH] = (function *)push, *table[POP] = (function *)pop;
  return atexit(tell_ranges) == 0;
}

/* OMPT. */
static long regions[2], kernels, bytes[2], devices;
static void on_device(int number, const char *type, void *device, function *(*look_up)(const char *), const char *document) {
  devices++;
}
static void on_target(int kind, int end, int device, void *task, void *new_task, void *target, const void *code) {
  regions[kind != 1 && kind != 9] += end == 1;
}
static void on_copy(int end, void *task, void *target, uint64_t *id, int operation, void *from, int source, void *to,
                    int destination, size_t size, const void *code) {
  if (end == 2 && (operation == 2 || operation == 3)) bytes[operation - 2] += (long)size;
}
static void on_kernel(int end, void *target, uint64_t *id, unsigned teams) { kernels += end == 2; }
static int begin(function *(*look_up)(const char *), int device, void *data) {
  int (*set)(int, function *) = (int (*)(int, function *))look_up("ompt_set_callback");
  return set(12, (function *)on_device) == 5 && set(33, (function *)on_target) == 5 && set(34, (function *)on_copy) == 5 &&
         set(35, (function *)on_kernel) == 5;
}
static void end(void *data) {
  fprintf(stderr, "%ld targets, %ld of data, %ld kernels, %ld bytes to, %ld from\n", regions[0], regions[1], kernels, bytes[0],
          bytes[1]);
}
void *ompt_start_tool(unsigned version, const char *runtime) {
  static struct {
    int (*begin)(function *(*)(const char *), int, void *);
    void (*end)(void *), *data;
  } tool = {begin, end};
  return &tool;
}
