"""How often the front end does what takes long, counted where a clock would depend on the machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from clang.cindex import BaseEnumeration, Index

import support
from rexcc.analysis import unnamed_calls
from rexcc.clang import library

REGION = "void f(int *p) {\n#pragma omp target map(p[0:1])\np[0] = 1;\n}\n"
EITHER = "#ifdef X\n#define M 4\n#else\n#define M "
PARSES = {
    "of C": (REGION, "t.c", 1),
    "of C++": (REGION, "t.cpp", 1),
    "of C that declares a reduction": (f"#pragma omp declare reduction(m: int: omp_out += omp_in)\n{REGION}", "t.c", 2),
    "of macros that are numbers": (
        f"{EITHER}(1 << 0x2UL)\n#endif\n#define N (M * 0xfL)\n{REGION.replace('0:1', '0:N')}", "t.c", 1,
    ),
    "of macros that name a variable or a function": (
        f"int m, g(int);\n{EITHER}(m + g(m) - sizeof(m))\n#endif\n{REGION.replace('0:1', '0:M + 1')}", "t.c", 1,
    ),
    "of a macro of a text": (f'#define S "some text"\n{REGION.replace("0:1", "0:sizeof(S)")}', "t.c", 1),
    "of a macro without its arguments": (f"#define p(x) p[x]\n{REGION}", "t.c", 1),
    "of a macro that is a number or a section": (f"{EITHER}0:1\n#endif\n{REGION.replace('0:1', 'M')}", "t.c", 2),
    "of a macro that names a section": (f"#define S 0:1\n#define M S\n{REGION.replace('0:1', 'M')}", "t.c", 2),
    "of a macro with a text that has more": (f'#define S "a, b"\n{REGION.replace("0:1", "0:sizeof(S)")}', "t.c", 2),
    "of a macro with a comment": (f"#define M 1 /* one\n */\n{REGION.replace('0:1', '0:M')}", "t.c", 1),
    "of a macro with a comma": (f"#define N p[0:1], p[2:1]\n{REGION.replace('p[0:1]', 'N', 1)}", "t.c", 2),
    "of macros that name each other": (f"#define N M\n#define M N\n{REGION.replace('0:1', '0:N')}", "t.c", 2),
    "of a macro with arguments": (f"#define N(x) 1\n{REGION.replace('0:1', '0:N(2)')}", "t.c", 2),
    "of a resolved metadirective": (REGION.replace("target", "metadirective otherwise(target)", 1), "t.c", 1),
    "of a transformed loop": (
        REGION.replace("p[0] = 1;", "{\n#pragma omp reverse\nfor (int i = 0; i < 4; i++) p[0] = i;\n}"), "t.c", 2,
    ),
    "of C++ with a lambda that no template gets": (
        f"template <class T> T g(T t) {{ return t; }}\n{REGION}int x = [] {{ return g(1); }}();\n", "t.cpp", 1,
    ),
    "of C++ with a lambda that a template gets": (
        "template <class F> void g(F f) {\n#pragma omp target\nf();\n}\nvoid f() { g([] {}); }\n", "t.cpp", 2,
    ),
    "of C++ with a virtual function that only a class's objects instantiate, and a lambda that a template gets": (
        "template <class F> void g(F f) {\n#pragma omp target\nf();\n}\n"
        "template <class T> struct S { virtual void m() { g([] {}); } };\nS<int> s;\n", "t.cpp", 2,
    ),
    "of a file without directives": ("int x;\n", "t.c", 0),
}  # fmt: skip


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[int]:
    """Count the calls of a function."""
    calls: list[int] = []
    original: Callable[..., Any] = getattr(owner, name)

    def call(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        return original(*arguments, **options)

    monkeypatch.setattr(owner, name, call)
    return calls


@pytest.mark.parametrize("name", PARSES)
def test_clang_parses_as_seldom_as_it_can(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    source, file, times = PARSES[name]
    parses = counted(monkeypatch, Index, "parse")
    support.translate_text(source, file)
    assert len(parses) == times


def test_names_of_kinds_are_collected_once() -> None:
    support.translate_text(REGION, "t.c")
    for kinds in BaseEnumeration.__subclasses__():
        assert not [kind for kind in kinds._kinds if kind is not None and "_name_map" in vars(kind)]


def test_system_headers_are_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = counted(monkeypatch, library, "children")
    support.compiled(f"#include <stdio.h>\n#include <math.h>\n{REGION}", "t.c")
    assert len(walked) < 100


def test_functions_that_anything_may_call_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries of templates have many classes whose bases are known only to their arguments."""
    walks = counted(monkeypatch, unnamed_calls, "functions_defined")
    pattern = "template <class T> struct C{0} : traits<T>::template base<C{0}<T>> {{ T t; C{0}() {{ t = {0}; }} }};\n"
    source = "template <class T> struct traits { template <class D> struct base { ~base() {} }; };\n"
    source += "".join(map(pattern.format, range(20))) + "void f(int *p) {\n#pragma omp target map(p[0:1])\n{\n"
    source += "".join(f"C{i}<int> c{i}; p[0] += c{i}.t;\n" for i in range(20)) + "}\n}\n"
    support.compiled(source, "t.cpp")
    assert len(walks) == 1


def many_regions(number: int, line: str) -> str:
    """A function with regions that map the same variables, and as many statements between them."""
    region = "#pragma omp target map(from: a) map(s)\n{ a[0] = s; s += 1; }\n"
    return f"void f(void) {{\nint a[8], s = 0;\n{(region + line) * number}}}\n"


def calls_to_translate(source: str, name: str) -> int:
    """Count the calls of functions of ours that a translation makes."""
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and "rexcc" in frame.f_code.co_filename

    sys.setprofile(count)
    try:
        assert support.translate_text(source, name).device is not None
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.extended
@pytest.mark.parametrize(
    ("name", "line"),
    [("t.c", "s++;\n"), ("t.cpp", "int b$ = s;\n"), ("t.c", "if (s) {}\n")],
    ids=["c", "c++", "branches"],
)
def test_four_times_the_regions_are_four_times_the_work(name: str, line: str) -> None:
    few, many = (many_regions(number, line) for number in (25, 100))
    for number in range(100):
        few, many = (text.replace("b$", f"b{number}", 1) for text in (few, many))
    assert calls_to_translate(many, name) < 4.1 * calls_to_translate(few, name)


@pytest.mark.parametrize("loop", ["", "#pragma omp teams distribute parallel for\nfor (int i = 0; i < n; i++)\n"])
def test_four_times_the_statements_are_four_times_the_work(loop: str) -> None:
    few, many = ("".join(f"p[n * {k} + 1] += p[{k}];\n" for k in range(number)) for number in (25, 100))
    texts = (
        f"void f(int *p, int n) {{\n#pragma omp target map(p[0:n])\n{loop}{{\n{text}}}\n}}\n" for text in (few, many)
    )
    first, second = (calls_to_translate(text, "t.c") for text in texts)
    assert second < 4.1 * first
