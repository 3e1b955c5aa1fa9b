"""Constructs: which statement a directive applies to, what its clause expressions are, in which function it stands."""

from __future__ import annotations

import pytest
from front_tools import parsed

import support
from rexcc.frontend.probe import inject, probed_expressions
from rexcc.openmp.parser import parse_directive
from rexcc.source.diagnostics import DiagnosticSink

BODIES = {
    "expression": ("#pragma omp target\n  x = 1;\n  y = 2;", ["x = 1"]),
    "block": ("#pragma omp target\n{ x = 1; y = 2; }\nx = 3;", ["{ x = 1; y = 2; }"]),
    "loop": (
        "#pragma omp target parallel for\nfor (int i = 0; i < x; i++) y++;\nx = 3;",
        ["for (int i = 0; i < x; i++) y++"],
    ),
    "nested directives": ("#pragma omp target\n#pragma omp teams\n{ x = 1; }\nx = 2;", ["while", "{ x = 1; }"]),
    "in a branch": ("if (x)\n#pragma omp target\n  y = 1;\nelse\n  y = 2;", ["y = 1"]),
    "in an else": ("if (x) y = 1; else\n#pragma omp target\n  y = 2;\nx = 3;", ["y = 2"]),
    "dangling else": ("#pragma omp target\nif (x) y = 1; else y = 2;\nx = 3;", ["if (x) y = 1; else y = 2"]),
    "dangling else of an outer if": (
        "if (x)\n#pragma omp target\n  if (y) y = 1; else y = 2;",
        ["if (y) y = 1; else y = 2"],
    ),
    "loop around": ("for (;;)\n#pragma omp target\n  y = 1;", ["y = 1"]),
    "do": ("do\n#pragma omp target\n  y = 1;\nwhile (x);", ["y = 1"]),
    "label": ("again:\n#pragma omp target\n  y = 1;\nif (x) goto again;", ["y = 1"]),
    "case": (
        "switch (x) {\ncase 1:\n#pragma omp target\n  y = 1;\n  break;\ndefault:\n#pragma omp target\n  y = 2;\n}",
        ["y = 1", "y = 2"],
    ),
    "empty statement": ("#pragma omp target\n;\nx = 1;", [";"]),
    "after a declaration": ("int z = 1;\n#pragma omp target\nz = 2;\nint w = z;", ["z = 2"]),
    "_Pragma on the line": ('_Pragma("omp target") x = 1; y = 1;', ["x = 1"]),
    "two _Pragma": ('_Pragma("omp target") _Pragma("omp parallel") x = 1; y = 1;', ["while", "x = 1"]),
    "macro body": ("#pragma omp target\nBUMP(x);\ny = 1;", ["BUMP(x)"]),
    "statement expression": ("y = ({ int t = 0;\n#pragma omp target\n t = 1;\n t; });", ["t = 1"]),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_directive_applies_to_the_next_statement(name: str) -> None:
    text, expected = BODIES[name]
    found = parsed(f"#define BUMP(v) ((v)++)\nvoid f(int x, int y) {{\n{text}\n}}\n")
    assert found.problems == []
    bodies = ["while" if b.startswith(("while", "#pragma", "_Pragma")) else b for b in found.bodies()]
    assert bodies == expected


def test_parents_and_children() -> None:
    found = parsed(
        "void f(int *p) {\n#pragma omp target data map(p[0:9])\n{\n#pragma omp target\n"
        "{\n#pragma omp atomic\n p[0]++;\n}\n"
        "#pragma omp target update from(p[0:9])\n#pragma omp target\n#pragma omp simd\n"
        "for (int i = 0; i < 9; i++) p[i] = 0;\n}\n}\n"
    )
    assert found.problems == []
    shape = [(c.directive.name, c.parent.directive.name if c.parent else None) for c in found.constructs]
    assert shape == [
        ("target data", None),
        ("target", "target data"),
        ("atomic", "target"),
        ("target update", "target data"),
        ("target", "target data"),
        ("simd", "target"),
    ]


def test_expressions_are_resolved_and_keep_the_users_places() -> None:
    source = (
        "struct S { int n; double *p; };\nvoid f(struct S *s, int m) {\n  int a[8];\n"
        "#pragma omp target map(to: s->p[m : s->n - 1], a)\\\n   device(m)\n  a[0] = 1;\n}\n"
    )
    found = parsed(source)
    (construct,) = found.constructs
    texts = {e.text.strip(): n for e, n in construct.expressions.items()}
    assert set(texts) == {"s->p", "m", "s->n - 1", "a"}
    assert {t: n.type.spelling for t, n in texts.items()} == {
        "s->p": "double *",
        "m": "int",
        "s->n - 1": "int",
        "a": "int[8]",
    }
    for expression, node in construct.expressions.items():
        span = found.unit.span(node)
        assert span is not None and span.start == expression.span.start


def test_the_place_of_a_clause_expression_has_its_end() -> None:
    found = parsed("void f(int *p, int n) {\n#pragma omp target map(to: p[0 : n + 1])\n  p[0] = 1;\n}\n")
    (construct,) = found.constructs
    spans = [found.unit.span(node) for node in construct.expressions.values()]
    assert [s.text for s in spans if s] == ["p", "0", "n + 1"]


def test_offsets_of_the_parsed_buffer_lead_back_to_the_text() -> None:
    text = "int a;\n#pragma omp target map(to: a) /* c */ \\\n  nowait\n{ a = 1; }\n#pragma omp barrier\nint b;\n"
    scan = parsed(text).unit.files["t.c"].scan
    directives = {p.start: d for p in scan.pragmas if (d := parse_directive(p.text, DiagnosticSink())) is not None}
    probed = inject(scan, directives)
    assert probed.buffer.count("\n") == text.count("\n")
    for token in ("int a;", "{ a = 1; }", "int b;"):
        assert probed.original(probed.buffer.index(token)) == text.index(token)
    for probe in probed.probes:
        for expression, (start, end) in zip(probed_expressions(probe.directive), probe.places, strict=True):
            assert probed.buffer[start:end] == expression.text
            assert probed.original(start) == expression.span.start
        assert probed.original(probe.offset) == probe.site.start
    lines = zip(text.splitlines(), probed.buffer.splitlines(), strict=True)
    assert all(a == b for a, b in lines if "#" not in a and "nowait" not in a)


def test_inactive_branches_are_ignored_even_when_misspelt() -> None:
    found = parsed(
        "void f(int x) {\n#ifdef NOT_DEFINED\n#pragma omp tagret\n#pragma omp target mpa(\n  x++;\n#else\n"
        "#pragma omp target\n  x--;\n#endif\n#if defined(NOT_DEFINED) && 1\n#pragma omp target\n  x = 0;\n#endif\n}\n"
    )
    assert found.problems == []
    assert found.bodies() == ["x--"]


def test_an_unopened_header_is_ignored() -> None:
    headers = {"d/gpu.h": "#pragma omp tagret\n", "d/cpu.h": "static int v;\n"}
    text = (
        '#ifdef GPU\n#include "gpu.h"\n#else\n#include "cpu.h"\n#endif\nvoid f(void) {\n#pragma omp target\nv = 1;\n}\n'
    )
    found = parsed(text, "d/t.c", headers)
    assert found.problems == [] and len(found.constructs) == 1


def test_definitions_on_the_command_line_choose_the_branch() -> None:
    text = "void f(int x) {\n#ifdef GPU\n#pragma omp target\nx = 1;\n#else\n#pragma omp target\nx = 2;\n#endif\n}\n"
    assert parsed(text).bodies() == ["x = 2"]
    assert parsed(text, arguments=["-DGPU"]).bodies() == ["x = 1"]


def test_headers_with_directives_in_the_order_of_inclusion() -> None:
    headers = {
        "d/a.h": (
            '#ifndef A\n#define A\n#include "sub/b.h"\nstatic void in_a(int *p) {\n'
            "#pragma omp target map(p[0:1])\n p[0] = 1;\n}\n#endif\n"
        ),
        "d/sub/b.h": "#pragma once\nstatic void in_b(int *p) {\n#pragma omp target map(p[0:1])\n p[0] = 2;\n}\n",
        "d/include/c.h": "inline static void in_c(int *p) {\n#pragma omp target map(p[0:1])\n p[0] = 3;\n}\n",
    }
    text = '#include "a.h"\n#include "a.h"\n#include <c.h>\n#include "sub/b.h"\nvoid f(void) {}\n'
    found = parsed(text, "d/t.c", headers, ["-Id/include"])
    assert found.problems == []
    assert [(f.node.spelling, f.node.file) for f in found.unit.functions] == [
        ("in_b", "d/sub/b.h"),
        ("in_a", "d/a.h"),
        ("in_c", "d/include/c.h"),
    ]


TEMPLATES = """
template <typename T> void plain(T *p) {
#pragma omp target map(p[0:1])
  p[0] = T();
}
template <typename T, int N> struct Box {
  T v[N];
  void set() {
#pragma omp target
    v[0] = T(N);
  }
  void get();
  void never() {
#pragma omp target
    v[0] = 0;
  }
};
template <typename T, int N> void Box<T, N>::get() {
#pragma omp target
  v[0]++;
}
template <typename T> void outer(T *p) { plain(p); }
void use(int *i, double *d, long *l) {
  plain(i), plain(d), plain(i), outer(l);
  Box<int, 3> a;
  Box<float, 2> b;
  a.set(), b.set(), a.get();
}
"""


def test_instances_of_templates_are_found_once_each() -> None:
    found = parsed(TEMPLATES, "t.cpp")
    assert found.problems == []
    names = sorted(f.node.cursor.mangled_name for f in found.unit.functions if f.node.spelling == "plain")
    assert names == ["_Z5plainIdEvPT_", "_Z5plainIiEvPT_", "_Z5plainIlEvPT_"]
    others = [f.node.spelling for f in found.unit.functions if f.node.spelling != "plain"]
    assert sorted(n for n in others if n != "never") == ["get", "set", "set"]
    instance = next(
        f for f in found.unit.functions if f.template and f.node.cursor.mangled_name.startswith("_Z5plainIdE")
    )
    (construct,) = instance.constructs
    (node,) = [n for e, n in construct.expressions.items() if e.text.strip() == "p"]
    assert node.type.spelling == "double *"


def test_a_written_specialisation_is_found_once() -> None:
    source = (
        "template <typename T> void f(T *p) { *p = 1; }\n"
        "template <> void f<char>(char *p) {\n#pragma omp target\n*p = 2;\n}\n"
    )
    found = parsed(source + "void use(char *c, int *i) { f(c); f(i); }\n", "t.cpp")
    assert [f.node.cursor.mangled_name for f in found.unit.functions] == ["_Z1fIcEvPT_"]
    pattern = source.replace("{ *p = 1; }", "{\n#pragma omp target\n*p = 1;\n}")
    found = parsed(pattern + "void use(char *c, int *i) { f(c); f(i); }\n", "t.cpp")
    assert [f.node.cursor.mangled_name for f in found.unit.functions] == ["_Z1fIiEvPT_", "_Z1fIcEvPT_"]


def test_an_explicit_instantiation_is_found() -> None:
    source = "template <typename T> void f(T *p) {\n#pragma omp target\n*p = 1;\n}\ntemplate void f<int>(int *p);\n"
    found = parsed(source, "t.cpp")
    assert [f.node.cursor.mangled_name for f in found.unit.functions] == ["_Z1fIiEvPT_"]


def test_each_instantiation_has_the_place_where_it_is_made() -> None:
    region = "{\n#pragma omp target\n*p = 1;\n}\n"
    source = (
        f"namespace n {{ template <typename T> struct S {{ S(T *p) {region} S(int, T *p) {region} operator int() {{ T"
    )
    source += f" *p = 0; {region} return 0; }} struct In {{ void f(T *p) {region} }}; }};\ntemplate class S<int>; }}\n"
    source += "template struct n::S<char>::In;\nvoid use(int *p) { n::S<int> s(p); n::S<long>::In().f(0); }\n"
    source += f"template <typename T> auto f(T *p) {region}\nnamespace o {{ int user = (f(new int), 1); }}\n"
    found = parsed(source, "t.cpp")
    places = {
        f.node.cursor.mangled_name: source[f.place.start or 0 :].split(";")[0] if f.place is not None else ""
        for f in found.unit.functions
    }
    explicit = dict.fromkeys(("C1EPi", "C1EiPi", "cviEv", "2In1fEPi"), "template class S<int>")
    assert {m: p for m, p in places.items() if not m.startswith("_Z1f")} == {
        **{f"_ZN1n1SIiE{m}": place for m, place in explicit.items()},
        "_ZN1n1SIcE2In1fEPc": "template struct n::S<char>::In",
        "_ZN1n1SIlE2In1fEPl": "",
    }
    assert [p for m, p in places.items() if m.startswith("_Z1f")] == ["int user = (f(new int), 1)"]


def test_a_member_template_of_a_class_template_is_found() -> None:
    source = (
        "template <typename T> struct S { template <typename U> void f(U u, T *p) {\n"
        "#pragma omp target\n*p = u;\n} };\n"
    )
    found = parsed(source + "void use(int *i) { S<int> s; s.f('a', i); s.f(2.0, i); }\n", "t.cpp")
    assert len(found.unit.functions) == 2


def test_methods_lambdas_namespaces_and_initialisers() -> None:
    source = """
struct S { int v;
  S() {
#pragma omp target
    v = 1;
  }
  ~S() {
#pragma omp target
    v = 2;
  }
  void out();
  operator int() {
#pragma omp target
    v = 3;
    return v;
  }
};
void S::out() {
#pragma omp target
  v = 4;
}
namespace a { namespace { int w; void f() {
#pragma omp target
  w = 5;
} } }
auto global = [](int x) {
#pragma omp target
  x = 6;
  return x;
};
extern "C" { void c(int x) {
  auto inner = [&] {
#pragma omp target
    x = 7;
  };
  inner();
  struct Local { int u; void m() {
#pragma omp target
    u = 8;
  } } local;
  local.m();
  try {
#pragma omp target
    x = 9;
  } catch (...) {}
} }
"""
    found = parsed(source, "t.cpp")
    assert found.problems == []
    assert [b[-1] for b in found.bodies()] == list("123456789")


def test_clang_errors_lead_to_the_users_column() -> None:
    for text, marked in (
        ("void f(int a) {\n#pragma omp target map(to: a) device(«n»one)\n a++;\n}\n", "none"),
        (
            "void f(int a) {\n  #pragma omp target data map(to: a)\n  {\n"
            "#pragma omp target update to(«b»ad[0:3])\n }\n}\n",
            "bad",
        ),
        ("void f(int a) {\n#pragma omp target map(to: a)\n a = «x»yz;\n}\n", "xyz"),
    ):
        source, line, column, _ = support.marked(text)
        (problem,) = parsed(source).problems
        assert problem.span is not None
        assert (problem.span.line, problem.span.column) == (line, column)
        assert f"'{marked}'" in problem.message
