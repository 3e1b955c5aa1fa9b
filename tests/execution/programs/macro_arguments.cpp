/* Arguments of macros that hold directives: strings with blanks and line ends in them, comments, raw strings. */
#include <cstdio>
#define PRAGMA(x) _Pragma(x)
#define RUN(x) _Pragma("omp target map(tofrom : n)") { x; }
#define SHOW(text, body) { _Pragma("omp target map(tofrom : n)") { body; } printf("%s|%s\n", text, #text); }
#define SHOW_RAW(text, body) { _Pragma("omp target map(tofrom : n)") { body; } printf("%s\n", text); }

int main() {
  int n = 0, v[4] = {1, 2, 3, 4};
  PRAGMA("omp target teams distribute parallel for reduction(+ : n) \
          map(to : v[0 : 4]) \
          map(tofrom : n)")
  for (int i = 0; i < 4; i++) n += v[i];
  PRAGMA("omp tar\
get map(tofrom : n)")
  { n += 1; }
  printf("%d\n", n);
  RUN(n += sizeof("a  b   c"))
  RUN(n += sizeof(R"x(a  b " \ ) )"
   c)x"))
  RUN(n += ' ' + sizeof "x\
    y" + v[0] * '	')
  printf("%d\n", n);
  SHOW("two  blanks\
  spl\
ice	tab", /* what  // is */ n++) // behind
  SHOW_RAW(R"(raw
   "string \" )", n++)
  SHOW_RAW(u8R"(raw  too)", n +\
= 2)
  printf("%d\n", n);
}
