"""Virtual functions on objects of the host: what is called, the table of the host, and what stays as it is."""

from __future__ import annotations

import pytest

from support import compiled, translate_text

CLASSES = """
struct Shape {
  int n = 1;
  virtual int area(int x = 2) const = 0;
  virtual int corners() const { return n; }
};
struct Square : Shape {
  int area(int x) const override { return x * n; }
};
"""
REGION = """
int f(Shape *s, Square &q) {
  int r;
#pragma omp target map(from : r) map(to : s[0:1])
  r = s->area() + s->corners();
  return r;
}
"""


def test_the_name_is_what_changes_in_a_call() -> None:
    output = compiled(CLASSES + REGION, "t.cpp")
    assert "r = s->rex_virtual_area() + s->rex_virtual_corners();" in output.device
    assert "r = s->area() + s->corners();" in output.host


def test_a_class_gets_a_member_beside_the_virtual_function() -> None:
    device = compiled(CLASSES + REGION, "t.cpp").device
    declared = "virtual int area(int x = 2) const = 0; __host__ __device__ int rex_virtual_area(int x = 2) const;"
    assert declared in device
    assert "inline auto Shape::rex_virtual_area(int x) const -> int {" in device
    assert "if (functions == rex_host_vtables[2]) return ((const Square *)this)->Square::area(x);" in device
    assert "if (functions == rex_host_vtables[2]) return this->Shape::corners();" in device


def test_the_host_says_what_its_objects_point_to() -> None:
    host = compiled(CLASSES + REGION, "t.cpp").host
    assert '_0, "_ZTV6Square")' in host
    assert "rex_vtables[3] = {REX_MODULE_BEGIN, REX_MODULE_END};" in host
    assert "  rex_vtables[2] = rex_vtable_of(__rex_vtable_t_cpp_" in host
    assert "_0, 0); // Square\n" in host
    assert '{&rex_host_vtables, "rex_vtables", sizeof rex_vtables},' in host


def test_the_place_of_a_base_that_is_not_the_first_is_asked_for() -> None:
    more = "struct Name { virtual int length() const { return 3; } };\n"
    more += "namespace { struct Label : Name, Shape { int area(int x) const override { return x; } }; }\nLabel label;\n"
    host = compiled(CLASSES + more + REGION, "t.cpp").host
    assert '"_ZTVN12_GLOBAL__N_15LabelE")' in host
    assert ", REX_OFFSET_OF_BASE(Label, Shape)); // Label" in host


def test_methods_and_functions_call_so_too() -> None:
    more = "struct Sum {\n  Shape *s;\n  int get() { return s->area(4); }\n};\n"
    device = compiled(CLASSES + more + REGION.replace("s->area()", "Sum{s}.get()"), "t.cpp").device
    assert "int get() { return s->rex_virtual_area(4); }" in device


def test_functions_of_one_name_are_told_apart() -> None:
    classes = CLASSES.replace(
        "virtual int corners", "virtual int area(double x) const { return (int)x; }\n  virtual int corners"
    )
    device = compiled(classes + REGION.replace("s->corners()", "s->area(2.5)"), "t.cpp").device
    assert "s->rex_virtual_area() + s->rex_virtual_area_2(2.5);" in device


def test_the_call_operator_has_a_name_too() -> None:
    classes = CLASSES.replace(
        "virtual int corners", "virtual int operator()(int x) { return 0; };\n  virtual int corners"
    )
    more = "template <class F> int call(F &f) { return f(7); }\n"
    device = compiled(classes + more + REGION.replace("s->corners()", "(*s)(3) + call(*s)"), "t.cpp").device
    assert "s->rex_virtual_area() + (*s).rex_virtual_call(3) + call(*s);" in device
    assert "int call(F &f) { return f.rex_virtual_call(7); }" in device
    assert "return this->Shape::operator()(x);" in device


def test_the_member_is_declared_by_types_without_what_is_the_functions_own() -> None:
    own = "[[nodiscard]] VIRTUAL Kind kind(int, Kind k = B) const noexcept { return k; }\n  virtual int corners"
    classes = "#define VIRTUAL virtual\n" + CLASSES.replace("virtual int corners", f"enum Kind {{ A, B }};\n  {own}")
    device = compiled(classes + REGION.replace("s->corners()", "s->kind(1)"), "t.cpp").device
    assert "__host__ __device__ Shape::Kind rex_virtual_kind(int, Kind k = B) const noexcept;" in device
    assert "Shape::rex_virtual_kind(int rex_1, Kind k) const noexcept -> Shape::Kind {" in device


