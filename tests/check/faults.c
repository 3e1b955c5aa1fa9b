/* Faults that --check finds, a function each, and conforming uses that look like them. What is found at a line stands in
   its `want:`; nothing else may be told. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100 };
static double *numbers(int count) {
  double *made = malloc(count * sizeof *made);
  for (int i = 0; i < count; i++) made[i] = i;
  return made;
}
static void show(double value) { printf("%g\n", value); }

/* Beyond what is mapped. */
static void half_is_mapped(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n / 2])
  for (int i = 0; i < n; i++) a[i] = 1; // want: bounds
}
static void one_too_many(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i <= n; i++) a[i] = 2; // want: bounds
}
static void before_the_beginning(double *a, int n) {
#pragma omp target map(tofrom : a[1 : n - 1])
  a[0] = 3; // want: bounds
}
static void stencil_at_the_edge(double *a, double *b, int n) {
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(from : b[0 : n])
  for (int i = 0; i < n; i++) {
    double left = a[i - 1]; // want: bounds
    b[i] = left + a[i];
  }
}
static void row_too_many(double (*m)[8], int rows) {
#pragma omp target map(tofrom : m[0 : rows])
  for (int i = 0; i <= rows; i++) m[i][3] = 1; // want: bounds
}
struct holder {
  int count;
  double *values;
};
static void member_section(struct holder *h) {
#pragma omp target map(tofrom : h[0 : 1]) map(tofrom : h->values[0 : N / 2])
  h->values[N / 2 + 1] = 4; // want: bounds
}
static void bytes_for_elements(int n) {
  int *p = omp_target_alloc(n, omp_get_default_device());
#pragma omp target is_device_ptr(p)
  for (int i = 0; i < n; i++) p[i] = i; // want: bounds
  omp_target_free(p, omp_get_default_device());
}
#pragma omp begin declare target
static double at(const double *a, int i) {
  return a[i]; // want: bounds
}
#pragma omp end declare target
static void in_a_function(double *a, int n) {
  double found = 0;
#pragma omp target map(to : a[0 : n]) map(tofrom : found)
  found = at(a, n);
  show(found > 1e300);
}
static void through_an_index(double *a, int *at_, int n) {
  at_[n - 1] = n + 3;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) map(to : at_[0 : n])
  for (int i = 0; i < n; i++) a[at_[i]] = 1; // want: bounds
}
static void entered_too_little(double *a, int n) {
#pragma omp target enter data map(to : a[0 : n - 10])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] = i; // want: bounds
#pragma omp target exit data map(delete : a[0 : n - 10])
}
static void copied_too_far(double *a, double *b, int n) {
#pragma omp target map(to : a[0 : n]) map(from : b[0 : n])
  memcpy(b, a, (n + 1) * sizeof *a); // want: bounds
}
static void counted_beyond(int *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    a[i + 1]++; // want: bounds
  }
}
static int whole[N];
static void part_of_a_global(void) {
#pragma omp target map(tofrom : whole[0 : 50])
  whole[50] = 1; // want: bounds
}
static void end_of_text(char *text, int length) {
#pragma omp target map(tofrom : text[0 : length])
  text[length] = 0; // want: bounds
}

