"""What is C and not C++, or something else there: a row for each difference, on the CPU device and by the C compiler.

Each row is a name, declarations at file scope, and statements of a region that leave their answers in ``r``.
"""

# ruff: noqa: E501
from __future__ import annotations

import pytest

import support
from support import Bench

ROWS = [
    ("character constants are int", "", "r[0] = sizeof('a'); r[1] = sizeof 'b' + sizeof(('c'));"),
    ("comparisons and logic are int", "", "r[0] = sizeof(x == 2); r[1] = sizeof(!x); r[2] = sizeof(x && x);"),
    ("enumerators are int", "enum small { ONE = 1 };", "r[0] = sizeof(ONE); r[1] = _Generic(ONE, int: 1, default: 2);"),
    ("a conditional is a value", "", "char c = 1, d = 2; r[0] = sizeof(x ? c : d);"),
    ("a conditional of arrays decays", "", "char c[9], d[9]; r[0] = sizeof(x ? c : d); (void)c; (void)d;"),
    ("a comma is a value", "", "char c[9]; r[0] = sizeof(0, c); (void)c;"),
    ("_Generic chooses by C's types", "#define KIND(v) _Generic((v), int: 1, char: 2, _Bool: 3, char *: 4, const char *: 5, default: 0)",
     "r[0] = KIND(\"x\"); r[1] = KIND('c'); r[2] = KIND(x == 1); r[3] = KIND(2.0);"),
    ("_Generic of typedefs and qualifiers", "typedef unsigned long size; typedef struct { int a; } one;",
     "const int k = 1; one o = {1}; r[0] = _Generic((size)1, unsigned long int: 1, default: 2);"
     " r[1] = _Generic(k, int: 1, default: 2); r[2] = _Generic(&k, int *: 1, const int *: 2, default: 3);"
     " r[3] = _Generic(o, one: 7, default: 8) + o.a;"),
    ("sizeof in a macro's body", "#define SIZES(v) (sizeof 'a' + SIZE_OF_TEST(v))\n#define SIZE_OF_TEST(v) sizeof(v == 2)",
     "r[0] = SIZES(x);"),
    ("typeof of a test", "", "__typeof__(x == 1) t = 300; r[0] = t; __auto_type u = 'u'; r[1] = sizeof u;"),
    ("sizeof void", "", "void *v = &x; r[0] = sizeof(void); r[1] = sizeof(*v);"),
    ("compound literals of arrays live on", "static int total(int *p) { return p[0] + p[1] + p[2] + p[3]; }",
     "int *p = (int[4]){x, 2, 3, 4}; int *q = (int[]){x + 40, 20, 30, 10}; r[0] = total(p) * 1000 + total(q);"),
    ("a compound literal is made each time", "",
     "int *last = 0; for (int i = 0; i < 3; i++) { int *p = (int[2]){i, 5}; p[1] += i; r[i] = p[0] * 10 + p[1]; last = p; }"
     " r[3] = last != 0;"),
    ("a compound literal without a block", "static int first(const int *p) { return *p; }",
     "for (int i = 0; i < 3; i++) r[0] += first((int[]){i, 7});"),
    ("address of a compound literal", "struct point { int x, y; };",
     "struct point *p = &(struct point){3, 4}; p->x += 2; r[0] = p->x * 2 + p->y; int *n = &(int){x}; ++*n; r[1] = *n;"),
    ("initialisers narrow", "",
     "unsigned char v[2] = {x + 356, x}; float f[2] = {x, 0.5 * x}; short h = {x * 70000L}; r[0] = v[0]; r[1] = h; r[2] = (int)(f[1] * 4);"),
    ("tables narrow", "static const signed char table[3] = {0x80, 0xff, 1};", "r[0] = table[0] + table[1] * 1000;"),
    ("designators in any order", "struct pair { int a, b; };",
     "struct pair p = {.b = 1, .a = 2}; int a[6] = {[4] = 5, [1] = 2, 3}; r[0] = p.a * 10 + p.b; r[1] = a[4] * 100 + a[1] * 10 + a[2];"),
    ("nested and ranged designators", "struct cell { int n; int list[4]; struct { int u, v; } in; };",
     "struct cell c[2] = {[1].list[2] = 4, 5, {6, 7}, [0] = {.in.v = 8, .list = {[0 ... 2] = 9}}};"
     " r[0] = c[1].list[2] * 100 + c[1].list[3] * 10 + c[1].in.v; r[1] = c[0].in.v; r[2] = c[0].list[1] + c[0].list[3];"),
    ("designated members without a structure's name", "struct outer { int k; union { int i; float f; }; };",
     "struct outer o = {.i = 3, .k = 4}; r[0] = o.i * 10 + o.k;"),
    ("designators from a macro's body",
     "#define HUES(X) X(CYAN, 3) X(LIME, 5) X(TEAL, 7)\n#define HUE_NAME(n, v) n,\n#define AT(n, v) [n] = v,\n#define TWICE(n, v) [v % 3] = 2 * v,\n"
     "enum { HUES(HUE_NAME) HUE_COUNT };\nstatic const int hues[] = {HUES(AT)};\nstruct twins { int a, b; };\n#define ONE(m, v) .m = v\n#define EIGHT 4 + 4",
     "static const int twice[] = {1, 2, 3, HUES(TWICE) EIGHT}; struct twins t = {ONE(b, x), ONE(a, EIGHT)}, u = {ONE(a, 1), .b = 2};"
     " r[0] = hues[CYAN] + hues[TEAL] * 10 + HUE_COUNT * 100; r[1] = twice[0] + twice[1] * 100 + twice[2] * 10000; r[2] = t.a * 10 + t.b; r[3] = u.a * 10 + u.b;"),
    ("a string that fills its array", "struct tag { char name[3]; int n; };",
     "char t[4] = \"four\"; struct tag g = {\"abc\", 5}; char rows[2][2] = {\"ab\", \"cd\"}; r[0] = t[0] * 1000 + t[3]; r[1] = g.name[2] + g.n; r[2] = rows[1][1];"),
    ("pointers of another sign", "static int length(const char *s) { int n = 0; while (s[n]) n++; return n; }\nstatic void fill(unsigned *p) { *p = 200; }",
     "unsigned char text[5] = \"four\"; int w; fill(&w); r[0] = w + length(text);"),
    ("void pointers and qualifiers", "static void *same(const void *p) { return (void *)p; }",
     "const int k = 4; int *p = same(&k); r[0] = *p; char *s = \"text\"; r[1] = s[2]; const int *const *cc; int *q = &x; cc = &q; r[2] = **cc;"),
    ("null pointers", "", "int *p = (void *)0; r[0] = p == 0; p = 1 - 1; r[1] = !p; p = x ? (void *)0 : &x; r[2] = p == 0;"),
    ("arithmetic on void pointers", "",
     "int a[4] = {1, 2, 3, 4}; void *v = a; v = v + 4; r[0] = *(int *)v; v += 8; v -= 4u; r[1] = *(int *)v++; --v; ++v; r[2] = (v - (void *)a) + (v > (void *)a);"),
    ("enumerations are integers", "enum hue { RED, GREEN = 5, BLUE };\nstatic enum hue after(enum hue c) { return c + 1; }",
     "enum hue c = x; c++; c |= 8; r[0] = c; c = 3; r[1] = after(7) + after(c); for (c = RED; c < GREEN; c++) r[2]++;"),
    ("enumerations have a sign", "enum up { LOW, HIGH }; enum down { UNDER = -1, OVER };",
     "enum up u = LOW; enum down d = UNDER; r[0] = u - 1 > 0; r[1] = d < 0; r[2] = u > -1;"),
    ("enumerations in structures", "struct box { enum fill { EMPTY, FULL = 7 } fill; int n; };",
     "struct box b = {FULL, 2}; enum fill f = EMPTY; f += 1; r[0] = b.fill + f; enum { HERE = 3 } h = HERE; r[1] = h;"),
    ("structures declared in structures", "struct whole { struct part { int a; } first; struct part *next; };",
     "struct part p = {4}; struct whole w = {{5}, &p}; r[0] = w.first.a * 10 + w.next->a;"),
    ("tags beside names", "char T[100];", "struct T { int a, b; } v = {1, 2}; r[0] = sizeof(T); r[1] = sizeof(v); r[2] = sizeof(struct T);"),
    ("a tag and a variable in one scope", "", "struct n { int n, i; } n = {1, 2}; r[0] = n.n + sizeof(n) + sizeof(struct n);"),
    ("jumps past initialisers", "",
     "for (int i = 0; i < 4; i++) { if (i == 2) goto skip; const int k = i * 2, m[2] = {k, 1}; r[0] += k + m[1]; skip:;"
     " switch (i) { case 0:; int z = 5; r[1] += z; break; case 1: z = 6; r[1] += z; break; default: r[1] += 3; } }"),
    ("volatile structures in others", "struct in { int a; unsigned f : 5; int t[2]; };\nunion both { volatile struct in v; long l; };\n"
     "struct out { volatile struct in v; int b; struct in volatile w[2]; volatile struct { volatile int k; } s; };\n"
     "static struct out made(struct out o) { o.v.a++; o.w[1] = o.v; return o; }\n"
     "static int sum(volatile struct in *p) { return p->a + p->f + p->t[1]; }",
     "struct out o = {{x, 2, {3, 4}}, 5, {{6, 7, {8, 9}}, {10, 11, {12, 13}}}, {14}}; struct out y = made(o), z; z = y; struct in i = z.v;"
     " union both u = {{1, 2, {3, 4}}}, v = u; v.v = i; z.v.f = 9; z.v.t[1] += 4; volatile struct in *p = &y.w[1]; struct out list[2] = {o, z};"
     " r[0] = sum(p) * 100 + list[1].v.f; r[1] = v.v.a + list[1].v.t[1] * 10 + list[0].s.k * 1000; r[2] = sizeof(struct out) + sizeof o.v;"),
    ("volatile structures", "struct two { int a; long b; };",
     "volatile struct two v = {3, 4}; struct two p = v; p.a++; v = p; volatile struct two w = v; v = w; r[0] = v.a * 10 + p.b;"),
    ("parameters with static and restrict",
     "static int add3(int n, const int t[const restrict static 3]) { return t[0] + t[1] + t[2] + n; }\n"
     "static int corner(int t[static 1][2]) { return t[0][1]; }\nstatic int top_of(int t[restrict]) { return t[0]; }",
     "int t[3] = {1, 2, 3}, u[1][2] = {{4, 5}}; r[0] = add3(3, t); r[1] = corner(u) + top_of(t);"),
    ("functions in the old style", "static int old(a, b) int a; char b; { return a + b; }\nstatic int declared();\n"
     "static int caller(void) { return declared(4, 5); }\nstatic int declared(int a, int b) { return a * b; }",
     "r[0] = old(3, 4); r[1] = caller();"),
    ("pointers to functions without parameters", "static int twice(int a) { return a * 2; }",
     "int (*f)() = twice; r[0] = f(21);"),
    ("a function that ends without a value", "static int set(int *p) { *p = 5; }", "set(&r[0]);"),
    ("names that C++ keeps", "typedef int bool_; struct new { int class, this; };",
     "int bool = 5, true = 6, delete = 7; struct new new = {1, 2}; r[0] = bool + true + delete + new.class * new.this;"),
    ("register and auto", "", "register int twice = x * 2; auto int k = 3; r[0] = twice + k;"),
    ("digraphs", "", "int a<:2:> = <%4, 5%>; r[0] = a<:1:>;"),
    ("functions of the library take one type", "#include <math.h>\n#include <stdlib.h>",
     "float f = x + 2; double d = sqrt(f), e = exp(f); r[0] = (int)(d * 1e9); r[1] = (int)((e - (int)e) * 1e9); r[2] = abs(-5);"
     " float s = sqrt(f); r[3] = (int)(s * 1e6); r[4] = abs(-3.75);"),
    ("statement expressions", "", "r[0] = ({ int t = x; t * 2; });"),
    ("empty and flexible structures", "struct list { int n; int items[]; };", "r[0] = sizeof(struct list);"),
    ("hexadecimal floats", "", "r[0] = (int)(0x1.8p3 * 2);"),
]  # fmt: skip


