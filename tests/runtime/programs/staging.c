// SPDX-License-Identifier: Apache-2.0
/* Large copies, in all the ways in which libomptarget's own and ours must not differ. Prints what was wrong, and how many
   checks there were. */
#include "rex_kmp.h"
#include <stddef.h>
#include <stdint.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fill_one(int *p, int n);

#ifndef KIB
#define KIB (24 << 10)
#endif
enum { SIZE = KIB << 10, THREADS = 6, TURNS = 12, PERIOD = 251 };

static struct __rex_ident place = REX_PLACE(";staging.c;main;1;1;;");
static int failures, checks;

static void check(int good, const char *what, int line) {
  checks++;
  if (!good) printf("line %d: %s\n", line, what), failures++;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

typedef void Call(struct __rex_ident *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);
static void one_row(Call *call, void *address, int64_t size, int64_t type) {
  call(&place, REX_DEVICE_DEFAULT, 1, &address, &address, &size, &type, 0, 0);
}
static void begin(void *p, int64_t size, int64_t type) { one_row(__tgt_target_data_begin_mapper, p, size, type); }
static void end(void *p, int64_t size, int64_t type) { one_row(__tgt_target_data_end_mapper, p, size, type); }
static void update(void *p, int64_t size, int64_t type) { one_row(__tgt_target_data_update_mapper, p, size, type); }

/* Device memory, looked at and changed behind the runtime's back. */
static char *on_device(const void *p) { return (char *)omp_get_mapped_ptr(p, omp_get_default_device()); }
static void look(void *copy, const void *p, size_t size) {
  omp_target_memcpy(copy, on_device(p), size, 0, 0, omp_get_initial_device(), omp_get_default_device());
}
static void change(const void *p, const void *copy, size_t size) {
  omp_target_memcpy(on_device(p), copy, size, 0, 0, omp_get_default_device(), omp_get_initial_device());
}

/* Numbers from ``first`` on that begin again behind each period, which no page or chunk is a multiple of. */
static void make_array(char *p, int first) {
  for (int i = 0; i < PERIOD; i++) p[i] = (char)(first + i);
  for (size_t made = PERIOD; made < SIZE; made *= 2) memcpy(p + made, p, made < SIZE - made ? made : SIZE - made);
}
static char *array(int first) {
  char *p = (char *)malloc(SIZE);
  make_array(p, first);
  return p;
}
static int is_array(const char *p, int first) {
  for (int i = 0; i < PERIOD; i++)
    if (p[i] != (char)(first + i)) return 0;
  return memcmp(p + PERIOD, p, SIZE - PERIOD) == 0;
}

static int is_there(const char *p, int first) {
  char *copy = (char *)malloc(SIZE);
  look(copy, p, SIZE);
  int same = is_array(copy, first);
  return free(copy), same;
}
static void make_there(const char *p, int first) {
  char *copy = array(first);
  change(p, copy, SIZE);
  free(copy);
}

static void test_begin_and_end(void) {
  char *p = array(1);
  begin(p, SIZE, REX_MAP_TOFROM);
  char *there = on_device(p);
  CHECK(there != p && is_there(p, 1));
  make_array(p, 2);
  begin(p, SIZE, REX_MAP_TO); /* is there: nothing is copied */
  CHECK(is_there(p, 1));
  begin(p, SIZE, REX_MAP_TO | REX_MAP_ALWAYS);
  CHECK(is_there(p, 2));
  make_there(p, 3);
  end(p, SIZE, REX_MAP_FROM); /* not the last */
  CHECK(is_array(p, 2) && on_device(p) == there);
  end(p, SIZE, REX_MAP_FROM | REX_MAP_ALWAYS);
  CHECK(is_array(p, 3) && on_device(p) == there);
  make_there(p, 4);
  end(p, SIZE, REX_MAP_FROM);
  CHECK(is_array(p, 4) && on_device(p) == NULL);
  begin(p, SIZE, REX_MAP_NONE);
  begin(p, SIZE, REX_MAP_NONE);
  make_there(p, 5);
  end(p, SIZE, REX_MAP_FROM | REX_MAP_DELETE);
  CHECK(is_array(p, 5) && on_device(p) == NULL);
  begin(p, SIZE, REX_MAP_TO);
  make_there(p, 6);
  end(p, SIZE, REX_MAP_NONE);
  CHECK(is_array(p, 5) && on_device(p) == NULL);
  free(p);
}

static void test_update(void) {
  char *p = array(1);
  update(p, SIZE, REX_MAP_TO); /* is not there */
  begin(p, SIZE, REX_MAP_NONE);
  update(p, SIZE, REX_MAP_TO);
  CHECK(is_there(p, 1));
  make_there(p, 2);
  update(p, SIZE, REX_MAP_FROM);
  CHECK(is_array(p, 2));
  make_array(p, 3);
  update(p + SIZE / 2, SIZE / 2, REX_MAP_TO);
  char *there = (char *)malloc(SIZE);
  look(there, p, SIZE);
  CHECK(memcmp(there + SIZE / 2, p + SIZE / 2, SIZE / 2) == 0 && memcmp(there, p, SIZE / 2) != 0);
  free(there);
  end(p, SIZE, REX_MAP_NONE);
  free(p);
}

static void test_several_rows(void) {
  char *a = array(1), *b = array(2), small[8] = "small", back[8];
  void *begins[] = {a, small, b};
  int64_t sizes[] = {SIZE, sizeof small, SIZE}, types[] = {REX_MAP_TO, REX_MAP_TOFROM, REX_MAP_TOFROM};
  __tgt_target_data_begin_mapper(&place, REX_DEVICE_DEFAULT, 3, begins, begins, sizes, types, 0, 0);
  CHECK(is_there(a, 1) && is_there(b, 2) && (look(back, small, 8), strcmp(back, "small") == 0));
  make_array(a, 5), make_array(b, 6), strcpy(small, "SMALL");
  __tgt_target_data_update_mapper(&place, REX_DEVICE_DEFAULT, 3, begins, begins, sizes, (int64_t[]){REX_MAP_TO, REX_MAP_TO, REX_MAP_TO}, 0, 0);
  CHECK(is_there(a, 5) && is_there(b, 6) && (look(back, small, 8), strcmp(back, "SMALL") == 0));
  make_there(b, 7), change(small, "back", 5);
  __tgt_target_data_end_mapper(&place, REX_DEVICE_DEFAULT, 3, begins, begins, sizes, types, 0, 0);
  CHECK(is_array(a, 5) && is_array(b, 7) && strcmp(small, "back") == 0 && !on_device(a) && !on_device(b));
  free(a), free(b);
}

/* A construct that only asks for addresses refers to nothing: what ends inside of it ends, and what begins stays. */
static void test_addresses(void) {
  char *p = array(1), *q = array(2);
  void *begins[] = {p + 5, q}, *bases[] = {p + 5, q};
  int64_t none[] = {0, 0}, types[] = {REX_MAP_RETURN_PARAM, REX_MAP_RETURN_PARAM};
  begin(p, SIZE, REX_MAP_TO);
  __tgt_target_data_begin_mapper(&place, REX_DEVICE_DEFAULT, 1, bases, begins, none, types, 0, 0);
  CHECK(bases[0] == on_device(p) + 5);
  make_there(p, 3);
  end(p, SIZE, REX_MAP_FROM);
  CHECK(is_array(p, 3) && on_device(p) == NULL);
  __tgt_target_data_end_mapper(&place, REX_DEVICE_DEFAULT, 1, bases, begins, none, types, 0, 0);
  begin(p, SIZE, REX_MAP_TO);
  bases[0] = p + 5;
  __tgt_target_data_begin_mapper(&place, REX_DEVICE_DEFAULT, 2, bases, begins, none, types, 0, 0);
  CHECK(bases[0] == on_device(p) + 5 && (bases[1] == NULL || bases[1] == q));
  begin(q, SIZE, REX_MAP_TO);
  __tgt_target_data_end_mapper(&place, REX_DEVICE_DEFAULT, 2, bases, begins, none, types, 0, 0);
  CHECK(is_there(p, 3) && is_there(q, 2));
  end(p, SIZE, REX_MAP_NONE), end(q, SIZE, REX_MAP_NONE);
  CHECK(on_device(p) == NULL && on_device(q) == NULL);
  free(p), free(q);
}

/* A struct in a large array keeps its pointer to mapped data, whatever is copied over it. */
struct holder {
  double *data;
  long rest[15];
};
static void test_attached_pointers(void) {
  int64_t count = SIZE / (int64_t)sizeof(struct holder), length = 100 * sizeof(double);
  struct holder *all = (struct holder *)calloc((size_t)count, sizeof *all), *one = &all[count / 2];
  one->data = (double *)malloc((size_t)length);
  one->data[7] = 7;
  for (int together = 0; together < 2; together++) {
    void *bases[] = {all, &one->data}, *begins[] = {all, one->data};
    int64_t sizes[] = {SIZE, length}, types[] = {REX_MAP_TOFROM, REX_MAP_TO | REX_MAP_PTR_AND_OBJ | REX_MAP_MEMBER_OF(0)};
    if (!together) begin(all, SIZE, REX_MAP_TOFROM);
    __tgt_target_data_begin_mapper(&place, REX_DEVICE_DEFAULT, 2, bases, begins, sizes, types, 0, 0);
    struct holder there;
    double seven;
    look(&there, one, sizeof there), look(&seven, one->data + 7, sizeof seven);
    CHECK((char *)there.data == on_device(one->data) && seven == 7);
    one->rest[0] = 5;
    update(all, SIZE, REX_MAP_TO);
    look(&there, one, sizeof there);
    CHECK((char *)there.data == on_device(one->data) && there.rest[0] == 5);
    there.rest[0] = 6;
    change(one, &there, sizeof there);
    double *before = one->data;
    update(all, SIZE, REX_MAP_FROM);
    CHECK(one->data == before && one->rest[0] == 6);
    __tgt_target_data_end_mapper(&place, REX_DEVICE_DEFAULT, 2, bases, begins, sizes, types, 0, 0);
    if (!together) end(all, SIZE, REX_MAP_TOFROM);
    CHECK(one->data == before && on_device(one) == NULL);
  }
  free(one->data), free(all);
}

static void test_launches(void) {
  int count = SIZE / (int)sizeof(int), *p = (int *)malloc(SIZE);
  for (int turn = 0; turn < 3; turn++) {
    memset(p, 0, SIZE);
    CHECK(fill_one(p, count) && p[0] == 1 && p[count - 1] == count && on_device(p) == NULL);
  }
  memset(p, 0, SIZE);
  begin(p, SIZE, REX_MAP_TO);
  for (int turn = 0; turn < 3; turn++) CHECK(fill_one(p, count) && p[0] == 0);
  int last;
  look(&last, p + count - 1, sizeof last);
  CHECK(last == count);
  end(p, SIZE, REX_MAP_NONE);
  CHECK(p[count - 1] == 0 && on_device(p) == NULL);
  free(p);
}

/* Threads that map the same array: whoever finds it there finds its bytes there. */
static char *shared;
static void *map_shared(void *wrong) {
  for (int turn = 0; turn < TURNS; turn++) {
    begin(shared, SIZE, REX_MAP_TOFROM);
    *(int *)wrong += !is_there(shared, 9);
    begin(shared + SIZE / 2, 4096, REX_MAP_TO);
    char part[4096];
    look(part, shared + SIZE / 2, sizeof part);
    *(int *)wrong += memcmp(part, shared + SIZE / 2, sizeof part) != 0;
    end(shared + SIZE / 2, 4096, REX_MAP_NONE);
    end(shared, SIZE, REX_MAP_TOFROM);
  }
  return NULL;
}
/* ... or one of their own, and launch. */
static void *map_own(void *wrong) {
  int count = SIZE / 4 / (int)sizeof(int), *p = (int *)malloc(SIZE / 4);
  for (int turn = 0; turn < TURNS; turn++) {
    memset(p, 0, SIZE / 4);
    begin(p, SIZE / 4, REX_MAP_TO);
    *(int *)wrong += !fill_one(p, count) || p[count - 1] != 0;
    update(p, SIZE / 4, REX_MAP_FROM);
    *(int *)wrong += p[0] != 1 || p[count - 1] != count;
    end(p, SIZE / 4, REX_MAP_NONE);
    *(int *)wrong += !fill_one(p, count - turn) || p[count - turn - 1] != count - turn;
  }
  return free(p), NULL;
}
static void test_threads(void) {
  pthread_t threads[THREADS];
  int wrong[THREADS] = {0}, all = 0;
  shared = array(9);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, i % 3 == 2 ? map_own : map_shared, &wrong[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL), all += wrong[i];
  CHECK(all == 0 && is_array(shared, 9) && on_device(shared) == NULL);
  free(shared);
}

int main(int argc, char **argv) {
  rex_offload_init();
  if (argc > 1 && strcmp(argv[1], "threads") == 0) {
    for (int i = 0; i < 2; i++) test_update(); /* so that copies are ours from the first on */
    test_threads();
  } else {
    for (int i = 0; i < 2; i++) {
      test_begin_and_end();
      test_update();
      test_several_rows();
      test_addresses();
      test_launches();
    }
    test_attached_pointers(); /* from here on libomptarget copies what lies at these addresses */
  }
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
