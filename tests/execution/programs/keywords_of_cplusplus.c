/* Words that C++ keeps for itself, as names of types, members, functions, variables and labels; types that it has. */
#include <stdio.h>
typedef unsigned short char16_t;
typedef unsigned int char32_t;
typedef int wchar_t;
typedef enum { false, true } bool;
typedef struct class {
  int decltype;
  struct class *nullptr;
} class;
struct text {
  char16_t *units;
  int alignof;
  bool ok;
};
static bool odd(int x) { return x % 2 ? true : false; }
static wchar_t upper(wchar_t c) { return c - 32; }
static int try(class *p) { return p->decltype; }
static int concept(int requires, int co_await) {
  int co_return = requires;
  return co_return + co_await;
}
static int alignas[3] = {1, 2, 3};
static const int constexpr = 5;
int noexcept = 9;
int main(void) {
  class c = {4, 0};
  char16_t units[4] = {1, 2, 3, 4}, *p = units;
  struct text t = {units, 4, true};
  int r = 0, char8_t = 3, typeid = 2, thread_local = 6, consteval = 1, constinit = 7, co_yield = 8;
  bool any = false;
  char32_t k = 3;
#pragma omp target teams distribute parallel for map(tofrom : p[0 : 4], any) reduction(+ : r)
  for (int i = 0; i < 4; i++) {
    p[i] = (char16_t)(p[i] * 3);
    r += odd(i) + upper('a') + k;
    if (i == 2) any = true;
  }
  printf("%d %d %d %d\n", r, any, units[3], t.ok + t.alignof);
#pragma omp target map(tofrom : r)
  {
    r = try(&c) + c.decltype + alignas[1] + constexpr + noexcept + concept(1, 2) + thread_local + char8_t + typeid;
    r += consteval + constinit + co_yield;
    class d = c;
    r += d.decltype + sizeof(class) + sizeof(struct class) + (d.nullptr == 0);
  }
  printf("%d\n", r);
#pragma omp target map(tofrom : r)
#pragma omp parallel for reduction(max : r)
  for (int reinterpret_cast = 0; reinterpret_cast < 30; reinterpret_cast++) {
    int const_cast = reinterpret_cast * 10;
    if (const_cast > r) r = const_cast;
    switch (const_cast) {
    case 3: goto typename;
    default: break;
    typename: r++;
    }
  }
  printf("%d\n", r);
}