def program() -> str:
    """Return the program of all rows; each prints its name and answers."""
    before = [row[1] for row in ROWS]
    parts = ["#include <stdio.h>", "#pragma omp declare target", *before, "#pragma omp end declare target"]
    for number, (_, _, statements) in enumerate(ROWS):
        parts += [
            f"static void row{number}(int x, int *out) {{",
            "  int r[5] = {0};",
            "#pragma omp target map(tofrom : r)",
            f"  {{ {statements} }}",
            "  for (int i = 0; i < 5; i++) out[i] = r[i];",
            "}",
        ]
    parts += ["int main(void) {", "  int out[5];"]
    for number, (name, _, _) in enumerate(ROWS):
        text = '"%d %d %d %d %d\\n"'
        parts.append(f'  row{number}(2, out); printf("{name}: " {text}, out[0], out[1], out[2], out[3], out[4]);')
    return "\n".join([*parts, "  return 0;", "}", ""])


@pytest.mark.usefixtures("runtime")
def test_every_difference_means_what_c_means(bench: Bench) -> None:
    files = {"differences.c": program()}
    expected = bench.plain(files)
    assert len(expected.splitlines()) == len(ROWS)
    built = bench.build(files, "-w")
    assert support.on_device(built).splitlines() == expected.splitlines()
