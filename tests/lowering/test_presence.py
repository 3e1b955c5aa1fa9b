"""Structures and scalars that travel by value: only where it is proved that no part of them is on the device."""

from __future__ import annotations

import pytest

from support import compiled

TOP = """struct S { int n; double *p; };
struct D : S { int z; };
static void enter(const S &s) {
#pragma omp target enter data map(to : s.p[0:s.n])
}
static double look(const S &s) { return s.p[0]; }
static S &same(S &s) { return s; }
extern void anything(const S &);
static S *kept;
"""
REGION = "double x;\n#pragma omp target map(from : x)\nx = s.n;\n"


def by_value(text: str, top: str = TOP, name: str = "t.cpp", kind: str = "S") -> bool:
    output = compiled(f"{top}double f({kind} s, bool c) {{\n{text}\n{REGION} return x; }}\n", name)
    return "rex_unpack_object" in output.device


@pytest.mark.parametrize(
    "before",
    [
        "", "s.n = 3;", "s.n++;", "S t = s; t = s;", "int k = s.n + 1;", "s = S{1, nullptr};", "look(s);",
        "for (int i = 0; i < s.n; i++) s.p[i] = i;", "int k = c ? s.n : 2;", "auto g = [&] { return s.n; }; g();",
        "double *q = s.p;\n#pragma omp target enter data map(to : q[0:4])\n", "(void)s;", "int k = sizeof s;",
        "S t;\n#pragma omp target enter data map(to : t.p[0:4])\n",
        "S t;\nif (c) {\n#pragma omp target data map(to : s.p[0:4])\n{ t.n = 1; }\n}",
    ],
)  # fmt: skip
def test_what_reads_and_assigns_leaves_a_structure_by_value(before: str) -> None:
    assert by_value(before)


@pytest.mark.parametrize(
    "before",
    [
        "#pragma omp target enter data map(to : s.p[0:4])\n", "#pragma omp target enter data map(to : s)\n",
        "#pragma omp target update to(s.n)\n", "#pragma omp target enter data map(to : s.p)\n",
        "auto g = [&] {\n#pragma omp target enter data map(to : s.p[0:4])\n}; g();",
        "enter(s);", "anything(s);", "S &r = s;", "const S &r = s;", "S &r = same(s);", "auto &[a, b] = s;",
        "kept = &s;", "kept = &(c ? s : *kept);", "int *q = &s.n;", "const int &q = s.n;", "int &q = ++s.n;",
        "typedef const int fixed; fixed &q = s.n;", "typedef const S fixed; fixed &q = s;",
        "auto g = [r = &s] {}; g();", 'asm volatile("" : "+m"(s.n));',
        "S t;\nif (c) {\n#pragma omp target enter data map(to : s.p[0:4])\n t.n = 1; }",
    ],
)  # fmt: skip
def test_a_structure_of_which_a_part_may_be_present_stays_mapped(before: str) -> None:
    assert not by_value(before)


METHODS = """struct S {
  int n, m[3];
  int area() const { return n * inner(); }
  int inner() const { return m[n % 3]; }
  int grow() { return n++; }
  const S *self() const { return this; }
  int around() const { return self()->n; }
  int both(const S &o) const { return n + o.n; }
};
struct M { int n; int area() const { return k++; } mutable int k; };
static int reads(const S &s) { return s.area() + s.n; }
static int copies(S s) { return s.n++; }
static int changes(const S &s) { return const_cast<S &>(s).n++; }
static int casts(const S &s) { return ((S &)s).n++; }
static int outside(const S &s) { const S *p = &s; return p->n; }
static int changed(S &s) { return s.n++; }
static const S &same(const S &s) { return s; }
"""


@pytest.mark.parametrize(
    ("read", "kind", "proved"),
    [
        ("s.area()", "S", True), ("s.inner() + s.n", "S", True), ("reads(s)", "S", True), ("copies(s)", "S", True),
        ("s.both(s)", "S", True), ("[&] { return s.area(); }()", "S", True),
        ("s.grow()", "S", False), ("s.around()", "S", False), ("s.self()->n", "S", False),
        ("changes(s)", "S", False), ("casts(s)", "S", False), ("outside(s)", "S", False), ("changed(s)", "S", False),
        ("same(s).n", "S", False), ("s.area()", "M", False), ("(&s)->area()", "S", False),
    ],
)  # fmt: skip
def test_functions_that_only_read_a_structure_get_a_copy(read: str, kind: str, proved: bool) -> None:
    text = f"{METHODS}int f({kind} s) {{ int x;\n#pragma omp target map(from: x)\n x = {read};\n return x; }}\n"
    host = compiled(text, "t.cpp").host
    assert ("REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT" not in host[host.index("int f(") :]) is proved


