// Constructs of all sorts, for their attributes only: nothing here is executed.
typedef struct {
  int x, list[4];
  double *p;
} Box;

static int global, shelf[8];
static double rate;
extern int *elsewhere;
static int mine;
#pragma omp threadprivate(mine)
static int on_device, device_table[6];
#pragma omp declare target to(on_device, device_table)
static const int limit = 5;

void work(int n, double *p);

void regions(int n, double *p, double rows[][4], double (*grid)[n], int tail[n], Box *boxes, const float *restrict q) {
  int i = 0, j = 0, a[8], matrix[3][n];
  char c = 1;
  long double wide = 1;
  _Bool flag = 0;
  Box box = {0}, many[3];
  static int kept;
  void *opaque = p;
  int (*function)(int) = 0;
#pragma omp target
  {
    a[0] = n + c + flag + (int)wide + kept + global + shelf[1] + (int)rate + on_device + device_table[2] + limit;
    p[0] = rows[1][2] + grid[0][1] + tail[3] + boxes->x + q[0] + (opaque != 0) + elsewhere[0];
    matrix[1][1] = box.x + many[1].list[2];
  }
#pragma omp target map(to : p[0 : n], q[:n]) map(from : a) map(tofrom : box.list[1 : 2], box.p[0 : 3]) map(alloc : many)
  a[0] = p[0] + q[0] + box.list[1] + box.p[0] + many[0].x;
#pragma omp target map(always, to : i) map(close, from : j) map(present, alloc : a) map(p[:0])
  j = i + a[0] + p[0];
#pragma omp target map(boxes->p[0 : 4]) map(to : boxes[0 : 2])
  boxes->p[0] = boxes[1].x;
#pragma omp target is_device_ptr(p) has_device_addr(a) private(i) firstprivate(j, box)
  i = j + a[0] + p[0] + box.x;
#pragma omp target map(tofrom : rows[1 : 2][0 : 4])
  rows[0][1] = 1;
#pragma omp target data map(tofrom : a, p[0 : n]) use_device_ptr(p) use_device_addr(a)
  work(n, p);
#pragma omp target parallel if (n > 3) num_threads(n) reduction(+ : i) private(j)
  {
    j = 3;
    i += j;
  }
#pragma omp target teams num_teams(n) thread_limit(8) firstprivate(j) shared(a) default(none) map(a)
  a[0] = j;
#pragma omp target teams distribute parallel for simd collapse(2) reduction(max : rate) private(c) schedule(static, n)
  for (i = 0; i < n; i++)
    for (j = 0; j < 3; j++) rate += a[j] + c;
#pragma omp target simd
  for (i = 0; i < n; i++) a[i % 8] = i;
#pragma omp target parallel
  {
    int own = 0;
#pragma omp for private(i) firstprivate(c) nowait
    for (j = 0; j < n; j++) own += i + c;
#pragma omp single copyprivate(own)
    own = 2;
#pragma omp sections private(i)
    {
#pragma omp section
      i = 1;
    }
#pragma omp masked
    a[0] = own + sizeof(box);
#pragma omp critical
    a[1]++;
#pragma omp atomic
    a[2]++;
  }
  if (function) function(3);
}

void around(int n, double *p) {
  int i = 0, j = 0, s = 0, t = 0, a[9];
  static int kept;
#pragma omp parallel firstprivate(i) private(j) reduction(+ : s) copyin(mine)
  {
    int inside = i;
    j = mine;
#pragma omp target map(a)
    a[0] = i + j + s + t + inside + kept;
#pragma omp task
    t = i + j + inside + n + kept + global + a[1];
#pragma omp task default(shared) depend(in : a[0])
    t += inside;
#pragma omp task default(firstprivate) shared(a)
    t += inside + a[1];
#pragma omp task shared(inside) private(n)
    {
      n = inside;
#pragma omp task
      n = inside + t;
    }
#pragma omp single nowait
#pragma omp taskloop grainsize(2) lastprivate(t) collapse(1)
    for (int k = 0; k < n; k++) t = k + inside + a[k];
#pragma omp taskgroup task_reduction(+ : t)
    {
#pragma omp task in_reduction(+ : t)
      t += a[0];
    }
  }
#pragma omp task
  a[2] = n + kept + global + t + (int)p[0];
#pragma omp teams
#pragma omp distribute parallel for firstprivate(i) lastprivate(t)
  for (int k = 0; k < n; k++) t = a[k] + i;
#pragma omp parallel for linear(s : 2) ordered schedule(dynamic, n)
  for (j = 0; j < n; j++) {
#pragma omp ordered
    a[j] = s;
  }
#pragma omp parallel default(none) shared(a, n) firstprivate(t)
  a[0] = n + t;
#pragma omp parallel default(firstprivate) shared(a)
  a[0] = n + t + kept;
#pragma omp parallel sections lastprivate(t)
  {
#pragma omp section
    t = a[0];
#pragma omp section
    t = a[1];
  }
#pragma omp parallel loop reduction(* : s) private(t)
  for (i = 0; i < n; i++) s *= t = a[i];
#pragma omp simd collapse(2) linear(t) aligned(p : 16)
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) t += p[i];
}
