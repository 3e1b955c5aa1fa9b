"""Types that host and device share: their layouts are compared when device text is compiled."""

# ruff: noqa: E501
from __future__ import annotations

import re

import pytest

import support
from rexcc.target.messages import layout_errors
from support import Bench


def lines(text: str, name: str = "t.c", arguments: tuple[str, ...] = ()) -> list[str]:
    found = re.findall(
        r"static_assert\((.*?), \"rexcc: the host lays out", support.compiled(text, name, None, arguments).device
    )
    return [str(line) for line in found]


BODY = "int main(void) {\n  %s\n#pragma omp target map(tofrom : v)\n  { v.a++; }\n  return v.a;\n}\n"


def test_sizes_and_offsets_are_the_hosts() -> None:
    text = "struct in { char c; double d[2]; };\nstruct s { int a, b; struct in in; unsigned bit : 3; char last; };\n"
    assert lines(text + BODY % "struct s v = {0};") == [
        "sizeof(struct in) == 24 && __builtin_offsetof(struct in, d) == 8",
        "sizeof(struct s) == 40 && __builtin_offsetof(struct s, in) == 8 && __builtin_offsetof(struct s, last) == 33",
    ]


def test_options_and_pragmas_count() -> None:
    text = "struct s { int a; char c; double d; };\n" + BODY % "struct s v = {0};"
    assert lines(text) == [
        "sizeof(struct s) == 16 && __builtin_offsetof(struct s, c) == 4 && __builtin_offsetof(struct s, d) == 8"
    ]
    packed = "sizeof(struct s) == 13 && __builtin_offsetof(struct s, c) == 4 && __builtin_offsetof(struct s, d) == 5"
    assert lines(text, arguments=("-fpack-struct",)) == [packed]
    assert lines(f"#pragma pack(1)\n{text}") == [packed]


def test_types_behind_pointers_and_passed_by_value() -> None:
    text = "typedef struct { float x, y; } point;\nstruct node { point *p; struct node *next; };\n"
    text += "void f(struct node n, point *q) {\n#pragma omp target map(to : n.p[0:1]) map(tofrom : q[0:4])\n  q[0].x += n.p->y;\n}\n"
    assert [line.partition(" ==")[0] for line in lines(text)] == ["sizeof(point)", "sizeof(struct node)"]


def test_a_qualified_class_has_its_line_where_it_is_defined() -> None:
    text = "struct place { float lat, lng; };\nvoid f(const struct place *where, float *z) {\n"
    text += "#pragma omp target map(to : where[0:4]) map(from : z[0:4])\n  z[0] = where[1].lat;\n}\n"
    assert [line.partition(" ==")[0] for line in lines(text)] == ["sizeof(struct place)"]


OBJECTS = """template <class T, class U> struct made { T a; U b; };
struct { int u; short v; } global;
template <class T> void f(T x) {
  made<T, char> m{x, 'c'}, many[3] = {};
#pragma omp target map(tofrom : m, many)
  { m.a += 1; many[1].b = 3; }
}
int main() {
  struct local { int a; long b; } l{1, 2};
  struct { char c; int d; } un{1, 2};
  made<int, double> m{1, 2.5}, *p = &m;
  f(3);
  f(4.5);
#pragma omp target map(tofrom : l, un, global) firstprivate(m) map(tofrom : p[0 : 1])
  { l.a++; un.d++; global.u++; m.a++; p->a++; }
  return l.a;
}
"""


def test_objects_of_classes_that_have_no_line_of_their_own() -> None:
    def place(name: str, member: str, offset: int) -> str:
        return f"__builtin_offsetof(rex_element_type<__typeof__({name})>, {member}) == {offset}"

    assert lines(OBJECTS, "t.cpp") == [
        f"sizeof {name} == {size} && {place(name, member, offset)}"
        for name, size, member, offset in (
            ("m", 8, "b", 4), ("many", 24, "b", 4), ("m", 16, "b", 8), ("many", 48, "b", 8), ("l", 16, "b", 8),
            ("un", 8, "d", 4), ("global", 8, "v", 4), ("m", 16, "b", 8), ("*p", 16, "b", 8),
        )
    ]  # fmt: skip