def test_a_base_of_which_the_address_is_taken_stays_mapped() -> None:
    assert by_value("int k = s.n;", kind="D")
    assert not by_value("int *q = &s.n;", kind="D")
    assert not by_value("enter(s);", kind="D")


@pytest.mark.parametrize(
    ("constructor", "proved"),
    [
        ("T(int k) : n(k) { p = nullptr; }", True),
        ("T(int k);", False),
        ("T(int k) : n(k) { all = this; }", False),
        ("T(int k) : n(k) { fill(); } void fill() { all = this; }", False),
        ("T(int k) : n(k) { a = &n; }", False),
        ("T(int k) : n(k) {\n#pragma omp target enter data map(to : this[0:1])\n}", False),
        ("T(int) {} T *self = this;", False),
    ],
)
def test_an_object_may_be_mapped_by_its_constructor(constructor: str, proved: bool) -> None:
    top = f"struct T; static T *all; static int *a; struct T {{ int n; double *p; {constructor} }};\n"
    output = compiled(f"{top}int f() {{ T s(3); {REGION} return x; }}\n", "t.cpp")
    assert ("rex_unpack_object" in output.device) == proved


@pytest.mark.parametrize(
    ("before", "proved"),
    [
        ("", True), ("k = n;", True), ("twice(n);", True), ("int a[n];", True), ("use(n);", False),
        ("const int &r = n;", False), ("fixed &r = n;", False), ("other(n);", False), ("anything(n);", False),
        ("int *q = &n;", False), ("int &r = c ? n : k;", False),
    ],
)  # fmt: skip
def test_a_scalar_mapped_to_travels_by_value_where_nothing_else_maps_it(before: str, proved: bool) -> None:
    top = """static void use(const int &n) {
#pragma omp target enter data map(to : n)
}
static int twice(int n) { return 2 * n; }
extern void anything(const int &);
typedef const int fixed;
extern void other(fixed &);
"""
    region = "int x;\n#pragma omp target map(to : n) map(from : x)\nx = n;\n"
    output = compiled(f"{top}int f(int n, int k, bool c) {{ {before}\n{region} return x; }}\n", "t.cpp")
    assert ("rex_unpack<int>(__rex_n)" in output.device) == proved


@pytest.mark.parametrize(
    ("before", "proved"),
    [
        ("", True), ("struct S t = s; g(t);", True), ("g(s);", True), ("h(&s);", False), ("int *q = &(s.n);", False),
        ("#pragma omp target enter data map(to : s.p, s.p[0:4])\n", False), ("double *q = &s.p[1];", True),
    ],
)  # fmt: skip
def test_in_c_only_an_address_leads_away(before: str, proved: bool) -> None:
    top = "#include <stdbool.h>\nstruct S { int n; double *p; };\nvoid g(struct S);\nvoid h(struct S *);\n"
    assert by_value(before, top, "t.c", "struct S") == proved


@pytest.mark.parametrize(
    ("first", "use", "looked_up"),
    [
        ("", "x = n[2];", True), ("Number l = n;", "x = n.number;", True), ("", "x = m - n;", True),
        ("Number *all = &n;", "x = n[2];", False), ("other(n);", "x = n[2];", False), ("", "n.move(2);", False),
        ("", "n.number = 2;", False), ("", "const Number *here = &n; x = here->number;", False),
        ("Two n(3);", "x = n[2];", False), ("const Number &n = k;", "x = n[2];", False),
        ("Kept n(3);", "x = n[2];", False), ("Mutable n(3);", "x = n[2];", False),
    ],
)  # fmt: skip
def test_an_object_of_one_number_that_is_only_read_travels_by_value_unless_it_is_there(
    first: str, use: str, looked_up: bool
) -> None:
    top = """struct Number {
  int number;
  Number(int n) : number(n) {}
  int operator[](int i) const { return number + i; }
  int operator-(const Number &other) const { return number - other.number; }
  void move(int by) { number += by; }
};
struct Two { int number, more; Two(int n) : number(n), more(n) {} int operator[](int i) const { return number + i; } };
struct Mutable {
  mutable int number;
  Mutable(int n) : number(n) {}
  int operator[](int i) const { return number += i; }
};
struct Kept;
Kept *all;
struct Kept { int number; Kept(int n) : number(n) { all = this; } int operator[](int i) const { return number + i; } };
void other(Number &);
"""
    own = "" if " n(3)" in first or "&n =" in first else "Number n(3);"
    region = "int x = 0;\n#pragma omp target map(to : n) map(from : x)\n"
    text = f"{top}int f(Number k, Number m) {{ {own} {first}\n{region}{{ {use} }}\nreturn x; }}\n"
    assert ("rex_object_there<" in compiled(text, "t.cpp", arguments=("-w",)).device) == looked_up


