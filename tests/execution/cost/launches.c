// Ten entries each: extents of the run, arrays of known size, and an update of a section with gaps.
void extents(int n, double *a, double *b, double *c, float *d, double (*e)[4], int f, float g, double h, long *i) {
#pragma omp target teams distribute parallel for map(to : a[0 : n], b[0 : n]) map(c[0 : n], d[0 : n]) map(from : e[0 : n])
  for (int k = 0; k < n; k++) c[k] += a[k] * h + b[k] + f, d[k] += g, e[k][0] = i[k];
}

double t0[64], t1[64], t2[64], t3[64], t4[64], t5[64], t6[64], t7[64], t8[64], t9[64];

void known(void) {
#pragma omp target map(to : t0, t1, t2, t3, t4) map(tofrom : t5, t6, t7, t8, t9)
  t9[0] = t0[0] + t1[0] + t2[0] + t3[0] + t4[0] + t5[0] + t6[0] + t7[0] + t8[0];
}

void gaps(int n, double (*m)[64]) {
#pragma omp target update to(m[0 : n][1 : 2])
}
