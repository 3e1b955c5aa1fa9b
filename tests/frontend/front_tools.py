"""Parse a text through the front end alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import support
from rexcc.frontend.files import SearchPath, gather
from rexcc.frontend.preprocessed import preprocess
from rexcc.frontend.scan import FileScan, scan
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.source.diagnostics import Diagnostic, DiagnosticSink
from rexcc.source.text import SourceText


def scanned(text: str | bytes, name: str = "t.c") -> FileScan:
    """Scan one file."""
    return scan(SourceText.from_bytes(name, support.as_bytes(text)))


def pragmas(text: str | bytes) -> list[str]:
    """Return the text after ``omp`` of each directive found, blanks squeezed."""
    return [" ".join(p.text.text.split()) for p in scanned(text).pragmas]


@dataclass(frozen=True)
class Parsed:
    """A unit with what was reported on the way."""

    unit: ParsedUnit
    problems: list[Diagnostic]

    @property
    def constructs(self) -> list[Construct]:
        """All constructs, outer before inner."""
        return [c for f in self.unit.functions for top in f.constructs for c in (top, *top.descendants())]

    def body(self, construct: Construct) -> str:
        """Return a construct's statement as the user wrote it."""
        assert construct.body is not None
        return self.unit.user_text(construct.body)

    def bodies(self) -> list[str]:
        """Return all bodies, blanks squeezed."""
        return [" ".join(self.body(c).split()) for c in self.constructs if c.body is not None]


def parsed(
    text: str | bytes, name: str = "t.c", headers: Mapping[str, str] | None = None, arguments: Sequence[str] = ()
) -> Parsed:
    """Parse a program given as text."""
    files = {name: support.as_bytes(text)} | {path: support.as_bytes(t) for path, t in (headers or {}).items()}
    found = gather(name, SearchPath.from_arguments(arguments), files.get)
    assert found is not None
    language = support.language_of(name)
    standard = "-std=gnu17" if language == "c" else "-std=gnu++17"
    includes = [w for folder in support.system_includes(language) for w in ("-idirafter", folder)]
    flags = (standard, "-D_OPENMP=202011", *includes, *arguments)
    sink = DiagnosticSink()
    unit = parse_unit(preprocess(found, language, flags), language, flags, sink)
    assert unit is not None
    return Parsed(unit, sink.found)
