/* Constructs in methods of classes that functions declare: each is all that its kernel has of its kind. */
#include <cstdio>

template <class T> static void in_template(T *r) {
  struct Local {
    T by;
    void add(T *r) {
#pragma omp single
      r[2] += by;
    }
    void share(T *r) {
#pragma omp for
      for (int i = 0; i < 16; i++) {
#pragma omp atomic
        r[3] += i;
      }
    }
  };
#pragma omp target parallel num_threads(8) map(tofrom : r[0 : 8])
  {
    Local l{7};
    l.add(r);
    l.share(r);
  }
}

int main() {
  struct Local {
    int by;
    void add(int *r) {
#pragma omp single
      r[0] += by;
    }
    void count(int *r) {
#pragma omp critical(counting)
      r[1] |= by;
    }
    void on_host(int *r) {
      int i = 3;
#pragma omp parallel for private(i)
      for (int k = 0; k < 4; k++) i = k;
#pragma omp single
      r[4] += i;
    }
    struct Inner {
      void add(int *r) {
#pragma omp single
        r[5] += 5;
      }
    } inner;
  };
  int r[8] = {0};
  Local given{2};
#pragma omp target parallel num_threads(8) map(tofrom : r)
  {
    Local l{3};
    l.add(r);
    given.add(r);
  }
#pragma omp target parallel num_threads(8) map(tofrom : r)
  {
    given.count(r);
  }
#pragma omp target parallel num_threads(8) map(tofrom : r)
  {
    Local::Inner inner;
    inner.add(r);
  }
#pragma omp target parallel num_threads(8) map(tofrom : r)
  {
    struct Here {
      void add(int *r) {
#pragma omp single
        r[6] += 6;
      }
    } here;
    here.add(r);
  }
  in_template(r);
  given.on_host(r);
  for (int k = 0; k < 8; k++) std::printf("%d ", r[k]);
  std::printf("\n");
}