_SEVERAL = """static int v;
{outside}
void other(int n, int *a);
void f(int n, int *a) {{
  int w = n;
  {before}
  {around}
#pragma omp target parallel for map(to: v, w)
  for (int i = 0; i < n; i++) a[i] += v + w;
}}
"""
_REGION = "#pragma omp target {0}\na[0] += 1;"


@pytest.mark.parametrize(
    ("before", "around", "outside", "by_value"),
    [
        ("", "", "", "vw"),
        (_REGION.format("map(to: v, w)"), "", "", "vw"),
        (_REGION.format("map(tofrom: v, w)"), "", "", "vw"),
        ("\n#pragma omp target data map(to: v, w)\nother(n, a);", "", "", "w"),
        ("", "\n#pragma omp target data map(to: v, w)", "", ""),
        (_REGION.format("map(to: v, w) nowait"), "", "", ""),
        ("\n#pragma omp target enter data map(to: v, w)", "", "", ""),
        ("\n#pragma omp target update to(v, w)", "", "", ""),
        ("other(v, &w);", "", "", "v"),
        ("", "", "int *of(void) { return &v; }", "w"),
        ("", "", "void g(int n) {\n#pragma omp target enter data map(to: v)\n}", "w"),
        ("", "", "#pragma omp declare target to(v)", "w"),
        ("extern int v;", "", "", "vw"),
    ],
)
def test_what_other_constructs_have_mapped(before: str, around: str, outside: str, by_value: str) -> None:
    device = compiled(_SEVERAL.format(before=before, around=around, outside=outside)).device
    head = device[device.rindex("__global__") :]
    assert "".join(name for name in "vw" if f"rex_literal __rex_{name}" in head) == by_value


REGION_OF_N = "\n#pragma omp target map(to : n)\nuse(n);\n"
DATA_OF_N = "\n#pragma omp target data map(to : n)\n"


@pytest.mark.parametrize(
    ("body", "by_value"),
    [
        (f"{REGION_OF_N} {DATA_OF_N} g();", True),
        (f"{DATA_OF_N} g(); {REGION_OF_N}", True),
        (f"if (c) {{ {DATA_OF_N} g(); }} {REGION_OF_N}", True),
        (f"auto f = [&] {{ {REGION_OF_N} }}; {DATA_OF_N} f();", False),
        (f"{DATA_OF_N} {{ auto f = [&] {{ {REGION_OF_N} }}; f(); }}", False),
        (f"auto f = [&] {{ {DATA_OF_N} {{ g(); }} }}; f(); {REGION_OF_N}", False),
        (f"\n#pragma omp parallel\n{{ if (c) {{ {DATA_OF_N} g(); }} else {{ {REGION_OF_N} }} }}", False),
        (f"\n#pragma omp task shared(n)\n{{ {DATA_OF_N} g(); }} {REGION_OF_N}", False),
        (f"\n#pragma omp parallel\n{{ int n = k; {DATA_OF_N} g(); {REGION_OF_N} }}", True),
        (f"auto f = [&] {{ int n = k; {DATA_OF_N} {{ g(); }} {REGION_OF_N} }}; f();", True),
    ],
)
def test_a_region_may_be_executed_inside_target_data_that_stands_elsewhere(body: str, by_value: bool) -> None:
    """A lambda is called anywhere, and another thread may be inside of it."""
    top = "void g();\n#pragma omp declare target\nvoid use(int n) {}\n#pragma omp end declare target\n"
    output = compiled(f"{top}void f(int k, int n, bool c) {{ {body} }}\n", "t.cpp", arguments=("-w",))
    assert ("rex_unpack<int>(__rex_n)" in output.device) is by_value


def test_variables_that_other_files_may_name_are_mapped() -> None:
    text = _SEVERAL.format(before="", around="", outside="").replace("static int v", "int v")
    device = compiled(text).device
    assert "int *__rex_v" in device