/* What is not mapped. */
static void never_mapped(double *a) {
#pragma omp target
  a[3] = 1; // want: unmapped
}
static void pointer_in_a_struct(double *b) {
  struct holder h = {N, b};
#pragma omp target map(tofrom : h)
  h.values[2] = 5; // want: unmapped
}
static void rows_of_a_table(double *a, double *b) {
  double *rows[2] = {a, b};
#pragma omp target map(to : rows)
  rows[1][4] = 1; // want: unmapped
}
static void no_device_pointer(double *a) {
#pragma omp target is_device_ptr(a)
  a[1] = 1; // want: unmapped
}
#pragma omp begin declare target
static double *table;
#pragma omp end declare target
static void pointer_of_the_devices(double *a) {
  table = a;
#pragma omp target update to(table)
#pragma omp target
  table[1] = 1; // want: unmapped
}
static void address_as_number(double *a) {
  unsigned long number = (unsigned long)a;
#pragma omp target
  *(double *)number = 1; // want: unmapped
}
struct node {
  int value;
  struct node *next;
};
static void list(void) {
  struct node second = {2, NULL}, first = {1, &second};
  int sum = 0;
#pragma omp target map(to : first) map(tofrom : sum)
  for (struct node *at_ = &first; at_ != NULL; at_ = at_->next) sum += at_->value; // want: unmapped
  show(sum);
}
static void mapped_no_more(double *a, int n) {
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target
  a[0] = 1;
#pragma omp target exit data map(from : a[0 : n])
#pragma omp target
  a[0] = 2; // want: unmapped
}
static void array_of_the_stack(void) {
  int local[8] = {0}, *p = local;
#pragma omp target
  p[1] = 1; // want: unmapped
  show(local[1]);
}
static void text_of_the_program(void) {
  const char *text = "text";
  int length = 0;
#pragma omp target map(tofrom : length)
  while (text[length] != 0) length++; // want: unmapped
  show(length);
}
/* What has no value. */
static void only_allocated(double *a, int n) {
#pragma omp target map(alloc : a[0 : n])
  a[1] = a[0] + 1; // want: undefined
}
static void added_to_nothing(double *a, int n) {
#pragma omp target teams distribute parallel for map(from : a[0 : n])
  for (int i = 0; i < n; i++) a[i] += 1; // want: undefined
}
static void half_is_written(double *a, int n) {
#pragma omp target teams distribute parallel for map(from : a[0 : n])
  for (int i = 0; i < n; i += 2) a[i] = 1;
  show(a[0]);
  show(a[1] > 1e300); // want: undefined
}
static void allocated_and_read(int n) {
  int device = omp_get_default_device(), first = 0;
  int *p = omp_target_alloc(n * sizeof *p, device);
#pragma omp target is_device_ptr(p) map(from : first)
  first = p[0]; // want: undefined
  show(first == 12345);
  omp_target_free(p, device);
}
static void entered_without_values(double *a, double *b, int n) {
#pragma omp target enter data map(alloc : a[0 : n])
#pragma omp target map(from : b[0 : n])
  for (int i = 0; i < n; i++) b[i] = a[i]; // want: undefined
#pragma omp target exit data map(delete : a[0 : n])
}

/* What is older than the other copy. */
static void host_reads_inside(double *a, int n) {
#pragma omp target data map(tofrom : a[0 : n])
  {
#pragma omp target
    a[1] = 77;
    show(a[1]); // want: stale
  }
}
static void only_there(double *a, int n) {
#pragma omp target map(to : a[0 : n])
  a[1] = 78;
  show(a[1]); // want: stale
}
static void local_array(int at) {
  int a[4] = {1, 2, 3, 4};
#pragma omp target data map(to : a)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 4; i++) a[i] *= 10;
  }
  show(a[3]);  // want: stale
  show(a[at]); // want: stale
}
static void released(double *a, int n) {
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] = i + 0.25;
#pragma omp target exit data map(release : a[0 : n])
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i]; // want: stale
  show(sum);
}
static void host_writes_inside(double *a, int n) {
  double seen = 0;
#pragma omp target data map(to : a[0 : n])
  {
    a[5] = 500;
#pragma omp target map(from : seen)
    seen = a[5]; // want: stale
  }
  show(seen);
}
static void half_is_fetched(double *a, int n) {
#pragma omp target data map(to : a[0 : n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) a[i] = i + 0.75;
#pragma omp target update from(a[0 : n / 2])
    show(a[n / 2 - 1]);
    show(a[n / 2]); // want: stale
  }
}
static void half_is_sent(double *a, double *b, int n) {
#pragma omp target data map(to : a[0 : n])
  {
    for (int i = 0; i < n; i++) a[i] = i + 0.125;
#pragma omp target update to(a[0 : n / 2])
#pragma omp target map(from : b[0 : n])
    for (int i = 0; i < n; i++) b[i] = a[i]; // want: stale
  }
}
static void changed_in_a_loop(double *a, double *b, int n) {
#pragma omp target data map(to : a[0 : n])
  for (int step = 0; step < 3; step++) {
    a[0] = step + 41;
#pragma omp target map(from : b[0 : n])
    for (int i = 0; i < n; i++) b[i] = a[0]; // want: stale
  }
}
static void scalar_inside(void) {
  int x = 1;
#pragma omp target data map(to : x)
  {
#pragma omp target map(tofrom : x)
    x = 2;
    show(x); // want: stale
  }
}
#pragma omp begin declare target
static int setting = 1;
static int counted = 1;
#pragma omp end declare target
static void variable_of_both(void) {
  int seen = 0;
#pragma omp target map(from : seen)
  seen = setting;
  setting = 2;
#pragma omp target map(from : seen)
  seen = setting; // want: stale
  show(seen);
}
static void variable_of_the_devices(void) {
#pragma omp target
  counted = 5;
  show(counted); // want: stale
}
static void the_other_is_fetched(double *a, double *b, int n) {
#pragma omp target data map(to : a[0 : n], b[0 : n])
  {
#pragma omp target
    a[7] = b[7] = -1;
#pragma omp target update from(b[0 : n])
    show(a[7]); // want: stale
  }
}
static void copied_by_the_host(double *a, double *b, int n) {
#pragma omp target data map(to : a[0 : n])
  {
#pragma omp target
    a[0] = 1e6;
    memcpy(b, a, n * sizeof *a); // want: stale
  }
}

