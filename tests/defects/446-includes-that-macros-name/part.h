static void NAME(int *sum) {
#pragma omp target map(tofrom : sum[0 : 1])
  sum[0] += ADDED;
}