def test_another_name_of_an_instance_is_no_line_of_its_own() -> None:
    text = "template <class T> struct made { T a; double b; };\nusing three = made<int>;\n"
    text += "int main() {\n  three v{};\n#pragma omp target map(tofrom : v)\n  { v.a++; }\n}\n"
    assert lines(text, "t.cpp") == [
        "sizeof v == 16 && __builtin_offsetof(rex_element_type<__typeof__(v)>, b) == 8",
    ]


BEHIND = """template <class T> struct made { T a; T sum; void add(const made *from, made *next, struct later *other) {
#pragma omp target map(to : from[0 : 1])
    { sum += from->a + (other != nullptr) + (next != nullptr); }
  }
};
void f(made<double> *p, made<float> (*rows)[4], made<char> *unused) {
  made<double> m{};
  m.add(p, p + 1, nullptr);
#pragma omp target map(tofrom : p[0 : 2], rows[0 : 2], unused[0 : 1])
  { p[1].a += (*p).sum + rows[1][2].a; }
}
"""


def test_objects_behind_pointers_where_the_region_accesses_them() -> None:
    """Elsewhere their class may not even be complete."""
    assert lines(BEHIND, "t.cpp") == [
        "sizeof *from == 16", "sizeof *__rex_this == 16", "sizeof *p == 16", "sizeof *rows == 32",
    ]  # fmt: skip


def test_an_object_that_differs_is_an_error_at_its_region(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    text = "#include <part.h>\nint main(void) {\n  struct { struct part e; int a; } v = {.a = 1};\n\n"
    text += "#pragma omp target map(tofrom : v)\n  { v.a++; }\n  return v.a;\n}\n"
    assert build(bench, text) == 1
    assert "t.c:5: error: 'v' is not the same on the device: its size is another" in capfd.readouterr().err


def test_classes() -> None:
    text = "namespace n { struct base { int a; }; class s : public base { int hidden; public: double d; int get() { return hidden; } }; }\n"
    text += "template <class T> struct made { T a; };\nstruct out { private: struct own { int a; }; public: own o; int a; };\n"
    text += "int main() {\n  n::s v{}; made<int> m{}; out o{};\n#pragma omp target map(tofrom : v, m, o)\n  { v.a++; m.a++; o.a++; }\n}\n"
    assert lines(text, "t.cpp") == [
        "sizeof(n::s) == 16",
        "sizeof(out) == 8 && __builtin_offsetof(out, a) == 4",
        "sizeof m == 4",
    ]


def test_only_types_that_both_see() -> None:
    text = (
        "struct mine { int k; };\n#pragma omp declare target\nstatic int f(void) { struct mine m = {1}; return m.k; }\n"
    )
    text += "#pragma omp end declare target\nstruct s { int a; };\n" + (BODY % "struct s v = {0};").replace(
        "v.a++", "v.a += f()"
    )
    assert lines(text) == ["sizeof(struct s) == 4"]


OTHERWISE = "struct part { int x;\n#ifdef __cplusplus\n  int y;\n#endif\n};\n"
"""A header that has another type for the device, whose code is C++."""
DIFFERENT = "#include <part.h>\nstruct s { struct part e; int a; };\n" + BODY % "struct s v = {.a = 1};"


def build(bench: Bench, text: str) -> int:
    folder = bench.place({"t.c": text, "system/part.h": OTHERWISE})
    system = ("-isystem", str(folder / "system"))
    return support.main(["--target=host", "-w", *system, "-c", str(folder / "t.c"), "-o", str(folder / "t.o")])


def test_a_layout_that_differs_is_an_error_in_our_words(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    assert build(bench, DIFFERENT) == 1
    said = capfd.readouterr().err
    assert "t.c:2: error: 'struct s' is not the same on the device: its size is another, or a member's place; " in said
    assert "static" not in said


@pytest.mark.parametrize(
    "printed",
    [
        "t.c(2): error: static assertion failed with \"rexcc: the host lays out 'struct s' differently\"\n   }\n",
        "t.c:2:55: error: static assertion failed due to requirement 'sizeof(s) == 4': rexcc: the host lays out 'struct s' differently\n",
        "t.c:2:64: error: static assertion failed: rexcc: the host lays out 'struct s' differently\n",
    ],
)
def test_every_compilers_words_are_known(printed: str) -> None:
    (said,) = layout_errors(printed)
    assert said.startswith("t.c:2: error: 'struct s' is not the same on the device: ")
