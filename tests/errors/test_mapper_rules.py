"""The rules of ``declare mapper`` and of the mappers that clauses name, with the exact place of each error."""

from __future__ import annotations

import pytest

import support
from rexcc.source.diagnostics import Severity
from support import marked

HEAD = (
    "typedef struct { int n; int *p; int bits : 3; } list;\n"
    "typedef struct { list l; double x[4]; } table;\n"
    "struct node { int value; struct node *next; };\n"
)
USE = "void f(list l, int *q) {{\n#pragma omp target map({}, tofrom: {})\n  l.p[0] = l.n + q[0];\n}}\n"

WRONG = {
    "no class": ("omp-mapper-type", "'int'", "#pragma omp declare mapper(«int» v) map(v)\n"),
    "a pointer": (
        "omp-mapper-type",
        "struct, union or class",
        "typedef list *p;\n#pragma omp declare mapper(«p» v) map(v->n)\n",
    ),
    "incomplete": ("base-language", "incomplete type", "struct s;\n#pragma omp declare mapper(struct s «v») map(v)\n"),
    "twice": (
        "omp-mapper-repeated",
        "second default mapper of 'list'",
        "#pragma omp declare mapper(list v) map(v)\n#pragma omp «declare mapper(default : list w) map(w)»\n",
    ),
    "twice by name": (
        "omp-mapper-repeated",
        "mapper 'm'",
        "#pragma omp declare mapper(m : list v) map(v)\n#pragma omp «declare mapper(m : list w) map(w)»\n",
    ),
    "itself": (
        "omp-mapper-recursive",
        "another 'struct node'",
        "#pragma omp declare mapper(struct node v) map(v, «v.next[0:1]»)\n",
    ),
    "by another": (
        "omp-mapper-recursive",
        "maps another 'struct ring'",
        "typedef struct ring { struct seal *s; } ring; typedef struct seal { ring *r; } seal;\n"
        "#pragma omp declare mapper(seal v) map(v.r[0:1])\n"
        "#pragma omp declare mapper(ring v) map(«v.s[0:1]»)\n",
    ),
    "by its name": (
        "omp-mapper-recursive",
        "cannot recur",
        "#pragma omp declare mapper(n : struct node v) map(v)\n"
        "#pragma omp declare mapper(struct node v) map(mapper(n), to: «v.next[0:2]»)\n",
    ),
    "nothing of it": ("omp-mapper-item", "nothing of 'v'", "int g;\n#pragma omp «declare mapper(list v) map(g)»\n"),
    "a bit-field": ("omp-list-item-type", "bit-field", "#pragma omp declare mapper(list v) map(«v.bits»)\n"),
    "out of an array": ("omp-section-bounds", "an array of 4", "#pragma omp declare mapper(table v) map(v.x[0:«5»])\n"),
    "no such name": ("omp-mapper-unknown", "no mapper 'm' is declared for 'list'", USE.format("mapper(«m»)", "l")),
    "of another class": (
        "omp-mapper-unknown",
        "no mapper 'm' is declared for 'list'",
        "#pragma omp declare mapper(m : table v) map(v)\n" + USE.format("mapper(«m»)", "l"),
    ),
    "too late": (
        "omp-mapper-unknown",
        "'m'",
        USE.format("mapper(«m»)", "l") + "#pragma omp declare mapper(m : list v) map(v)\n",
    ),
    "a member of no class": (
        "omp-mapper-unknown",
        "'l.n' is no object of a class",
        "#pragma omp declare mapper(m : list v) map(v)\n" + USE.format("mapper(m)", "«l.n»"),
    ),
    "a pointer's own value": (
        "omp-mapper-unknown",
        "'q' is no object of a class",
        "#pragma omp declare mapper(m : list v) map(v)\n" + USE.format("mapper(m)", "«q»"),
    ),
    "unknown inside another": (
        "omp-mapper-unknown",
        "no mapper 'm'",
        "#pragma omp declare mapper(table v) map(mapper(«m»), to: v.l)\n",
    ),
    "a variable of the function": (
        "omp-mapper-local",
        "'k' is a local variable",
        "void f(int k) {\n#pragma omp declare mapper(list v) map(v.p[0:«k»])\n}\n",
    ),
    "a type of the function": (
        "omp-mapper-local",
        "'s' is declared in the function",
        "void f(int k) {\n  struct s { int x; };\n#pragma omp «declare mapper(struct s v) map(v)»\n}\n",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_mappers_that_break_a_rule(name: str) -> None:
    code, message, source = WRONG[name]
    text, line, column, token = marked(HEAD + source)
    found = [d for d in support.translate_text(text).diagnostics if d.severity is Severity.ERROR]
    assert [d.code for d in found] == [code], support.rendered(support.translate_text(text))
    (one,) = found
    assert message in one.message, one.message
    assert one.span is not None and (one.span.line, one.span.column, one.span.text) == (line, column, token), one.span


RIGHT = {
    "an inner scope": "#pragma omp declare mapper(list v) map(v)\nvoid f(void) {\n"
    "#pragma omp declare mapper(list v) map(v.n)\n}\n",
    "other names and classes": "#pragma omp declare mapper(list v) map(v)\n"
    "#pragma omp declare mapper(m : list v) map(v)\n#pragma omp declare mapper(table v) map(v)\n",
    "a default that is not declared": USE.format("mapper(default)", "l"),
    "constants of the function": "void f(void) {\n  static int two = 2;\n  l: two++;\n}\nenum { many = 4 };\n"
    "#pragma omp declare mapper(list v) map(v.p[0:many])\n",
    "the class of a member": "#pragma omp declare mapper(list v) map(v, v.p[0:v.n])\n"
    "#pragma omp declare mapper(table v) map(v.l) map(v.x)\n",
    "a pointer of its own class": "#pragma omp declare mapper(struct node v) map(v.value, v.next)\n",
}


@pytest.mark.parametrize("name", RIGHT)
def test_mappers_that_break_none(name: str) -> None:
    found = support.translate_text(HEAD + RIGHT[name])
    assert not [d for d in found.diagnostics if d.severity is Severity.ERROR], support.rendered(found)


def test_instances_of_a_mapper_that_need_other_rows_are_refused() -> None:
    text, line, column, token = marked(
        "template <class T> struct V {\n  struct I { T p; int n; };\n  I i;\n"
        "#pragma omp «declare mapper(I v) map(v.n, v.p)»\n"
        "  int f() {\n    I l = i;\n#pragma omp target map(tofrom: l)\n    l.n++;\n    return l.n;\n  }\n};\n"
        "int main() { int a[1]; V<int *> v{{a, 1}}; V<int[2]> w{{{1, 2}, 3}}; return v.f() + w.f(); }\n"
    )
    found = support.only_error(text, "t.cpp")
    assert found.code == "unsupported-template" and found.span is not None
    assert (found.span.line, found.span.column, found.span.text) == (line, column, token)


def test_a_mapper_that_is_named_with_its_scope_is_used() -> None:
    found = support.translate_text(
        "namespace a { struct s { int n; };\n#pragma omp declare mapper(m : s v) map(v.n)\n}\n"
        "void f(a::s x) {\n#pragma omp target map(mapper(a::m), tofrom: x)\n  x.n = 1;\n}\n",
        "t.cpp",
    )
    assert not [d for d in found.diagnostics if d.severity is not Severity.REMARK], support.rendered(found)


ITERATORS = {
    "a step of nothing": (
        "omp-bad-iterator",
        "the step of the iterator 'i' is 0",
        "iterator(i = 0:4:«0»), to: q[i + 1]",
    ),
    "no integer": ("omp-bad-iterator", "integers or pointers", "iterator(double i = «0»:4), to: q[(int)i]"),
    "not in other clauses": (
        "base-language",
        "undeclared identifier 'i'",
        "iterator(i = 0:4), to: q[i]) map(to: q[«i»]",
    ),
    "not in the region": ("base-language", "undeclared identifier 'i'", "iterator(i = 0:4), to: q[i + 1]"),
}


@pytest.mark.parametrize("name", ITERATORS)
def test_iterators_that_break_a_rule(name: str) -> None:
    code, message, clause = ITERATORS[name]
    body = "q[«i»]" if "«" not in clause else "q[0]"
    source = f"void f(int *q) {{\n#pragma omp target map({clause})\n  {body} = 1;\n}}\n"
    text, line, column, token = marked(source)
    (one,) = [d for d in support.translate_text(text).diagnostics if d.severity is Severity.ERROR]
    assert one.code == code and message in one.message, one.message
    assert one.span is not None and (one.span.line, one.span.column, one.span.text) == (line, column, token), one.span
