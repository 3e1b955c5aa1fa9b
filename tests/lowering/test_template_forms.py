"""Instantiations of one template that launch their kernels differently."""

from __future__ import annotations

import re

import pytest

from rexcc.source.diagnostics import Severity
from support import compiled, on_one_line, translate_text

HEAD = """struct pair { float a, b; pair operator+(float x) const { return {a + x, b}; } };
inline pair operator+(float x, pair p) { return p + x; }
template <class A, class B> void sum(A a, B b, float *r) {
#pragma omp target DIRECTIVE map(from: r[0:1])
  { auto c = a + b; r[0] = sizeof c; }
}
"""
TWO = "void f(pair p, float *r) { sum(p, 1.0f, r); sum(1.0f, p, r); }\n"


def test_each_form_is_a_branch_that_its_instantiations_keep() -> None:
    output = compiled(HEAD.replace("DIRECTIVE", "") + TWO, "t.cpp")
    assert output.host.count("if constexpr (OUT__1__sum__4__key<A, B>::form() == 0) {") == 1
    assert output.host.count("} else {\n") == 1 and output.host.count("__tgt_target_kernel(") == 2
    assert output.host.count("{ auto c = a + b; r[0] = sizeof c; }") == 1
    assert sorted(re.findall(r"int form\(\) \{ return (\d); \}", output.host)) == ["0", "1"]


def test_one_form_has_no_branch() -> None:
    output = compiled(
        HEAD.replace("DIRECTIVE", "") + "void f(float *r) { sum(1, 1.0f, r); sum(2.0, 1.0f, r); }\n", "t.cpp"
    )
    assert "form()" not in output.host and output.host.count("__tgt_target_kernel(") == 1


@pytest.mark.parametrize("clause", ["nowait", "depend(out: r[0])"])
def test_tasks_hold_what_only_some_instantiations_copy(clause: str) -> None:
    output = compiled(HEAD.replace("DIRECTIVE", clause) + TWO, "t.cpp")
    form = "OUT__1__sum__4__key<A, B>::form()"
    assert output.host.count(f"rex_host_copy<({form} == 1), __typeof__(a)> __rex_a(a);") == 1
    assert output.host.count(f"rex_host_copy<({form} == 0), __typeof__(b)> __rex_b(b);") == 1
    assert output.host.count("#pragma omp task") == 1 and "firstprivate(r, __rex_a, __rex_b)" in output.host
    assert output.host.count("rex_target_kernel_task(") == 2


def test_the_type_of_what_only_some_instantiations_copy_is_not_asked_for() -> None:
    text = "template <class T> void f(T v) {\n#pragma omp target\n  { v = {}; decltype(v) w = v; }\n}\n"
    text += "struct S {};\nvoid g(S s) { f(s); f(1); }\n"
    errors = [d for d in translate_text(text, "t.cpp").diagnostics if d.severity is Severity.ERROR]
    assert [e.code for e in errors] == ["unsupported-template"]


@pytest.mark.parametrize("head", ["void f(int *p, auto v)", "template <class T> void f(T *p, const auto &v)"])
def test_abbreviated_templates_are_those_that_they_are_equivalent_to(head: str) -> None:
    text = f"{head} {{\n#pragma omp target map(tofrom : p[0 : 1])\n  p[0] = v;\n}}\nvoid g(int *p) {{ f(p, 2.5); }}\n"
    output = compiled(text, "t.cpp", arguments=["-std=c++20"])
    (kernel,) = output.kernels
    named = re.search(r"template <(?:class T, )?class rex_a0> void f\(\w+ \*p, (?:const )?rex_a0 &?v\) {", output.host)
    assert named is not None and "double" in kernel.name


def test_an_explicit_object_parameter_of_auto_is_a_template_parameter() -> None:
    text = "struct A { int n; void f(this auto const &a, int *p) {\n#pragma omp target map(tofrom : p[0 : 1])\n"
    text += "  p[0] = a.n;\n} };\nvoid g(int *p) { A{2}.f(p); }\n"
    output = compiled(text, "t.cpp", arguments=["-std=c++23"])
    assert "template <class rex_a0> void f(this rex_a0 const &a, int *p) {" in output.host


def test_constructors_that_launch_and_throw_stay_on_the_host() -> None:
    text = "struct A { int n, *p;\n  A(int k) : n(k) {\n    if (k < 0) throw k;\n"
    text += "#pragma omp target enter data map(to : p[0 : n])\n  }\n  void f() {\n"
    text += "#pragma omp target teams distribute parallel for\n    for (int i = 0; i < n; i++) p[i] = i;\n  }\n};\n"
    output = compiled(text, "t.cpp")
    assert "A(int k)" in output.device and "throw" not in output.device and "throw k" in output.host