#pragma omp declare mapper(held : struct holder h) map(h, h.values[0 : h.count])
static void by_a_mapper(double *a, int n) {
  struct holder h = {n, a};
#pragma omp target data map(mapper(held), to : h)
#pragma omp target
  h.values[3] = 33;
  show(a[3]); // want: stale
}
static void points_elsewhere(double *a, double *b) {
  struct holder h = {N, a};
#pragma omp target data map(to : h, a[0 : N], b[0 : N])
  {
    double *other = b;
#pragma omp target
    h.values = other;
    show(h.values == a); // want: stale
  }
}

/* Without order. */
static void sum_of_all(double *a, int n) {
  double sum = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : sum)
  for (int i = 1; i < n; i++) sum += a[i]; // want: race
  show(sum > 0);
}
static void from_the_neighbour(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + 2; // want: race
}
static void histogram(int *bins, int n) {
#pragma omp target teams distribute parallel for map(tofrom : bins[0 : 10])
  for (int i = 0; i < n; i++) bins[i % 10]++; // want: race
}
static void two_to_one(double *a, int n) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i / 2] = i; // want: race
}
static void shared_temporary(double *a, int n) {
  double t = 0;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n], t)
  for (int i = 0; i < n; i++) {
    t = a[i] + 0.5; // want: race
    a[i] = t * t;
  }
}
static void no_barrier(double *a) {
#pragma omp target map(tofrom : a[0 : 8])
  {
    double t[8];
#pragma omp parallel num_threads(8)
    {
      int k = omp_get_thread_num();
      t[k] = k + 1;            // want?: race
      a[k] = t[(k + 7) % 8]; // want: race
    }
  }
}
static void nowait_between(double *a, double *b, int n) {
#pragma omp target parallel map(tofrom : a[0 : n], b[0 : n]) num_threads(8)
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) a[i] = i * 3; // want?: race
#pragma omp for
    for (int i = 0; i < n; i++) b[i] = a[n - 1 - i]; // want: race
  }
}
static void teams_to_one(double *a) {
#pragma omp target teams num_teams(4) map(tofrom : a[0 : 1])
  a[0] = omp_get_team_num() + 10; // want: race
}
static void plain_and_atomic(int *flags, int n) {
#pragma omp target teams distribute parallel for map(tofrom : flags[0 : 2])
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    flags[0] += 1; // want: race
    if (i == n / 2) flags[1] = flags[0]; // want?: race
  }
}
static void half_critical(int *count, int n) {
#pragma omp target teams distribute parallel for map(tofrom : count[0 : 1])
  for (int i = 0; i < n; i++) {
    if (i % 2 == 0) {
#pragma omp critical
      count[0]++; // want?: race
    } else {
      count[0] += 2; // want: race
    }
  }
}
static void two_names(int *count, int n) {
#pragma omp target teams distribute parallel for map(tofrom : count[0 : 1])
  for (int i = 0; i < n; i++) {
    if (i % 2 == 0) {
#pragma omp critical(even)
      count[0]++; // want: race
    } else {
#pragma omp critical(odd)
      count[0]++; // want: race
    }
  }
}
static void largest(double *a, int n) {
  double most = -1;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : most)
  for (int i = 0; i < n; i++)
    if (a[i] > most) // want: race
      most = a[i];   // want: race
  show(most);
}
static void wrong_index(double (*m)[8], int rows) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : m[0 : rows])
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 8; j++) m[0][j] = i; // want: race
}
static void compaction(double *a, double *b, int n) {
  int count = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : b[0 : n], count)
  for (int i = 0; i < n; i++)
    if (a[i] >= 0) b[count++] = a[i]; // want: race
}
static void single_without_waiting(double *a) {
  double x = 0;
#pragma omp target parallel num_threads(4) map(tofrom : a[0 : 4], x)
  {
#pragma omp single nowait
    x = 6;
    a[omp_get_thread_num()] = x; // want: race
  }
}

