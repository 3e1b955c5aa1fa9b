#include <stdio.h>
/* Names that are keywords or operators in C++: of variables, members, functions, parameters, macros and types. */
typedef enum { false, true } bool;
struct class {
  int xor, bitand;
  struct class *this;
};
#define or_eq(not_eq, new) ((not_eq) + (new) + catch(1))
#pragma omp declare target
int typename = 5;
static int catch(int operator) { return operator + 1; /* catch and release */ }
static bool delete(int not) {
  if (not > 3) return true;
  return false;
}
#pragma omp end declare target
int main(void) {
  int and = 3, or = 0, not[4] = {1, 2, 3, 4}, template = 0;
  struct class s = {5, 6, 0};
#pragma omp target map(tofrom : or) map(to : not[0 : 4])
  {
    int compl = not[2] + and;
    const char *text = "and or";
    or = compl + s.xor * s.bitand + or_eq(and, 2) + (text[0] == 'a');
    or += sizeof(struct class *) == 8 ? delete(compl) : 0;
    typename += or;
  }
#pragma omp target update from(typename)
#pragma omp target teams distribute parallel for reduction(+ : template) firstprivate(and)
  for (int xor_eq = 0; xor_eq < 100; xor_eq++) template += xor_eq % and;
  printf("%d %d %d\n", or, template, typename);
  return 0;
}