def test_instantiations_are_told_apart_by_the_compiler() -> None:
    text = """
template <class T> struct Base {
  virtual T f(T x) = 0;
};
template <class T> struct Twice : Base<T> {
  T f(T x) override { return 2 * x; }
};
int g(Base<int> *b, Twice<int> t, Twice<double> d) {
  int r;
#pragma omp target map(from : r) map(to : b[0:1])
  r = b->f(3);
  return r;
}
int main() {
  Twice<int> t;
  Twice<double> d;
  return g(&t, t, d);
}
"""
    output = compiled(text, "t.cpp")
    assert "template <class T> __host__ __device__ inline auto Base<T>::rex_virtual_f(T x) -> T {" in output.device
    for number, kind in ((2, "int"), (3, "double")):
        assert f"if constexpr (std::is_base_of<Base, Twice<{kind}>>::value)\n" in output.device
        assert f"if (functions == rex_host_vtables[{number}]) return ((Twice<{kind}> *)this)->" in output.device
    assert '"_ZTV5TwiceIiE")' in output.host and '"_ZTV5TwiceIdE")' in output.host


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        ("q.Square::area(1)", "q.Square::area(1)"),
        ("own(1)", "return local.area(x);"),
        ("sealed->area(1)", "sealed->area(1)"),
    ],
)
def test_calls_of_known_functions_stay(call: str, meant: str) -> None:
    more = "static int own(int x) {\n  Square local;\n  return local.area(x);\n}\n"
    more += "struct Sealed final : Shape {\n  int area(int x) const override { return x; }\n};\n"
    region = REGION.replace("s->area() + s->corners()", call).replace("Square &q", "Square &q, Sealed *sealed")
    output = compiled(CLASSES + more + region.replace("map(to : s[0:1])", "map(to : q, sealed[0:1])"), "t.cpp")
    assert meant in output.device
    assert "rex_virtual" not in output.device and "rex_vtable" not in output.host


def test_nothing_changes_where_only_regions_make_objects() -> None:
    region = (
        "int f() {\n  int r;\n#pragma omp target map(from : r)\n  {\n    Shape *s = new Square;\n    r = s->area();\n"
    )
    output = compiled(CLASSES + region + "    delete (Square *)s;\n  }\n  return r;\n}\n", "t.cpp")
    assert "r = s->area();" in output.device
    assert "vtable" not in output.host


@pytest.mark.parametrize(
    ("more", "call", "why"),
    [
        (
            "struct V : virtual Shape { int area(int) const override { return 1; } };\nV v;",
            "s->area()",
            "has virtual bases",
        ),
        (
            "struct A : Square {}; struct B : Square {}; struct D : A, B {};\nD d;",
            "s->area()",
            "it has several parts of class 'Shape'",
        ),
        (
            "int host;\nstruct H : Shape { int area(int) const override { return host; } };\nH h;",
            "s->area()",
            "its function uses 'host', a variable of the host",
        ),
        (
            "int far(int);\nstruct F : Shape { int area(int) const override { return far(1); } };\nF t;",
            "s->area()",
            "it calls 'far', which is not defined in this file",
        ),
        ("struct N : Shape { int area(int) const override; };\nN t;", "s->area()", "is not defined in this file"),
        (
            "struct O : Square { virtual int operator[](int i) const { return i; } };\nO o;",
            "((O *)s)[0][1]",
            "it is an operator",
        ),
        (
            "struct O : Square { virtual int operator()(int i) const { return i; } };\n"
            "O o;\ntemplate <class F> int call(const F &f) { return f(7); }\nint plain(int x) { return x; }",
            "call(*(O *)s) + call(plain)",
            "other instantiations of the template call another function",
        ),
        ("#define AREA(p) p->area()", "AREA(s)", "the call is a macro's"),
        (
            "struct P { int area(int) const { return 1; } };\n"
            "template <class T> int of(const T &t) { return t.area(2); }",
            "of(*s) + of(P())",
            "other instantiations of the template call another function",
        ),
    ],
)
def test_what_has_no_case_is_told(more: str, call: str, why: str) -> None:
    found = translate_text(f"{CLASSES}{more}\n{REGION.replace('s->area()', call)}", "t.cpp")
    (warning,) = found.diagnostics
    assert warning.code == "host-virtual-call"
    assert warning.message.endswith(why)
