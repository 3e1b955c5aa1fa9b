"""How often the front end does what takes long, counted where a clock would depend on the machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from clang.cindex import BaseEnumeration, Index

import support
from rexcc.clang import library

REGION = "void f(int *p) {\n#pragma omp target map(p[0:1])\np[0] = 1;\n}\n"
PARSES = {
    "of C": (REGION, "t.c", 1),
    "of C++": (REGION, "t.cpp", 1),
    "of C that declares a reduction": (f"#pragma omp declare reduction(m: int: omp_out += omp_in)\n{REGION}", "t.c", 2),
    "of a resolved metadirective": (REGION.replace("target", "metadirective otherwise(target)", 1), "t.c", 2),
    "of a transformed loop": (
        REGION.replace("p[0] = 1;", "{\n#pragma omp reverse\nfor (int i = 0; i < 4; i++) p[0] = i;\n}"), "t.c", 2,
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
