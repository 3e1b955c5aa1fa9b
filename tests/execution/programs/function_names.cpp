/* __func__ and its like in a region are the name of the user's function; called functions have their own. */
#include <cstdio>
#include <cstring>

#define NAME __func__

static int failures;

static void check(const char *what, const char *got, const char *want) {
  if (std::strcmp(got, want) != 0) {
    std::printf("FAIL %s: %s, not %s\n", what, got, want);
    failures++;
  }
}

static char second() { return __func__[1]; }

static void plain() {
  char b[100] = "", c[100] = "", d[100] = "", e[200] = "";
  char own = 0;
  unsigned long size = 0;
#pragma omp target map(from : b, c, d, e, own, size)
  {
    const char *s = __func__, *m = NAME, *f = __FUNCTION__, *p = __PRETTY_FUNCTION__;
    for (int i = 0; i == 0 || s[i - 1]; i++) b[i] = s[i];
    for (int i = 0; i == 0 || m[i - 1]; i++) c[i] = m[i];
    for (int i = 0; i == 0 || f[i - 1]; i++) d[i] = f[i];
    for (int i = 0; i == 0 || p[i - 1]; i++) e[i] = p[i];
    own = second();
    size = sizeof __func__;
  }
  check("word", b, __func__);
  check("macro", c, NAME);
  check("function", d, __FUNCTION__);
  check("pretty", e, __PRETTY_FUNCTION__);
  if (own != 'e' || size != sizeof __func__) {
    std::printf("FAIL own %c size %lu\n", own, size);
    failures++;
  }
}

template <class T> static void of_template(T n) {
  char b[100] = "";
#pragma omp target parallel for map(tofrom : b)
  for (int i = 0; i < n; i++) b[i] = __func__[i];
  check("template", b, __func__);
}

struct Class {
  void method() {
    char b[100] = "";
#pragma omp target teams distribute parallel for map(tofrom : b)
    for (int i = 0; i < 6; i++) b[i] = NAME[i];
    check("method", b, __func__);
  }
};

int main() {
  plain();
  of_template(11);
  Class().method();
  std::printf(failures ? "failed\n" : "ok\n");
  return failures != 0;
}
