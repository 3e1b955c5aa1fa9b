"""Device code that calls itself, of which the runtime is told: its threads need more stack."""

from __future__ import annotations

import pytest

from rexcc.codegen.registration.unit_parts import UnitPart
from rexcc.driver.link.device_parts import Part
from rexcc.driver.link.recursion import calls_itself
from support import compiled, translate_text

_REGION = "{}\nvoid f(int *r, int n) {{\n#pragma omp target map(from: r[0:1])\n  r[0] = {};\n}}\n"
_CALLING = {
    "directly": ("int down(int n) { return n < 2 ? n : down(n - 1) + down(n - 2); }", "down(n)"),
    "through others": (
        "int odd(int n);\nint even(int n) { return n == 0 || odd(n - 1); }\n"
        "int odd(int n) { return n != 0 && even(n - 1); }",
        "even(n)",
    ),
    "methods": ("struct T { T *next; int all() { return next ? 1 + next->all() : 1; } };", "((T *)r)->all()"),
}
_NOT_CALLING = {
    "twice": ("int one(int n) { return n + 1; }\nint two(int n) { return one(n) + one(n); }", "two(one(n))"),
    "host alone": ("int host(int n) { return n ? host(n - 1) : 0; }\nint one(int n) { return n; }", "one(n)"),
    "instantiations": (
        "template <int N> int sum(int n) { if constexpr (N == 0) return n; else return sum<N - 1>(n) + N; }",
        "sum<4>(n)",
    ),
    "packs": (
        "inline int all() { return 0; }\n"
        "template <class T, class... Ts> int all(T a, Ts... b) { return int(a) + all(b...); }",
        "all(n, 2.5, 3L)",
    ),
    "classes": (
        "template <int N> struct S { static int of(int n) { return S<N - 1>::of(n) + N; } };\n"
        "template <> struct S<0> { static int of(int n) { return n; } };",
        "S<3>::of(n)",
    ),
}


@pytest.mark.parametrize("case", _CALLING)
def test_recursion_is_told(case: str) -> None:
    functions, call = _CALLING[case]
    assert "REX_RECURSION\n" in compiled(_REGION.format(functions, call), "t.cpp").host


@pytest.mark.parametrize("case", _NOT_CALLING)
def test_other_calls_are_none(case: str) -> None:
    functions, call = _NOT_CALLING[case]
    assert "REX_RECURSION" not in compiled(_REGION.format(functions, call), "t.cpp", arguments=("-std=c++17",)).host


def test_functions_for_other_files_are_looked_at() -> None:
    text = "#pragma omp declare target\nint fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
    made = translate_text(f"{text}#pragma omp end declare target\n", "t.c", alone=False)
    assert "REX_RECURSION\n" in made.host.text


_DECLARED = (
    "#pragma omp declare target\nint even(int n); int odd(int n); int one(int n); int third(int n);\n"
    "#pragma omp end declare target\n"
)
_EVEN = "static int less(int n) { return odd(n - 1); }\nint even(int n) { return n == 0 || less(n); }\n"
_LINKED = {
    "through another file": ((_EVEN, "int odd(int n) { return n != 0 && even(n - 1); }\n"), True),
    "through two": (
        (_EVEN, "int odd(int n) { return n != 0 && third(n); }\n", "int third(int n) { return even(n - 1); }\n"),
        True,
    ),
    "there and back": (
        (_EVEN + "int one(int n) { return n & 1; }\n", "int odd(int n) { return one(n); }\n"),
        False,
    ),
    "both ways": (
        (
            "int even(int n) { return odd(n); }\nint one(int n) { return n; }\n",
            "int odd(int n) { return n; }\nint third(int n) { return one(n); }\n",
        ),
        False,
    ),
    "in the file itself": (
        ("int even(int n) { return n ? even(n - 1) : odd(n); }\n", "int odd(int n) { return n; }\n"),
        False,
    ),
}


def _part(text: str, name: str) -> UnitPart:
    found = translate_text(_DECLARED + text, name, alone=False)
    assert found.part is not None
    return found.part


@pytest.mark.parametrize("language", ["c", "cpp"])
@pytest.mark.parametrize("case", _LINKED)
def test_recursion_through_files_is_found_by_the_link(case: str, language: str) -> None:
    texts, expected = _LINKED[case]
    parts = [Part(_part(text, f"f{n}.{language}")) for n, text in enumerate(texts)]
    assert calls_itself(parts) is expected
    assert not any(calls_itself([part]) for part in parts), "what one file knows is told elsewhere"


def test_only_what_leads_from_one_file_to_another_is_noted() -> None:
    text = "static int more(int n) { return n + 1; }\nint third(int n) { return more(n) / 3; }\n"
    assert _part(_EVEN + text, "t.c").calls == (("even", "3"), ("3", "odd"))
    assert _part(text, "t.c").calls == ()
