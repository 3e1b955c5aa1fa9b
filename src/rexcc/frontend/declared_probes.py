"""What clang parses in place of ``declare reduction`` and ``declare mapper``, to know their types and expressions.

In: the parts of a directive. Out: a declaration for each of its types, and the places of the expressions in it. In C++
that is a struct, which may stand wherever the directive may::

    struct rex_declared_… { static void rex_declared_body(T &omp_out, T &omp_in) { (void)(combiner); }
                            static void rex_declared_start(T &omp_orig) { T omp_priv = …; } };

In C it is a function, or in a block, where there are none, the type of a statement expression. A mapper's variable is
a parameter ``T &v`` or a variable ``T v`` in the same places, and what its clauses name stands below it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from enum import Enum
from typing import Protocol

from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.declared import DeclaredParts, MapperParts
from rexcc.openmp.model import Directive, Expression
from rexcc.source.records import dataclass
from rexcc.source.text import to_bytes

_NAME = "rex_declared_"
BODY = f"{_NAME}body"
"""The function of a probe that is used where a template is instantiated. What expressions name is the user's, so no
function has a name of his."""
_START = f"{_NAME}start"


class Scope(Enum):
    """Where a directive stands, as far as the form of its probe depends on it."""

    CPLUSPLUS = "anywhere in C++"
    FILE = "at file scope in C"
    BLOCK = "in a function's block in C"


@dataclass(frozen=True)
class ReductionProbe:
    """A declared reduction for its type number ``index`` in the parsed buffer: ``name`` is declared at ``offset``."""

    site: PragmaSite
    parts: DeclaredParts
    index: int
    name: str
    offset: int


@dataclass(frozen=True)
class MapperProbe:
    """A declared mapper in the parsed buffer: ``name`` is declared at ``offset``, the expressions of its clauses are at
    ``places``, in the order of :func:`rexcc.frontend.probe.probed_expressions`."""

    site: PragmaSite
    directive: Directive
    parts: MapperParts
    name: str
    offset: int
    places: tuple[tuple[int, int], ...]


class Writer(Protocol):
    """Where the buffer is written."""

    length: int

    def put(self, text: str, original: int, exact: bool) -> None:
        """Add a text and the place in the user's file that it stands for."""


def is_declared_probe(name: str) -> bool:
    """Whether a declaration's name is that of a probe."""
    return name.startswith(_NAME)


def put_declared(writer: Writer, site: PragmaSite, parts: DeclaredParts, scope: Scope) -> list[ReductionProbe]:
    """Write the probes of a directive."""
    mark = f"{zlib.crc32(to_bytes(site.source.path)):08x}"
    found: list[ReductionProbe] = []
    for index, kind in enumerate(parts.types):
        name = f"{_NAME}{mark}_{site.start}_{index}"
        found.append(ReductionProbe(site, parts, index, name, writer.length))
        _Text(writer, site).probe(name, kind, parts, scope)
    return found


def put_mapper(
    writer: Writer, site: PragmaSite, directive: Directive, parts: MapperParts, scope: Scope,
    put_expressions: Callable[[], list[tuple[int, int]]],
) -> MapperProbe:  # fmt: skip
    """Write the probe of a ``declare mapper``; ``put_expressions`` writes those of its clauses, each with a comma."""
    mark = f"{zlib.crc32(to_bytes(site.source.path)):08x}"
    name = f"{_NAME}{mark}_{site.start}"
    offset = writer.length
    text = _Text(writer, site)
    openings = {
        Scope.CPLUSPLUS: f"struct {name} {{ static void {BODY}(",
        Scope.FILE: f"static void {name}(void) {{ ",
        Scope.BLOCK: "typedef __typeof__(({ ",
    }
    text.ours(openings[scope])
    text.declare(parts.kind, "&" if scope is Scope.CPLUSPLUS else "")
    text.users(parts.variable)
    text.ours(") { " if scope is Scope.CPLUSPLUS else "; ")
    places = put_expressions()
    endings = {Scope.CPLUSPLUS: "(void)0; } };", Scope.FILE: "(void)0; }", Scope.BLOCK: f"0; }})) {name};"}
    text.ours(endings[scope])
    return MapperProbe(site, directive, parts, name, offset, tuple(places))


class _Text:
    def __init__(self, writer: Writer, site: PragmaSite) -> None:
        self.writer = writer
        self.site = site

    def ours(self, text: str) -> None:
        self.writer.put(text, self.site.start, False)

    def users(self, expression: Expression) -> None:
        """Write what the user wrote; the blank after it makes the end of its last node the end of his text."""
        text = re.sub(r"[\r\n]", " ", expression.text)
        self.writer.put(f"{text} ", expression.span.start, self.site.text.exact)

    def declare(self, kind: Expression, declared: str) -> None:
        """Declare a name and write what follows it; a type with brackets cannot stand in front of a name."""
        has_brackets = re.search(r"[(\[]", kind.text) is not None
        self.ours("__typeof__(" if has_brackets else "")
        self.users(kind)
        self.ours(f"{')' if has_brackets else ''} {declared}")

    def probe(self, name: str, kind: Expression, parts: DeclaredParts, scope: Scope) -> None:
        if scope is Scope.CPLUSPLUS:
            self.ours(f"struct {name} {{ static void {BODY}(")
            self.declare(kind, "&omp_out, ")
            self.declare(kind, "&omp_in) { ")
            self.combiner(parts)
            self.ours(f" }} static void {_START}(")
            self.declare(kind, "&omp_orig) { ")
            self.initializer(kind, parts)
            self.ours(" } };")
            return
        self.ours(f"static void {name}(void) {{ " if scope is Scope.FILE else "typedef __typeof__(({ ")
        self.declare(kind, "omp_out; ")
        self.declare(kind, "omp_in; ")
        self.combiner(parts)
        self.ours(" { ")
        self.declare(kind, "omp_orig; ")
        self.initializer(kind, parts)
        self.ours(" } }" if scope is Scope.FILE else f" }} 0; }})) {name};")

    def combiner(self, parts: DeclaredParts) -> None:
        self.ours("(void)(")
        self.users(parts.combiner)
        self.ours(");")

    def initializer(self, kind: Expression, parts: DeclaredParts) -> None:
        if parts.initializer is None:
            return
        if parts.declares_private:
            self.declare(kind, "")
            self.users(parts.initializer)
            self.ours(";")
            return
        self.declare(kind, "omp_priv; (void)(")
        self.users(parts.initializer)
        self.ours(");")
