static inline int lowest(int value) {
  int on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  return on_host ? -1 : value;
}