/* Conforming. */
static void by_another_name(double *a, double *b, int n) {
  double *alias = a;
#pragma omp target map(to : a[0 : n]) map(tofrom : b[0 : n])
  b[1] = *alias;
}
static void attached_by_a_kernel(double *a) {
  struct holder h = {N, NULL};
#pragma omp target enter data map(to : h, a[0 : N])
#pragma omp target
  h.values = a; /* the device's address of what is the host's here */
  h.values = a;
  show(h.values[0]);
#pragma omp target map(to : h)
  h.count = h.values[0] >= 0;
#pragma omp target exit data map(delete : h, a[0 : N])
}
static void on_two_devices(double *a, int n) {
  int second = omp_get_num_devices() - 1;
#pragma omp target enter data map(to : a[0 : n]) device(0)
#pragma omp target enter data map(to : a[0 : n]) device(second)
#pragma omp target device(0)
  a[0] = 5;
#pragma omp target device(second)
  a[0] = 6;
#pragma omp target exit data map(from : a[0 : n]) device(0)
#pragma omp target exit data map(release : a[0 : n]) device(second)
  show(a[0]);
}
static void asks_for_access(double *a, int n) {
  int device = omp_get_default_device(), *own = omp_target_alloc(n * sizeof *own, device);
  if (omp_target_is_accessible(a, n * sizeof *a, device) || !omp_target_is_accessible(own, n * sizeof *own, device)) {
#pragma omp target firstprivate(a)
    a[0] = 1;
  }
  omp_target_free(own, device);
}
static void scratch_of_the_devices(double *a, int n) {
  double *scratch = malloc(n * sizeof *scratch);
#pragma omp target data map(tofrom : a[0 : n]) map(alloc : scratch[0 : n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) scratch[i] = a[n - 1 - i];
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) a[i] = scratch[i];
  }
  show(a[0]);
  free(scratch);
}
static void to_and_fro(double *a, int n) {
#pragma omp target data map(to : a[0 : n])
  for (int step = 0; step < 3; step++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) a[i] += step;
#pragma omp target update from(a[0 : n])
    show(a[step]);
    a[step] = 0;
#pragma omp target update to(a[step : 1])
  }
}

/* Atomic operations of a thread on many other places do not make it forgotten what a lock has ordered. */
static void lock_and_many_places(int *count, int n) {
#pragma omp target parallel num_threads(8) map(tofrom : count[0 : n])
  {
#pragma omp critical
    count[0] = count[0] * 2 % 1001 + count[1]++;
    for (int i = 2; i < 22; i++) {
#pragma omp atomic
      count[i]++;
    }
  }
  show(count[0]);
}

static void locks_and_flags(int *count, int n) {
  int last = 0, arrived = 0, any = 0;
#pragma omp target teams distribute parallel for map(tofrom : count[0 : 2], last, arrived, any)
  for (int i = 0; i < n; i++) {
    int mine;
    any = 1;
#pragma omp critical
    count[0] += i;
#pragma omp atomic capture
    mine = ++arrived;
    if (mine == n) last = count[0];
  }
  show(last);
}
static void meets_at_barriers(double *a) {
#pragma omp target teams distribute map(tofrom : a[0 : 64])
  for (int block = 0; block < 8; block++) {
    double t[8];
#pragma omp parallel num_threads(8)
    {
      int k = omp_get_thread_num();
      t[k] = a[8 * block + k];
#pragma omp barrier
      for (int step = 0; step < 3; step++) {
        double next = t[(k + 1) % 8];
#pragma omp barrier
        t[k] = next;
#pragma omp barrier
      }
      a[8 * block + k] = t[k];
    }
  }
  show(a[5]);
}
static void all_reduce(double *a, int n) {
  double sum = 0, most = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(+ : sum) reduction(max : most)
  for (int i = 0; i < n; i++) {
    sum += a[i];
    most = a[i] > most ? a[i] : most;
  }
  show(sum + most);
}
static void mapped_and_reduced(long *q) {
  int low = 3, count = 2;
#pragma omp target parallel for reduction(* : q[low : count]) map(tofrom : q[0 : 8]) num_threads(3)
  for (int i = 0; i < 7; i++) q[low] *= 2, q[low + 1] *= 3;
  show(q[3] + q[1]);
}
static void left_on_the_stack(void) {
  double gone[64];
#pragma omp target map(from : gone)
  gone[0] = 1;
}
static int same_place(int at) {
  double found[64];
  snprintf((char *)found, 64, "text"); /* by a function that tells nothing */
  return ((char *)found)[at] + ((char *)found)[at + 60];
}
static void written_unseen(char *text) {
#pragma omp target map(to : text[0 : 8])
  text[0] = 'x';
  snprintf(text, 8, "abc");
  show(text[0]);
}

