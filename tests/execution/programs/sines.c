// Sines and cosines of one value: of variables, elements and expressions, in one declaration, in one expression, in
// several statements, in inner loops; and of values that change in between.
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 3000 };
static float x[MOST], y[MOST];
static double u[MOST], v[MOST];
static void tell(const char *what) {
  unsigned long long sum = 0, bits;
  for (int i = 0; i < MOST; i++) {
    double both = v[i] * 3 + y[i];
    memcpy(&bits, &both, sizeof bits);
    sum = sum * 31 + bits;
    v[i] = y[i] = 0;
  }
  printf("%s: %llx\n", what, sum);
}
#define SQUARE(a) ((a) * (a))
#define TURN(p, q, angle) \
  do { \
    float c_ = cosf(angle), s_ = sinf(angle), p_ = p; \
    p = p * c_ - q * s_, q = p_ * s_ + q * c_; \
  } while (0)
#define TWICE(e) ((e) + 2 * (e))

static void plain(float k, int m) {
#pragma omp target teams distribute parallel for map(to : x, u) map(tofrom : y, v)
  for (int i = 0; i < MOST; i++) {
    float e = k * x[i], c = cosf(e), s = sinf(e), again = cosf(e) + sinf(e);
    y[i] = c * 2 - s + again;
    v[i] = sin(u[i] * k) + cos(u[i]*k) * sin(u[i] * k);
  }
  tell("in one declaration, in one expression");
#pragma omp target teams distribute parallel for map(to : x, u) map(tofrom : y, v)
  for (int i = 0; i < MOST; i++) y[i] = sinf(x[i] + i) - cosf(x[i] + i);
  tell("alone");
#pragma omp target teams distribute parallel for map(to : x, u) map(tofrom : y, v) num_teams(3)
  for (int i = 0; i < MOST; i++) {
    float r = 0, q = 0;
    for (int j = 0; j < m; j++) {
      double d = sin(x[i] * j);
      r += d * 2;
      q += cos(x[i] * j);
    }
    for (int j = 0; j < m; j++) r += cosf(SQUARE(k) * j) * sinf(SQUARE(k) * j);
    if (i % 3) q += sin(SQUARE(u[i])) / cos(SQUARE(u[i]) ); else if (sinf(r) < cosf(r)) q -= 1;
    int left = 3;
    do q += sinf(left - r) * cosf(left - r); while (--left);
    y[i] = r;
    v[i] = q;
  }
  tell("in inner loops");
}

static void changing(float k, int m) {
#pragma omp target teams distribute parallel for map(to : x, u) map(tofrom : y, v)
  for (int i = 0; i < MOST; i++) {
    float e = x[i], t[3] = {e, k, 1}, c = cosf(e);
    e += 1;
    float s = sinf(e);
    c += cosf(e), e = 2 * e, s -= sinf(e);
    e = sinf(e) + cosf(e);
    c += cosf(t[i % 3]);
    t[0] = 5;
    s += sinf(t[i % 3]);
    float held = x[i], *p = &held;
    c += cosf(held), *p = 3, s += sinf(held);
    y[i] = sinf(y[i] + 1);
    y[i] = c + s + cosf(y[i] + 1);
  }
  tell("changed in between");
#pragma omp target teams distribute parallel for map(to : x, u) map(tofrom : y, v)
  for (int i = 0; i < MOST; i++) {
    float e = x[i], c = 0, s = 0;
    if (i % 2) c = cosf(e);
    s = sinf(e) + (i % 4 ? cosf(e) : 1);
    switch (i % 5) {
    case 0: c += cosf(e * 2);
    case 1: s += sinf(e * 2); break;
    case 2:
      c += cosf(e * 3);
      if (i & 8) break;
      s += sinf(e * 3);
    default: s -= 1;
    }
    c += cosf(e * 5);
    if (i % 7 == 0) goto end;
    c += 1;
  end:
    s += sinf(e * 5);
    for (int j = 0; j < m; j++) {
      c += cosf(e * j);
      if (j > i % 4) continue;
      s += sinf(e * j);
    }
    int left = 5;
    while (left-- && sinf(s) * cosf(s) > 0.25f) s += 0.5f;
    y[i] = c + s;
  }
  tell("under conditions");
  double changed = k;
#pragma omp target teams distribute parallel for map(to : x, u) map(tofrom : y, v) firstprivate(changed)
  for (int i = 0; i < MOST; i++) {
    changed = i * 0.25;
    v[i] = sin(changed);
    changed += v[i];
    v[i] += cos(changed);
    v[i] += sin(changed), v[i] *= cos(changed);
  }
  tell("private");
}

static void hidden(float k) {
#pragma omp target teams distribute parallel for map(to : x, u) map(tofrom : y, v)
  for (int i = 0; i < MOST; i++) {
    float p = x[i], q = k;
    TURN(p, q, x[i]);
    y[i] = TWICE(sinf(p) * cosf(p)) + TWICE(sinf(q)) + cosf(q);
    v[i] = q + sizeof(sin(k)) + sizeof(cos(k));
  }
  tell("macros");
  double sum = 0;
#pragma omp target teams distribute parallel for map(to : x, u) map(tofrom : y, v) reduction(+ : sum)
  for (int i = 0; i < MOST; i++) {
    int turns = (int)(sin(u[i]) * 4 + cos(u[i]) * 4);
    sum += turns;
    y[i] = turns;
#pragma omp atomic
    v[i / 10] += (int)(sin(k) * cos(k) * 8);
  }
  v[0] += sum;
  tell("reduction, atomic");
}

int main(void) {
  for (int i = 0; i < MOST; i++) x[i] = (i * 37 % 1009 - 500) * 0.01f, u[i] = (i * 91 % 2003 - 900) * 0.7;
  x[7] = 1e9f, u[8] = -1e18, x[9] = -0.0f, u[9] = 1e-300, x[10] = 1e-42f;
  plain(1.25f, 5);
  changing(0.75f, 6);
  hidden(0.3f);
  return 0;
}
