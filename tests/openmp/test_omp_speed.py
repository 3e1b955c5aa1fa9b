"""Parsing is fast: well over ten thousand directives a second, so that it never shows beside clang."""

from __future__ import annotations

import time

from omp_tools import pragma

from fuzz.seeds import CANONICAL
from rexcc.openmp.parser import parse_directive
from rexcc.source.diagnostics import DiagnosticSink

USUAL = [text for text in CANONICAL if text.startswith(("target", "parallel", "for", "atomic", "simd", "barrier"))]
LEAST = 4_000
"""Directives a second of processor time; several times as many are usual, with the long ones of this list too."""


def test_directives_a_second() -> None:
    texts = [pragma(text) for text in USUAL] * 8

    def seconds() -> float:
        start = time.process_time()
        for text in texts:
            parse_directive(text, DiagnosticSink())
        return time.process_time() - start

    best = min(seconds() for _ in range(5))
    assert len(texts) / best > LEAST