def test_a_method_outside_of_a_class_template_is_no_abbreviated_template_yet() -> None:
    text = (
        "template <class T> struct C { void f(int *p, auto v); };\ntemplate <class T> void C<T>::f(int *p, auto v) {\n"
    )
    text += "#pragma omp target map(tofrom : p[0 : 1])\n  p[0] = v;\n}\nvoid g(int *p) { C<int>().f(p, 2.5); }\n"
    found = translate_text(text, "t.cpp", arguments=["-std=c++20"]).diagnostics
    errors = [d for d in found if d.severity is Severity.ERROR]
    assert [(e.code, e.span.line if e.span else 0) for e in errors] == [("unsupported-template", 3)]


CALLS = """struct row { long a[9]; };
template <class B> void each(long n, B body) {
#pragma omp target teams distribute parallel for num_teams(8) map(to : body)
  for (long i = 0; i < n; i++) { B own = body; own(i); }
}
"""


@pytest.mark.parametrize(
    ("captured", "words"),
    [("a[8]", 8), ("p1", 1), ("p9", 9), ("p64", 64), ("p65", 0), ("a[9]", 0), ("inner", 0)],
)
def test_the_object_of_a_lambda_travels_in_parameters(captured: str, words: int) -> None:
    """A large one too, but for one with arrays, whose elements a kernel finds in memory."""
    pointers = [f"p{k}" for k in range(int(captured[1:]))] if captured.startswith("p") else []
    declared = " ".join(f"long *{name} = q;" for name in pointers)
    declared = declared or ("row inner = {};" if captured == "inner" else f"long {captured} = {{}};")
    used = " + ".join(f"{name}[i]" for name in pointers) or ("inner.a[i]" if captured == "inner" else "a[i]")
    text = f"{CALLS}void f(long n, long *q) {{ {declared} each(n, [=](long i) {{ long s = {used}; }}); }}\n"
    output = compiled(text, "t.cpp")
    assert output.host.count("rex_pack_word(&__rex_there_body") == words
    assert (" body = rex_unpack_object<" in on_one_line(output.device)) == (words > 0)
    assert (" &body = *__rex_body;" in output.device) == (words == 0)


@pytest.mark.parametrize(
    ("made", "words"), [("of<int>", 1), ("of<double>", 2), ("many", 0), ("found", 0), ("S", 1), ("far", 0)]
)
def test_structures_without_a_clause_travel_in_parameters_of_templates(made: str, words: int) -> None:
    """Each instantiation says itself whether a copy will do: not where elements are found in it, nor for large ones."""
    text = f"""template <class T> struct of {{ T n, m; T at(long) const {{ return n * m; }} }};
struct S {{ int n; int at(long) const {{ return n; }} }};
struct many {{ long n, more[20]; long at(long) const {{ return n; }} }};
struct found {{ int n[2]; int at(long i) const {{ return n[i & 1]; }} }};
struct far {{ int n; int at(long); }};
int far::at(long) {{ return n; }}
template <class T> void f(T g, long n, double *p) {{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++) p[i] = g.at(i);
}}
void h(double *p) {{ f({made}{{}}, 100, p); f(of<long>{{}}, 50, p); }}
"""
    output = compiled(text, "t.cpp")
    assert output.device.count(" g = rex_unpack_object<") == (words > 0) + 1
    assert output.host.count("rex_pack_word(&g") == (words + 2 if words != 2 else 2)
    assert (" &g = *__rex_g;" in output.device) == (words == 0)


def test_a_kernel_has_room_for_its_parameters() -> None:
    names = [f"p{k}" for k in range(60)]
    declared = " ".join(f"long *{name} = q;" for name in names)
    used = " + ".join(f"{name}[i]" for name in names)
    bodies = ", ".join(f"[=](long i) {{ long s = {used}; }}" for _ in range(6))
    kinds, given, calls = (", ".join(x.format(k) for k in range(6)) for x in ("class B{0}", "B{0} b{0}", "b{0}(i)"))
    text = f"""template <{kinds}> void each(long n, {given}) {{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++) {calls};
}}
void f(long n, long *q) {{ {declared} each(n, {bodies}); }}
"""
    output = compiled(text, "t.cpp")
    assert output.device.count("= rex_unpack_object<") == 4 and output.host.count("rex_pack_word(") == 4 * 60
