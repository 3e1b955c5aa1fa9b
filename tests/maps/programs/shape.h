/* What the programs of the table share: a shape begins, storage gets a name, a result is checked. */
#ifndef SHAPE_H
#define SHAPE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
/* The recorder's, where it is loaded. */
void map_shape(const char *id) __attribute__((weak));
void map_note(const char *name, const void *begin, size_t size) __attribute__((weak));
#ifdef __cplusplus
}
#endif

static const char *shape_now;
static int shape_number;

/* Shapes run in order; MAPS_FIRST names the first one by its number, for one before it may have ended the program. */
static int shape_wanted(void) {
  const char *first = getenv("MAPS_FIRST");
  return shape_number++ >= (first != NULL ? atoi(first) : 0);
}

#define RUN(call) (shape_wanted() ? (void)(call) : (void)0)

/* Everything up to the next one belongs to this shape. */
static void shape(const char *id) {
  shape_now = id;
  if (map_shape) map_shape(id);
}

/* What has a name before the first shape keeps it, and may stay mapped. */
static void note(const char *name, const void *begin, size_t size) {
  if (map_note) map_note(name, begin, size);
}

#define NOTE(object) note(#object, &(object), sizeof(object))

/* The data moved as the shape's clauses say. */
static void check(int right) {
  printf("%s: %s\n", shape_now, right ? "moved" : "WRONG");
  fflush(stdout);
}

#endif
