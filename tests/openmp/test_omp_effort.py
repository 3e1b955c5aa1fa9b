"""Parsing is fast: well over ten thousand directives a second, so that it never shows beside clang.

What it does is counted: a clock would measure the machine, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import FrameType

from omp_tools import pragma

from fuzz.seeds import CANONICAL
from rexcc.openmp.parser import parse_directive
from rexcc.source.diagnostics import DiagnosticSink

USUAL = [text for text in CANONICAL if text.startswith(("target", "parallel", "for", "atomic", "simd", "barrier"))]
MOST = 10
"""Calls of functions for each character of a directive, Python's own ones included; six are usual."""


def calls_to_parse(directives: Iterable[str]) -> int:
    """Count the calls that parsing makes."""
    texts = [pragma(text) for text in directives]
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        for text in texts:
            parse_directive(text, DiagnosticSink())
    finally:
        sys.setprofile(None)
    return calls


def test_a_directive_takes_few_calls() -> None:
    assert calls_to_parse(USUAL) < MOST * sum(map(len, USUAL))


def test_twice_the_list_items_are_twice_the_work() -> None:
    few, many = (f"target map(to: {', '.join(f'a{n}[0:n]' for n in range(count))})" for count in (200, 400))
    assert calls_to_parse([many]) < 2.1 * calls_to_parse([few])