static int apart;
#pragma omp declare target local(apart)

static void own_of_each_device(void) {
  int seen = 0;
  apart = 5;
#pragma omp target
  apart = 10;
  apart++;
#pragma omp target map(tofrom : seen)
  seen = apart;
  show(seen + apart);
}

int main(void) {
  double *a = numbers(N), *b = numbers(N), *edge = numbers(N + 8);
  int *counts = calloc(N + 1, sizeof *counts);
  char *text = calloc(1, 9);
  double(*table8)[8] = calloc(12, sizeof *table8);
  struct holder h = {N, numbers(N)};
#define WITH_NEW(call) free(a), a = numbers(N), call
  half_is_mapped(edge, N), one_too_many(edge, N), before_the_beginning(edge, N), stencil_at_the_edge(edge, b, N);
  row_too_many(table8, 10), member_section(&h), bytes_for_elements(N), in_a_function(edge, N);
  through_an_index(edge, counts, N), entered_too_little(edge, N), copied_too_far(edge, b, N), counted_beyond(counts, N);
  part_of_a_global(), end_of_text(text, 8);
  never_mapped(a), pointer_in_a_struct(b), rows_of_a_table(a, b), no_device_pointer(a);
  pointer_of_the_devices(a), address_as_number(a), list(), mapped_no_more(a, N), array_of_the_stack();
  text_of_the_program();
  WITH_NEW(only_allocated(a, N));
  WITH_NEW(added_to_nothing(a, N));
  WITH_NEW(half_is_written(a, N));
  allocated_and_read(N);
  WITH_NEW(entered_without_values(a, b, N));
  WITH_NEW(host_reads_inside(a, N));
  WITH_NEW(only_there(a, N));
  local_array(2);
  WITH_NEW(released(a, N));
  WITH_NEW(host_writes_inside(a, N));
  WITH_NEW(half_is_fetched(a, N));
  WITH_NEW(half_is_sent(a, b, N));
  WITH_NEW(changed_in_a_loop(a, b, N));
  scalar_inside(), variable_of_both(), variable_of_the_devices();
  WITH_NEW(the_other_is_fetched(a, b, N));
  WITH_NEW(copied_by_the_host(a, b, N));
  WITH_NEW(points_elsewhere(a, b));
  WITH_NEW(by_a_mapper(a, N));
  WITH_NEW(sum_of_all(a, N));
  WITH_NEW(from_the_neighbour(a, N));
  histogram(counts, N);
  WITH_NEW(two_to_one(a, N));
  WITH_NEW(shared_temporary(a, N));
  WITH_NEW(no_barrier(a));
  WITH_NEW(nowait_between(a, b, N));
  teams_to_one(a), plain_and_atomic(counts, N), half_critical(counts, N), two_names(counts, N);
  WITH_NEW(largest(a, N));
  wrong_index(table8, 10);
  WITH_NEW(compaction(a, b, N));
  single_without_waiting(a);
  by_another_name(a, b, N);
  asks_for_access(a, N);
  on_two_devices(a, N);
  attached_by_a_kernel(a);
  WITH_NEW(scratch_of_the_devices(a, N));
  WITH_NEW(to_and_fro(a, N));
  mapped_and_reduced((long[8]){0, 1, 2, 3, 4, 5, 6, 7});
  left_on_the_stack();
  own_of_each_device();
  show(same_place(1) > 1000);
  lock_and_many_places(counts, N), locks_and_flags(counts, N), meets_at_barriers(a), all_reduce(a, N), written_unseen(text);
  free(a);
  return 0;
}
