"""Constants of an image that may be there twice: those that device code uses by their values alone."""

from __future__ import annotations

import re

import pytest

import support

HEAD = """
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
struct point { double x, y; };
static const double table[4] = {1, 2, 3, 4};
static const point points[2] = {{1, 2}, {3, 4}};
static const int most = 3;
static const double *const chosen[] = {table, table + 1};
struct cell { const double *at; };
double first(const double *from, int i) { return i > 0 ? first(from, i - 1) : from[i] + from[most]; }
const double *second(const double *from) { return from + 1; }
double through(const double *from) { const double *other = from; return other[1]; }
double by_reference(const double &of) { return of; }
double method_of(const point &of) { return of.x; }
template <class T> T of_any(const T *from, int i) { return from[i]; }
double kept(cell *c, const double *from = table);
double kept(cell *c, const double *from) { c->at = from; return 0; }
struct holder { holder(cell *to, const double *from = table) { to->at = from; } };
struct keeper { const double *at = table; };
double with_own(int i) { static const double own[3] = {7, 8, 9}; return own[i]; }
double with_state(int i) { static double state[4]; return state[i]; }
"""

BY_VALUE = {
    "an element": "a[i] += table[i % 4];",
    "a number": "a[i] += most;",
    "a member of an element": "a[i] += points[i % 2].x + points[1].y;",
    "a copy of an object": "point p = points[i % 2]; a[i] += p.x;",
    "what is pointed to": "a[i] += *table + *(table + i % 3) + (&points[0])->x;",
    "a function that reads it": "a[i] += first(table, i % 2);",
    "a template that reads it": "a[i] += of_any(table, i % 4);",
    "a constant of a function": "a[i] += with_own(i % 3);",
    "a size": "a[i] += sizeof(table) / sizeof table[0];",
    "a comparison": "a[i] += &table[i % 4] == table + 2;",
}
"""How constants are used of which no kernel can tell two copies apart."""

BY_ADDRESS = {
    "stored": "c[i].at = table;",
    "stored by the address of an element": "c[i].at = &table[i % 4];",
    "in a variable": "const double *p = table; a[i] += p[1];",
    "in a number": "a[i] += (uintptr_t)table;",
    "bound by a reference": "const double &r = table[1]; c[i].at = &r;",
    "bound by a parameter": "a[i] += by_reference(table[i % 4]);",
    "an object bound by a parameter": "a[i] += method_of(points[i % 2]);",
    "given back": "a[i] += second(table)[0];",
    "kept by a function": "a[i] += through(table);",
    "in another constant": "a[i] += chosen[i % 2][0];",
    "printed": 'printf("%p", (const void *)table);',
    "one of two": "const double *p = i > 3 ? table : table + 1; c[i].at = p;",
    "in a lambda's copy": "auto f = [p = table] { return p; }; c[i].at = f();",
    "in a loop by reference": "for (const double &x : table) c[i].at = &x;",
    "by a default argument": "a[i] += kept(&c[i]);",
    "by a constructor's default argument": "holder h(&c[i]);",
    "by a member's first value": "keeper k; c[i].at = k.at;",
    "in a lambda from outside": "outside(i);",
    "beside memory that changes": "a[i] += table[1] + with_state(i % 4);",
}
"""How an address gets where a kernel of another copy may find it."""


def constants(statement: str) -> dict[str, int]:
    loop = f"for (int i = 0; i < n; i++) {{ {statement} }}"
    outside = "auto outside = [=](int i) { c[i].at = table; };" if "outside(" in statement else ""
    pragma = "#pragma omp target teams distribute parallel for"
    text = f"{HEAD}void f(double *a, cell *c, int n) {{\n{outside}\n{pragma}\n{loop}\n}}\n"
    found = support.translate_text(text, "t.cpp", arguments=("-w",))
    assert found.host is not None, support.rendered(found)
    table = found.host.text.partition("__rex_offload_constants[] = {")[2].partition("};")[0]
    return {name: int(size) for name, size in re.findall(r'\{"(\w+)", (\d+)\}', table)}


@pytest.mark.parametrize("name", BY_VALUE)
def test_constants_that_are_only_read_are_named(name: str) -> None:
    sizes = {"table": 32, "points": 32, "most": 4, "own": 24}
    used = set(re.findall(r"\b(?:table|points|most)\b", BY_VALUE[name]))
    used |= {"most"} if "first(" in BY_VALUE[name] else {"own"} if "with_own" in BY_VALUE[name] else set()
    assert constants(BY_VALUE[name]) == {name: sizes[name] for name in used}


@pytest.mark.parametrize("name", BY_ADDRESS)
def test_constants_whose_address_is_kept_are_not(name: str) -> None:
    assert constants(BY_ADDRESS[name]) == {}


def test_a_reduction_of_the_programs_may_keep_an_address() -> None:
    reduction = "#pragma omp declare reduction(late : cell : omp_out.at = {}) initializer(omp_priv = cell())\n"
    region = "#pragma omp target teams distribute parallel for reduction(late : one)\n"
    for value, names in (("omp_in.at", {"most"}), ("table", set())):
        loop = "for (int i = 0; i < n; i++) if (i > most) one.at = 0;"
        text = f"{HEAD}{reduction.format(value)}void f(cell one, int n) {{\n{region}{loop}\n}}\n"
        found = support.translate_text(text, "t.cpp", arguments=("-w",))
        assert found.host is not None, support.rendered(found)
        assert set(re.findall(r'\{"(\w+)", \d+\}', found.host.text)) == names


def test_arrays_that_kernels_have_of_their_own_are_named() -> None:
    loop = "for (int i = 0; i < n; i++) a[i] += w[i % 3] + s[i % 2];"
    region = f"#pragma omp target teams distribute parallel for\n{loop}"
    text = f"void f(double *a, int n) {{\nconst double w[3] = {{1, 2}};\nstatic const int s[2] = {{1}};\n{region}\n}}\n"
    found = support.translate_text(text, "t.c")
    assert found.host is not None, support.rendered(found)
    assert dict(re.findall(r'\{"(\w+)", (\d+)\}', found.host.text)) == {"w": "24", "s": "8"}


NAMELESS = {
    "static int &&count = 7; a[i] += ++count;": True,
    "static pair count = {7}; a[i] += ++count.first;": True,
    "static int count = 7; a[i] += ++count;": False,
    "static const pair count = {7}; a[i] += count.first;": True,
    "a[i] += most;": False,
}
"""Statements, and whether an image may have an object without a name that they change."""


@pytest.mark.parametrize("statement", NAMELESS)
def test_objects_of_static_references_are_told_of(statement: str) -> None:
    """nvcc leaves out the reference and calls the object as it calls ``__func__``."""
    function = f"void change(double *a, int i) {{ {statement} }}\n"
    region = "#pragma omp target teams distribute parallel for\nfor (int i = 0; i < n; i++) change(a, i);"
    text = f"{HEAD}struct pair {{ int &&first; }};\n{function}void f(double *a, int n) {{\n{region}\n}}\n"
    found = support.translate_text(text, "t.cpp", arguments=("-w",))
    assert found.host is not None, support.rendered(found)
    assert ('{"", 0}' in found.host.text) == NAMELESS[statement]
