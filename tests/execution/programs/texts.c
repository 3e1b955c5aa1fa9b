// Names, literals and line ends in UTF-8, with a byte-order mark and CRLF.
#include <stdio.h>
#include <string.h>
#define größe(x) ((x) + ä)
struct punkt_日 { int x\u00e9; double ÿ; };
static int ä = 4;
#pragma omp declare target
static int doppelt_é(int n) { return 2 * n; }
#pragma omp end declare target
static int münchen(void) {
  struct punkt_日 p = {1, 2};
  int ß = 3;
  double 配列[4] = {1, 2, 3, 4};
  long 长 = 0;
  char text[8] = "";
#pragma omp target teams distribute parallel for map(tofrom : 配列[0 : 4], p) firstprivate(ß) reduction(+ : 长)
  for (int i = 0; i < 4; i++) { 配列[i] += doppelt_\u00e9(ß) + p.xé; 长 += sizeof("日本é"); }
#pragma omp target map(tofrom : text)
  for (int i = 0; i < 4; i++) text[i] = "é\u00e9"[i];
  printf("%g %ld é日 %s\n", 配列[3], 长, text);
  return größe(0);
}
int main(void) { return münchen() - 4; }
