/* A CUDA library on OpenMP's data: cuBLAS multiplies matrices that a data region has mapped, and target regions go on
 * with the result. `use_device_ptr` gives the library the device addresses; nothing is copied in between.
 *
 *   rexcc -O2 cublas.c -o cublas -ldl -lm && ./cublas
 *
 * cuBLAS is loaded when the program runs, so that it builds where no CUDA toolkit is and still works where there is no
 * GPU: there the regions compute the product themselves. With a toolkit, <cublas_v2.h> and -lcublas do the same. */
#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* What <cublas_v2.h> and <cuda.h> declare. */
typedef struct cublasContext *cublasHandle_t;
enum { CUBLAS_OP_N = 0 };
typedef int Create(cublasHandle_t *handle);
typedef int Destroy(cublasHandle_t handle);
typedef int Dgemm(cublasHandle_t handle, int transposed_a, int transposed_b, int m, int n, int k, const double *alpha,
                  const double *a, int lda, const double *b, int ldb, const double *beta, double *c, int ldc);
typedef int Synchronize(void);

static struct {
  Create *create;
  Destroy *destroy;
  Dgemm *dgemm;
  Synchronize *synchronize;
} cublas;

static int load(void) {
  static const char *const names[] = {"libcublas.so", "libcublas.so.13", "libcublas.so.12", "libcublas.so.11"};
  void *library = NULL, *const driver = dlopen("libcuda.so.1", RTLD_NOW);
  for (int i = 0; i < 4 && library == NULL && driver != NULL; i++) library = dlopen(names[i], RTLD_NOW);
  if (library == NULL) return 0;
  cublas.create = (Create *)dlsym(library, "cublasCreate_v2");
  cublas.destroy = (Destroy *)dlsym(library, "cublasDestroy_v2");
  cublas.dgemm = (Dgemm *)dlsym(library, "cublasDgemm_v2");
  cublas.synchronize = (Synchronize *)dlsym(driver, "cuCtxSynchronize");
  return cublas.create && cublas.destroy && cublas.dgemm && cublas.synchronize;
}

/* c = a * b, all of them n by n, by columns; the pointers are the device's. Returns 0 where cuBLAS cannot do it. */
static int multiply_with_cublas(int n, const double *a, const double *b, double *c) {
  const double one = 1, zero = 0;
  cublasHandle_t handle;
  if (!load() || cublas.create(&handle) != 0) return 0;
  int failed = cublas.dgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  failed |= cublas.synchronize(); /* libomptarget's streams do not wait for cuBLAS's */
  cublas.destroy(handle);
  return failed == 0;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 200;
  const size_t count = (size_t)n * n;
  double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b), *c = malloc(count * sizeof *c);
  double trace = 0, worst = 0;
  int on_cublas = 0;

#pragma omp target data map(alloc : a[0 : count], b[0 : count]) map(from : c[0 : count])
  {
#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        a[i + (size_t)j * n] = (i + 2 * j) % 7;
        b[i + (size_t)j * n] = (3 * i + j) % 5 - 2;
      }

#pragma omp target data use_device_ptr(a, b, c)
    on_cublas = multiply_with_cublas(n, a, b, c);

    if (!on_cublas) {
#pragma omp target teams distribute parallel for collapse(2)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
          double sum = 0;
          for (int k = 0; k < n; k++) sum += a[i + (size_t)k * n] * b[k + (size_t)j * n];
          c[i + (size_t)j * n] = sum;
        }
    }

#pragma omp target teams distribute parallel for reduction(+ : trace)
    for (int i = 0; i < n; i++) trace += c[i + (size_t)i * n];
  }

  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += ((i + 2 * k) % 7) * ((3 * k + j) % 5 - 2);
      worst = fmax(worst, fabs(sum - c[i + (size_t)j * n]));
    }
  printf("%d x %d by %s: trace %g, largest difference from the host's product %g\n", n, n,
         on_cublas ? "cuBLAS" : "target regions", trace, worst);
  free(a), free(b), free(c);
  return worst > 1e-9;
}
