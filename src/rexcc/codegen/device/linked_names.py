"""Names of the device's language for functions of C that other files know by their names.

In: the functions that files have in common. Out: the names that they have in device code, and lines that give them
theirs back where the device's language is not the compiler's. All functions of C with one name are one function,
whatever namespaces they stand in: nvcc takes a ``rsqrt`` with linkage of C for CUDA's, without a word. Each file has
another name for it therefore, the same in all of them; what knows the host's functions has the host's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.separate import Separate, symbol
from rexcc.clang.tree import Node
from rexcc.codegen.registration.own_namespaces import INSIDE
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING
from rexcc.source.records import dataclass

Shared = tuple[Cursor, Node]


@dataclass(frozen=True)
class LinkedNames:
    """``words`` are the names of functions with those of device code for them; by the macros ``asked`` a text asks
    whether the language's compiler reads it."""

    words: dict[str, str]
    asked: tuple[str, ...]

    @property
    def lines(self) -> str:
        """What gives the functions their names where other compilers than the language's read the file."""
        given = [f"#define {other} {name}" for name, other in sorted(self.words.items())]
        begun = [f"#ifndef {name}" for name in self.asked[:1]]
        return "\n".join([*begun, *given, *("#endif" for _ in begun), "", ""]) if given else ""


def linked_names(unit: ParsedUnit, separate: Separate, body: str, sink: DiagnosticSink) -> LinkedNames:
    """Return the names for functions that a unit has in common with others, of which ``body`` is the device text."""
    found: dict[str, str] = {}
    for function, node in _shared(unit, separate):
        name = str(function.spelling)
        if name not in unit.target.names or symbol(unit, function) != name:
            continue
        if unit.is_cplusplus and (_is_other(body, name) or _has_others(unit, separate, name)):
            message = f"'{name}' is a function that files have in common, and this one has another '{name}', too: as "
            message += f"{unit.target.language} has one, device code cannot tell them apart"
            sink.error("unsupported-name", message, unit.span(node), Note("give the function another name"))
        found[name] = f"rex_c_{name}"
    return LinkedNames(found, unit.target.words.asked)


def _shared(unit: ParsedUnit, separate: Separate) -> Iterable[Shared]:
    yield from ((function, unit.tree.node(function)) for function in separate.exported)
    yield from separate.imported


def _has_others(unit: ParsedUnit, separate: Separate, name: str) -> bool:
    """Whether functions of C++ with the name are known to other files, too."""
    return any(f.spelling == name != symbol(unit, f) for f, _ in _shared(unit, separate))


def _is_other(body: str, name: str) -> bool:
    """Whether device text has the name of something in a class or in a namespace."""
    member = rf"(?:\.|->|{INSIDE})\s*(?:template\s+)?{name}\b"
    found = re.finditer(
        rf"{COMMENT}|{RAW_STRING}|{LITERAL}|(?P<other>{member}|\b{name}\s*::|using[^;]*\b{name}\s*;)", body
    )
    return any(match["other"] for match in found)
