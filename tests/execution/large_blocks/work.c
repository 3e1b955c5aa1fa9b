#pragma omp declare target
unsigned long long total;
unsigned down(unsigned x, int n);
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15) F(16) F(17) F(18) \
  F(19) F(20) F(21) F(22) F(23) F(24) F(25) F(26) F(27) F(28) F(29) F(30) F(31) F(32) F(33) F(34) F(35) F(36) F(37) \
  F(38) F(39) F(40) F(41) F(42) F(43) F(44) F(45) F(46) F(47) F(48) F(49) F(50) F(51) F(52) F(53) F(54) F(55) F(56) \
  F(57) F(58) F(59) F(60) F(61) F(62) F(63)
#define LOAD(i) unsigned v##i = n > i ? p[i] : i;
#define FIRST(i) unsigned w##i = v##i * 5 + (v##i >> 3);
#define MIX(i) v##i = v##i * 33 + (w##i ^ last), last = v##i;
#define NEXT(i) w##i += v##i;
#define ADD(i) sum += v##i ^ w##i;
unsigned mixed(const unsigned *p, int n, int rounds) {
  unsigned last = 1, sum = 0;
  EACH(LOAD)
  EACH(FIRST)
  for (int k = 0; k < rounds; k++) {
    EACH(MIX)
    EACH(NEXT)
  }
  EACH(ADD)
  return sum;
}
void work(int *a, int n) {
#pragma omp distribute
  for (int k = 0; k < 8; k++) {
    int begin = k * (n / 8), scale = 0;
#pragma omp parallel for reduction(+ : scale)
    for (int i = 0; i < 10; i++) scale += i;
#pragma omp parallel for
    for (int i = begin; i < begin + n / 8; i++) a[i] = i % 7 + scale;
  }
}
unsigned deep(unsigned x, int n) { return n == 0 ? x : down(x + 1, n - 1); }
#pragma omp end declare target
unsigned again(const unsigned *p, int n) {
  unsigned r = 0;
#pragma omp target map(to : p[0 : 128]) map(from : r)
  r = mixed(p, n, 2) + (unsigned)total;
  return r;
}
