// declare mapper: what the mapper functions push for an object, an array of objects, a member that has a mapper. Objects
// are static: clang leaves them mapped, which must not meet the next shape's.
#include "shape.h"

constexpr int N = 6;

struct Buffer {
  int length;
  double *data;
  int tag;
};
#pragma omp declare mapper(Buffer b) map(b, b.data[0 : b.length])
#pragma omp declare mapper(head : Buffer b) map(b.length, b.tag)
#pragma omp declare mapper(values : Buffer b) map(to : b.length) map(tofrom : b.data[0 : b.length])

struct Pair {
  Buffer first;
  int extra;
  Buffer second;
};
#pragma omp declare mapper(Pair p) map(p.extra) map(mapper(default), tofrom : p.first, p.second)

struct Box {
  int a[4];
  int b;
};
#pragma omp declare mapper(some : Box x) map(to : x.b) map(tofrom : x.a[1 : 2])

static double first_data[N], second_data[N];

static Buffer buffer(double *data, int tag) {
  for (int i = 0; i < N; i++) data[i] = i;
  return {N, data, tag};
}

static void notes() {
  note("first_data", first_data, sizeof first_data), note("second_data", second_data, sizeof second_data);
}

static void default_mapper() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("default mapper, explicit map");
  NOTE(s), notes();
#pragma omp target map(tofrom : s)
  s.data[2] += s.tag;
  check(first_data[2] == 3 && s.data == first_data);
}

static void default_mapper_implicit() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("default mapper, implicit map");
  NOTE(s), notes();
#pragma omp target
  s.data[2] += s.tag;
  check(first_data[2] == 3 && s.data == first_data);
}

static void named_mapper() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("mapper(head), tofrom");
  NOTE(s), notes();
#pragma omp target map(mapper(head), tofrom : s)
  s.tag += s.length;
  check(s.tag == 1 + N && s.data == first_data);
}

static void named_mapper_to() {
  static Buffer s;
  s = buffer(first_data, 1);
  double r = 0;
  shape("mapper(values), to");
  NOTE(s), NOTE(r), notes();
#pragma omp target map(mapper(values), to : s) map(from : r)
  r = s.data[3] + s.length;
  check(r == 3 + N);
}

static void named_mapper_always() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("mapper(values), always tofrom");
  NOTE(s), notes();
#pragma omp target map(always, mapper(values), tofrom : s)
  s.data[3] += s.length;
  check(first_data[3] == 3 + N);
}

static void array_of_objects() {
  static Buffer s[2];
  s[0] = buffer(first_data, 1), s[1] = buffer(second_data, 2);
  shape("default mapper, array of objects");
  NOTE(s), notes();
#pragma omp target map(tofrom : s)
  for (int i = 0; i < 2; i++) s[i].data[1] += s[i].tag;
  check(first_data[1] == 2 && second_data[1] == 3);
}

static void section_of_objects() {
  static Buffer s[3];
  s[0] = buffer(first_data, 1), s[1] = buffer(first_data, 1), s[2] = buffer(second_data, 2);
  shape("default mapper, section of an array of objects");
  NOTE(s), notes();
#pragma omp target map(tofrom : s[1 : 2])
  for (int i = 1; i < 3; i++) s[i].data[1] += s[i].tag;
  check(first_data[1] == 2 && second_data[1] == 3);
}

static void pointer_to_objects() {
  Buffer *s = static_cast<Buffer *>(malloc(2 * sizeof *s));
  s[0] = buffer(first_data, 1), s[1] = buffer(second_data, 2);
  shape("default mapper, p[0:n] of a pointer to objects");
  note("*s", s, 2 * sizeof *s), NOTE(s), notes();
#pragma omp target map(tofrom : s[0 : 2])
  for (int i = 0; i < 2; i++) s[i].data[1] += s[i].tag;
  check(first_data[1] == 2 && second_data[1] == 3);
  free(s);
}

static void nested_mapper() {
  static Pair s;
  s = {buffer(first_data, 1), 5, buffer(second_data, 2)};
  shape("mapper of members that have mappers");
  NOTE(s), notes();
#pragma omp target map(tofrom : s)
  {
    s.first.data[1] += s.extra;
    s.second.data[1] += s.second.tag;
  }
  check(first_data[1] == 6 && second_data[1] == 3);
}

static void without_pointers() {
  static Box s;
  s = {{1, 2, 3, 4}, 5};
  shape("mapper(some) of a struct without pointers");
  NOTE(s);
#pragma omp target map(mapper(some), tofrom : s)
  s.a[1] += s.b;
  check(s.a[1] == 7 && s.b == 5);
}

static void in_target_data() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("target data with the default mapper");
  NOTE(s), notes();
#pragma omp target data map(tofrom : s)
  {
#pragma omp target map(alloc : s)
    s.data[2] += s.tag;
  }
  check(first_data[2] == 3);
}

static void in_enter_and_exit() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("enter data to, exit data from, mapper(values)");
  NOTE(s), notes();
#pragma omp target enter data map(mapper(values), to : s)
#pragma omp target map(mapper(values), alloc : s)
  s.data[2] += s.length;
#pragma omp target exit data map(mapper(values), from : s)
  check(first_data[2] == 2 + N);
}

static void deleted() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("enter data alloc, exit data delete, default mapper");
  NOTE(s), notes();
#pragma omp target enter data map(alloc : s)
#pragma omp target exit data map(delete : s)
  check(s.data == first_data && first_data[2] == 2);
}

static void updated() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("update to and from through the default mapper");
  NOTE(s), notes();
#pragma omp target enter data map(to : s)
  first_data[1] = 50;
#pragma omp target update to(s)
#pragma omp target map(alloc : s)
  s.data[2] += s.data[1];
#pragma omp target update from(s)
  check(first_data[2] == 52 && s.data == first_data);
#pragma omp target exit data map(release : s)
}

static void updated_by_name() {
  static Buffer s;
  s = buffer(first_data, 1);
  shape("update from through mapper(values)");
  NOTE(s), notes();
#pragma omp target data map(to : s)
  {
#pragma omp target map(alloc : s)
    s.data[2] += 7;
#pragma omp target update from(mapper(values) : s)
    check(first_data[2] == 9);
  }
}

static void released_array() {
  static Buffer s[2];
  s[0] = buffer(first_data, 1), s[1] = buffer(second_data, 2);
  shape("enter data to, exit data release, array of objects");
  NOTE(s), notes();
#pragma omp target enter data map(to : s)
#pragma omp target exit data map(release : s)
  check(first_data[1] == 1 && s[1].data == second_data);
}

int main() {
  RUN(default_mapper());
  RUN(default_mapper_implicit());
  RUN(named_mapper());
  RUN(named_mapper_to());
  RUN(named_mapper_always());
  RUN(array_of_objects());
  RUN(section_of_objects());
  RUN(pointer_to_objects());
  RUN(nested_mapper());
  RUN(without_pointers());
  RUN(in_target_data());
  RUN(in_enter_and_exit());
  RUN(deleted());
  RUN(updated());
  RUN(updated_by_name());
  RUN(released_array());
  return 0;
}
