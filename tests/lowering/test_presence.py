"""Structures and scalars that travel by value: only where it is proved that no part of them is on the device."""

from __future__ import annotations

import re

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


def test_a_range_based_loop_gives_elements_of_an_object_away() -> None:
    top = "struct R { int n; int *begin() { return &n; } int *end() { return &n + 1; } };\nstatic int *kept;\n"
    assert by_value("s.n = 3;", top, kind="R")
    assert by_value("for (int i = 0; i < 3; i++) s.n;", top, kind="R")
    assert not by_value("for (int &x : s) kept = &x;", top, kind="R")


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
static int into(const S &s, int &to) { to = s.n; return to; }
static int both(const S &s, S &to) { to.n = s.n; return 0; }
static int held(const S &s, const int *&to) { to = &s.n; return *to; }
"""


@pytest.mark.parametrize(
    ("read", "kind", "proved"),
    [
        ("s.area()", "S", True), ("s.inner() + s.n", "S", True), ("reads(s)", "S", True), ("copies(s)", "S", True),
        ("s.both(s)", "S", True), ("[&] { return s.area(); }()", "S", True),
        ("s.grow()", "S", False), ("s.around()", "S", False), ("s.self()->n", "S", False),
        ("changes(s)", "S", False), ("casts(s)", "S", False), ("outside(s)", "S", False), ("changed(s)", "S", False),
        ("same(s).n", "S", False), ("s.area()", "M", False), ("(&s)->area()", "S", False),
        ("0; into(s, x)", "S", True), ("0; S o = s; both(s, o)", "S", True), ("both(s, s)", "S", False),
        ("into(s, s.n)", "S", False), ("into(s, s.m[1])", "S", False),
        ("0; const int *p = nullptr; held(s, p)", "S", False),
    ],
)  # fmt: skip
def test_functions_that_only_read_a_structure_get_a_copy(read: str, kind: str, proved: bool) -> None:
    text = f"{METHODS}int f({kind} s) {{ int x;\n#pragma omp target map(from: x)\n {{ x = {read}; }}\n return x; }}\n"
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


OBJECTS = """struct Number {
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
Number one();
Two two();
"""
WHERE = {"absent": "rex_unpack_object<", "asked": "rex_object_there<", "memory": ""}


@pytest.mark.parametrize(
    ("first", "use", "where"),
    [
        ("", "x = n[2];", "absent"), ("Number l = n;", "x = n.number;", "absent"), ("", "x = m - n;", "absent"),
        ("n = Number(4);", "x = n[2];", "absent"), ("Two n(3);", "x = n[2];", "absent"),
        ("Number n = one();", "x = n[2];", "asked"), ("Two n = two();", "x = n[2];", "memory"),
        ("Number *all = &n;", "x = n[2];", "memory"), ("other(n);", "x = n[2];", "memory"),
        ("", "n.move(2);", "memory"), ("", "n.number = 2;", "memory"),
        ("", "const Number *here = &n; x = here->number;", "memory"),
        ("const Number &n = k;", "x = n[2];", "memory"), ("Kept n(3);", "x = n[2];", "memory"),
        ("Mutable n(3);", "x = n[2];", "memory"), ("static Number n(3);", "x = n[2];", "memory"),
        ("\n#pragma omp target data map(to : n)\nother(k);", "x = n[2];", "absent"),
        ("\n#pragma omp target enter data map(to : n)\n", "x = n[2];", "asked"),
        ("Two n(3);\n#pragma omp target enter data map(to : n)\n", "x = n[2];", "memory"),
    ],
)  # fmt: skip
def test_an_object_that_is_only_read_travels_by_value_where_the_device_has_none(
    first: str, use: str, where: str
) -> None:
    """It is asked where what made the object may have mapped it, and the object is one number."""
    own = "" if re.search(r"\w &?n(\(3\)| =)", first) else "Number n(3);"
    region = "int x = 0;\n#pragma omp target map(to : n) map(from : x)\n"
    text = f"{OBJECTS}int f(Number k, Number m) {{ {own} {first}\n{region}{{ {use} }}\nreturn x; }}\n"
    device = compiled(text, "t.cpp", arguments=("-w",)).device
    assert {way for way, word in WHERE.items() if word and word in device} == {where} - {"memory"}


SHAPES = """
struct Two { long a, b; long sum() const { return a + b; } };
struct Elements { int n, m[5]; int at(int i) const { return m[i]; } };
struct Large { long a[2]; Two b[32]; };
struct Most { Two b[32]; };
struct Copied { long a, b; Copied(const Copied &o) : a(o.a), b(1) {} };
struct Ends { long a, b; ~Ends(); };
struct Assigned { long a, b; Assigned &operator=(const Assigned &o) { a = o.b; return *this; } };
struct Asked { long a, b; explicit Asked(const Asked &) = default; };
class Hidden { Hidden(const Hidden &) = default; public: long a, b; };
struct Moved { long a, b; Moved(Moved &&); };
struct Mapped { long a, b; double *p; };
#pragma omp declare mapper(Mapped m) map(m.a, m.b, m.p[0 : m.a])
struct Around { long a, b; Mapped m; };
struct Virtual { long a, b; virtual long sum() const { return a + b; } };
template <class L> struct Holds { long a; L l; };
#pragma omp declare target
static long *kept;
#pragma omp end declare target
static long reads(const Two &t) { return t.sum(); }
static long keeps(const Two &t) { kept = const_cast<long *>(&t.a); return 1; }
static long changes(const Two &t) { return const_cast<Two &>(t).a++; }
"""


@pytest.mark.parametrize(
    ("kind", "use", "is_by_value"),
    [
        ("Two", "x = s.sum() + s.a;", True), ("Two", "{ Two t = s; t.a++; x = t.a; }", True),
        ("Two", "x = reads(s);", True), ("Two", "x = keeps(s);", False), ("Two", "x = changes(s);", False),
        ("Two", "s.a = 3;", False), ("Two", "{ Two &t = s; x = t.a; }", False),
        ("Two", "x = [&] { return s.a; }();", False), ("const Two", "x = s.a;", True),
        ("volatile Two", "x = s.a;", False), ("Two &", "x = s.a;", False), ("Elements", "x = s.m[1];", False),
        ("Elements", "x = s.at(x);", False), ("Elements", "{ Elements t = s; x = t.m[x]; }", True),
        ("Most", "{ Most t = s; x = t.b[x].a; }", True), ("Large", "{ Large t = s; x = t.b[x].a; }", False),
        ("Copied", "x = s.a;", False), ("Ends", "x = s.a;", False), ("Assigned", "x = s.a;", True),
        ("Asked", "x = s.a;", False), ("Hidden", "x = s.a;", False), ("Moved", "x = s.a;", False),
        ("Mapped", "x = s.a;", False), ("Around", "x = s.a;", False), ("Virtual", "x = s.sum();", True),
    ],
)  # fmt: skip
def test_which_objects_travel_by_value(kind: str, use: str, is_by_value: bool) -> None:
    text = f"{SHAPES}long f({kind} s) {{ long x = 0;\n#pragma omp target map(to : s) map(tofrom : x)\n{use}\n"
    output = compiled(f"{text}return x; }}\n", "t.cpp", arguments=("-w",))
    assert ("rex_unpack_object<" in output.device) is is_by_value


@pytest.mark.parametrize(
    ("clauses", "is_by_value"),
    [
        ("map(to : s)", True), ("map(to : s) if (x > 0)", True), ("map(to : s) device(1)", True),
        ("map(tofrom : s)", False), ("map(always, to : s)", False), ("map(present, to : s)", False),
        ("map(close, to : s)", False), ("map(to : s, s.p[0 : 4])", False), ("map(to : s.n)", False),
        ("map(to : s) nowait", False), ("map(to : s) depend(in : s)", False),
    ],
)  # fmt: skip
def test_what_clauses_keep_an_object_or_a_pointer_mapped(clauses: str, is_by_value: bool) -> None:
    """A task maps when it is executed, and what it depends on may change an object until then."""
    top = "struct S { long n, m; double *p; };\n"
    region = f"\n#pragma omp target {clauses} map(tofrom : x)\n"
    output = compiled(f"{top}void f(S s, double x) {{ {region} x += s.n + s.m; }}\n", "t.cpp", arguments=("-w",))
    assert ("rex_unpack_object<" in output.device) is is_by_value
    clauses = clauses.replace("s.p[0 : 4]", "s[0 : 4]").replace("s.n", "s[0 : 1]")
    region = f"\n#pragma omp target {clauses} map(tofrom : x)\n"
    output = compiled(f"void f(double *s, double x) {{ {region} x += s[1]; }}\n", "t.cpp", arguments=("-w",))
    assert ("REX_MAP_LITERAL" in output.host) is is_by_value
    assert ("double **" in output.device) is (not is_by_value and "map(to : s[" not in clauses)


def test_as_many_objects_travel_by_value_as_a_launch_has_room_for() -> None:
    names = [f"s{i}" for i in range(9)]
    items, uses = ", ".join(names), " + ".join(f"{name}.a[3]" for name in names)
    head = "template <int N> struct S { long a0, a1, a2, a3; S<N - 1> before, more; }; template <> struct S<0> {};\n"
    parameters = ", ".join(f"S<3> {name}" for name in names)
    region = f"#pragma omp target map(to : {items}) map(from : x)\nx = {uses.replace('a[3]', 'a3')};\nreturn x;"
    output = compiled(f"{head}long f({parameters}) {{ long x;\n{region} }}\n", "t.cpp", arguments=("-w",))
    (kernel,) = output.kernels
    words = [name for name in kernel.names if "word" in name]
    assert len(words) == 256 // 32 * 32 and "rex_unpack_object<" in kernel.body


@pytest.mark.parametrize(
    ("kind", "before", "use", "is_by_value"),
    [
        ("int *", "", "x = s[1];", True), ("const int *const", "", "x = s[1];", True), ("void *", "", "x = !s;", True),
        ("int (*)[4]", "", "x = s[1][2];", True), ("int **", "", "x = s != nullptr;", True),
        ("int *", "s++;", "x = s[1];", True), ("int *", "int *t = s; keep(t);", "x = s[1];", True),
        ("int *", "int **t = &s;", "x = s[1];", False), ("int *", "keep(s);", "x = s[1];", False),
        ("int *", "int *&t = s;", "x = s[1];", False), ("int *", "", "x = *s++;", False),
        ("int *", "", "{ int *&t = s; x = *t; }", False), ("int *", "", "{ int **t = &s; x = **t; }", False),
        ("int *volatile", "", "x = s[1];", False), ("int *&", "", "x = s[1];", False),
        ("int *", "auto g = [&] { s++; }; g();", "x = s[1];", True),
        ("int *", "auto g = [&] {\n#pragma omp target enter data map(to : s)\n};", "x = s[1];", False),
        ("int *", "\n#pragma omp target enter data map(to : s[0 : 4])\n", "x = s[1];", False),
        ("int *", "\n#pragma omp target update to(s)\n", "x = s[1];", False),
        ("int *", "\n#pragma omp target map(to : s)\nx = s[2];", "x = s[1];", True),
    ],
)  # fmt: skip
def test_a_functions_own_pointer_travels_by_value(kind: str, before: str, use: str, is_by_value: bool) -> None:
    top = "static int **kept;\nvoid keep(int *&);\ntypedef struct {} none;\n"
    declared = kind.replace("(*)", "(*s)") if "(*)" in kind else f"{kind} s"
    region = f"\n#pragma omp target map(to : s) map(tofrom : x)\n{use}\nreturn x;"
    output = compiled(f"{top}int f({declared}) {{ int x = 0; {before} {region} }}\n", "t.cpp", arguments=("-w",))
    assert ("REX_MAP_PARAM | REX_MAP_TO," not in output.host.rpartition("int f(")[2]) is is_by_value


@pytest.mark.parametrize(
    "item", ["p[0 : 4]", "p[2]", "p[n : 3]", "*p", "p[: 9]", "q[1][0 : 4]", "s->a", "s->p[0 : 4]", "s[1]"]
)
def test_what_pointers_lead_to_is_mapped(item: str) -> None:
    top = "struct S { int a, *p; };\n"
    use = {"p": "p[0]", "q": "q[1][0]", "s": "s->a", "*": "*p"}[item[0]]
    region = f"#pragma omp target map(to : {item}) map(from : x)\nx = {use};\nreturn x;"
    host = compiled(f"{top}int f(int *p, int **q, struct S *s, int n) {{ int x;\n{region} }}\n", "t.cpp").host
    assert "REX_MAP_LITERAL" not in host and "REX_MAP_TO" in host


def test_pointers_that_others_may_name_are_mapped() -> None:
    text = "int *a; static int *b;\nint f() { static int *c; int x;\n"
    text += "#pragma omp target map(to : a, b, c) map(from : x)\nx = a[0] + b[0] + c[0];\nreturn x; }\n"
    assert compiled(text, "t.cpp").device.count("int **") == 3


def test_pointers_to_the_same_memory_are_no_restrict_parameters() -> None:
    text = "void f(int *p, int n) { int *q = p + 1;\n#pragma omp target teams distribute parallel for map(to : p, q)\n"
    device = compiled(f"{text}for (int i = 0; i < n; i++) q[i] = p[i] + 1;\n}}\n", "t.cpp").device
    assert "restrict" not in device and "int *p, int *q" in device


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


@pytest.mark.parametrize("clause", ["map(to : s)", "map(mapper(all), to : s)"])
def test_what_a_mapper_maps_travels_in_no_words(clause: str) -> None:
    """A mapper of the class, or one that the clause names: what the object points to is the device's then."""
    name = "all : " if "mapper" in clause else ""
    text = f"""
struct pair {{ int n; double *p; }};
#pragma omp declare mapper({name}struct pair v) map(v, v.p[0 : v.n])
double first(double *a) {{
  struct pair s = {{1, a}};
  double found = 0;
#pragma omp target {clause} map(from : found)
  found = s.p[0];
  return found;
}}
"""
    output = compiled(text, "a.c")
    assert "rex_unpack_object<" not in output.device
    assert "struct pair *__rex_s" in output.device


@pytest.mark.parametrize(
    ("constructor", "has_words"),
    [
        ("template <class T> C(T &&) : n(-1) {}", False),
        ("template <class... T> C(T &&...) : n(-1) {}", False),
        ("template <class T, class = decltype(T() + 1)> C(T &&) : n(-1) {}", True),
        ("template <class T> C(const T *) : n(-1) {}", True),
    ],
)
def test_classes_that_take_anything_are_not_returned(constructor: str, has_words: bool) -> None:
    """nvcc makes what a function returns by such a constructor, although the copy constructor is meant."""
    text = f"""
struct C {{ int n; C(int n, int) : n(n) {{}} C(const C &) = default; {constructor} }};
int number() {{
  C c(14, 0);
  int found = 0;
#pragma omp target map(to : c) map(from : found)
  found = c.n;
  return found;
}}
"""
    assert ("rex_unpack_object<" in compiled(text, "a.cpp").device) is has_words


NUMBERS = """#include <complex>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>
typedef std::complex<float> C;
static C *kept;
static std::vector<C *> all;
static C half(const C &c) { return c * 0.5f; }
"""


def number_by_value(before: str, use: str) -> bool:
    region = "#pragma omp target teams distribute parallel for map(from : x[0:n])\nfor (int i = 0; i < n; i++) "
    text = f"{NUMBERS}void f(C *x, int n, C s, C t) {{\n{before}\n{region} {{ C v(i, 1); {use} x[i] = v; }}\n}}\n"
    return "rex_unpack_object" in compiled(text, "t.cpp").device


@pytest.mark.parametrize(
    ("before", "use", "is_by_value"),
    [
        ("", "v = s * v + s;", True), ("", "v *= s;", True), ("", "v += half(s);", True), ("", "v = s;", True),
        ("", "v = C(std::norm(s), 0);", True), ("", "v = std::conj(s);", True), ("", "v = -s;", True),
        ("n += s.real() > 1; s.imag(2);", "v *= s.real();", True),
        ("t = s * s; s *= 2.0f; s += t;", "v *= s;", True), ("float m = std::abs(s);", "v *= s;", True),
        ("std::swap(s, t);", "v *= s;", True), ("t = std::exp(s);", "v *= s;", True),
        ("s = std::polar(1.0f, 2.0f);", "v *= s;", True),
        ("auto p = std::make_pair(s, 1);", "v *= s;", False),  # its class may keep more than numbers
        ("C &r = (s *= 2.0f);", "v *= s;", False), ("kept = &s;", "v *= s;", False),
        ("auto p = std::tie(s, t);", "v *= s;", False), ("auto r = std::ref(s);", "v *= s;", False),
        ("kept = std::addressof(s);", "v *= s;", False), ("all.push_back(&s);", "v *= s;", False),
        ("C &r = std::forward<C &>(s);", "v *= s;", False), ("auto &r = std::as_const(s);", "v *= s;", False),
        ("#pragma omp target enter data map(to : s)\n", "v *= s;", False),
        ("", "s *= v;", False), ("", "std::swap(s, v);", False), ("", "C &r = s; v *= r;", False),
        ("", "C *p = &s; v *= *p;", False),
    ],
)  # fmt: skip
def test_numbers_of_the_library_travel_by_value(before: str, use: str, is_by_value: bool) -> None:
    """Its functions of numbers keep no address, and what an operator of another object gets is only read."""
    assert number_by_value(before, use) is is_by_value


@pytest.mark.parametrize(
    ("methods", "use", "is_by_value"),
    [
        ("void add(const S &o) { n += o.n; }", "v.add(s);", True),
        ("S &operator+=(const S &o) { n += o.n; return *this; }", "v += s;", True),
        ("S &operator=(int k) { n = k; return *this; }", "v += s.n;", True),
        ("S &operator+=(S &o) { n += o.n++; return *this; }", "v += s;", False),
        ("S &operator+=(const S &o) { const_cast<S &>(o).n++; return *this; }", "v += s;", False),
        ("S &operator+=(const S &o) { n += o.n; return *this; }", "s += v;", False),
        ("S &operator=(const S &o) { n = o.n + 1; return *this; }", "v = s;", True),
        ("S(const S &o) : n(o.n + 1) {}", "v += s.n;", False),
    ],
)
def test_objects_that_methods_of_others_read_travel_by_value(methods: str, use: str, is_by_value: bool) -> None:
    """An operator that changes its own object reads its operand; what ``=`` does makes no copies."""
    own = "int n; S(int n = 0) : n(n) {} S &operator+=(int k) { n += k; return *this; }"
    top = f"struct S {{ {own} {methods} }};\n"
    loop = f"for (int i = 0; i < n; i++) {{ S v(i); {use} x[i] = v.n; }}"
    text = f"{top}void f(int *x, int n, S s) {{\n#pragma omp target map(from : x[0:n])\n{loop} }}\n"
    assert ("rex_unpack_object" in compiled(text, "t.cpp").device) is is_by_value
