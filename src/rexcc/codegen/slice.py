"""Device slice: the user's declarations that kernels need, as device code.

In: a closure. Out: text pieces with their place in the translation unit. Each piece is the user's bytes with qualifiers
(``__device__``) and the dialect's edits put in; ``#line`` leads compiler messages back to him.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clang.cindex import Cursor

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.references import variable_key
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.codegen.closure import Closure
from rexcc.codegen.places import Key, Places
from rexcc.frontend.unit import Construct, ParsedUnit
from rexcc.lowering.body import DeviceBody, blank_conditionals, statement_end
from rexcc.lowering.c_dialect import lower_c
from rexcc.lowering.nested import lower_nested
from rexcc.lowering.outline import line_directive

_HOST_DEVICE = "__host__ __device__ "
_METHODS = FUNCTION_KINDS - {"FUNCTION_DECL"}


@dataclass(frozen=True)
class Piece:
    """A part of the device file: sort key, text, and the names it declares at file scope."""

    key: Key
    text: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SliceOptions:
    """What the slice needs to know: skipped ranges per file, classes whose members kernels use through ``this``."""

    skipped: dict[str, list[tuple[int, int]]]
    opened_records: frozenset[str]


class SliceWriter:
    """Makes the pieces of a closure."""

    def __init__(
        self, unit: ParsedUnit, places: Places, declared: DeclareTarget, closure: Closure, options: SliceOptions
    ) -> None:
        self.unit = unit
        self.places = places
        self.declared = declared
        self.closure = closure
        self.options = options

    def pieces(self) -> list[Piece]:
        """Return all pieces in the order of the translation unit."""
        found = [self._macro(n) for n in self.closure.macros.values()]
        for node in _outermost(list(self.closure.declarations.values())):
            found += self._declaration(node)
        found += [self._variable(n) for n in _outermost(list(self.closure.variables.values()))]
        found += self._local_types()
        return sorted((p for p in found if p is not None), key=lambda p: p.key)

    def _local_types(self) -> list[Piece]:
        """Types declared in a function stand before its kernels, in a namespace of that function."""
        found: list[Piece] = []
        for node in _outermost(list(self.closure.local_types.values())):
            owner = self.unit.tree.node(node.cursor.semantic_parent)
            start = self.unit.files[owner.file].original(owner.start)
            scope = self.local_scope(owner)
            for piece in self._declaration(node):
                text = f"namespace {scope} {{\n{piece.text}}}\n"
                found.append(Piece((*self.places.key(owner.file, start), piece.key[-1]), text, piece.names))
        return found

    def local_scope(self, owner: Node) -> str:
        """Return the namespace of a function whose local types its kernels use, empty for other functions."""
        owners = {(n.file, n.start) for n in map(self._owner, self.closure.local_types.values())}
        if (owner.file, owner.start) not in owners:
            return ""
        line = self.unit.files[owner.file].scan.source.line_column(self.unit.files[owner.file].original(owner.start))[0]
        return f"rex_in_{re.sub(r'[^A-Za-z0-9_]+', '_', owner.spelling)}_{line}"

    def _owner(self, node: Node) -> Node:
        return self.unit.tree.node(node.cursor.semantic_parent)

    def _macro(self, node: Node) -> Piece | None:
        file = self.unit.files.get(node.file)
        if file is None:
            return None
        text = file.scan.source.text
        name_at = file.original(node.start)
        start = text.rfind("#", 0, name_at)
        match = re.compile(r"(?:\\\r?\n|/\*[\s\S]*?\*/|[^\n])*").match(text, start)
        assert match is not None
        return Piece(self.places.key(node.file, start), match[0].rstrip("\r") + "\n")

    def _piece(self, node: Node, start: int, text: str) -> Piece:
        file = self.unit.files[node.file]
        line = file.scan.source.line_column(start)[0]
        scoped = _in_namespaces(node.cursor, text)
        placed = f"{line_directive(line, file.scan.source.path)}\n{scoped}\n"
        return Piece(self.places.key(node.file, start), placed, (node.spelling,))

    def _body(self, node: Node) -> DeviceBody:
        return DeviceBody(self.unit, self.unit.files[node.file])

    def _finished(self, body: DeviceBody, start: int, end: int) -> str:
        blank_conditionals(body, start, end, self.options.skipped.get(body.file.scan.source.path, []))
        return body.edited(start, end).rstrip()

    def _declaration(self, node: Node) -> list[Piece]:
        if node.file not in self.unit.files:
            return []
        if node.kind in FUNCTION_KINDS:
            return [*self._prototype(node), self._function(node)]
        if node.kind in RECORD_KINDS or node.kind == "ENUM_DECL":
            return [self._record(node)]
        body = self._body(node)
        self._mark_methods(node, body)
        start, end = body.start(node), statement_end(body.file, node)
        return [self._piece(node, start, _semicolon(self._finished(body, start, end)))]

    def _prototype(self, node: Node) -> list[Piece]:
        """Keep the first declaration too where it stands before the definition."""
        first = self.unit.tree.node(node.cursor.canonical)
        if first.cursor == node.cursor or first.file not in self.unit.files or first.start == node.start:
            return []
        if kind_of(first.cursor.lexical_parent) in RECORD_KINDS:
            return []
        body = self._body(first)
        body.edits.insert(_qualifier_place(body, first), _qualifier(first), rank=-9)
        start, end = body.start(first), body.end(first)
        return [self._piece(first, start, _semicolon(self._finished(body, start, end)))]

    def _function(self, node: Node) -> Piece:
        body = self._body(node)
        start, end = body.start(node), body.end(node)
        body.edits.insert(_qualifier_place(body, node), _qualifier(node), rank=-9)
        lower_nested(body, self._constructs(node))
        if not self.unit.is_cplusplus:
            lower_c(body, node)
        text = self._finished(body, start, end)
        return self._piece(node, start, text if text.endswith("}") else _semicolon(text))

    def _constructs(self, node: Node) -> list[Construct]:
        """Return the constructs inside a function; for a template those of its first instantiation."""
        found = next(
            (
                f
                for f in self.unit.functions
                if (f.template or f.node).file == node.file and (f.template or f.node).start == node.start
            ),
            None,
        )
        return [] if found is None else [c for top in found.constructs for c in (top, *top.descendants())]

    def _record(self, node: Node) -> Piece:
        body = self._body(node)
        self._mark_methods(node, body)
        if types.spell(node.type) in self.options.opened_records or node.spelling in self.options.opened_records:
            _open_record(node, body)
        _name_unnamed(node, body)
        start, end = body.start(node), body.end(node)
        return self._piece(node, start, _semicolon(self._finished(body, start, end)))

    def _mark_methods(self, node: Node, body: DeviceBody) -> None:
        for inner in node.walk():
            parent = inner.cursor.lexical_parent
            in_record = parent is not None and kind_of(parent) in RECORD_KINDS
            if inner.kind in _METHODS and in_record and inner.start < inner.end:
                body.edits.insert(_qualifier_place(body, inner), _HOST_DEVICE, rank=-9)
            elif inner.kind == "FRIEND_DECL":
                _mark_friend(inner, body)

    def _variable(self, node: Node) -> Piece | None:
        if node.file not in self.unit.files:
            return None
        body = self._body(node)
        start, end = body.start(node), body.end(node)
        if not self.unit.is_cplusplus:
            lower_c(body, node)
        text = _semicolon(self._finished(body, start, end))
        on_device = self.declared.has_variable(node.cursor)
        if on_device and not types.is_constant(node.type):
            text = re.sub(r"\b(static|extern|inline)\s+", "", text)
        return self._piece(node, start, f"__device__ {text}")

    def device_variables(self) -> list[Cursor]:
        """Return the ``declare target`` variables that the device file holds, in source order."""
        return [
            c
            for key, c in self.declared.variables.items()
            if key in self.closure.variables and not types.is_constant(c.type)
        ]


def _name_unnamed(node: Node, body: DeviceBody) -> None:
    """Give an unnamed type the name under which kernels know it."""
    place = types.unnamed_place(str(node.type.spelling))
    if place is not None:
        keyword = re.match(r"\w+", body.text[body.start(node) :])
        if keyword:
            body.edits.insert(body.start(node) + keyword.end(), f" {types.given_name(*place)}", rank=9)


def _outermost(nodes: list[Node]) -> list[Node]:
    """Drop declarations that another one's text contains (``typedef struct {…} T;``, ``int a, b;``)."""
    ordered = sorted(nodes, key=lambda n: (n.file, n.start, -n.end))
    kept: list[Node] = []
    for node in ordered:
        if kept and kept[-1].file == node.file and node.end <= kept[-1].end:
            continue
        kept.append(node)
    return kept


def _semicolon(text: str) -> str:
    return text if text.endswith(";") else f"{text};"


def _qualifier(node: Node) -> str:
    text = node.spelling
    inside = kind_of(node.cursor.semantic_parent) in RECORD_KINDS
    return _HOST_DEVICE if inside or text.startswith("operator") else "__device__ "


def _qualifier_place(body: DeviceBody, node: Node) -> int:
    """Return where a function's qualifiers may stand: after its template headers."""
    at = body.start(node)
    while (match := re.compile(r"\s*template\s*<").match(body.text, at)) is not None:
        depth, at = 1, match.end()
        while depth and at < len(body.text):
            depth += {"<": 1, ">": -1}.get(body.text[at], 0)
            at += 1
    blank = re.compile(r"\s*").match(body.text, at)
    return blank.end() if blank and at != body.start(node) else at


def _mark_friend(node: Node, body: DeviceBody) -> None:
    for child in node.children:
        if child.kind in FUNCTION_KINDS:
            text = body.original(node)
            offset = text.find("friend")
            if offset >= 0:
                body.edits.insert(body.start(node) + offset + len("friend "), _HOST_DEVICE, rank=-9)


def _open_record(node: Node, body: DeviceBody) -> None:
    """Make all members accessible: the kernel stands for a method."""
    for child in node.children:
        if child.kind == "CXX_ACCESS_SPEC_DECL":
            written = re.sub(r"private|protected", "public", body.original(child))
            body.edits.replace(body.start(child), body.end(child), written)
    brace = body.text.find("{", body.start(node))
    if brace >= 0 and node.kind.startswith("CLASS"):
        body.edits.insert(brace + 1, " public:")


def _in_namespaces(cursor: Cursor, text: str) -> str:
    """Put a declaration back into the namespaces it is written in, on the same lines."""
    names: list[str] = []
    parent = cursor.lexical_parent
    while parent is not None and kind_of(parent) in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"):
        if kind_of(parent) == "NAMESPACE":
            names.append(f"namespace {parent.spelling}".rstrip() + " { ")
        parent = parent.lexical_parent
    return "".join(reversed(names)) + text + " }" * len(names)


def variable_symbol(cursor: Cursor) -> str:
    """Return the symbol of a ``declare target`` variable in the device image."""
    parent = cursor.semantic_parent
    scoped = parent is not None and kind_of(parent) == "NAMESPACE"
    return str(cursor.mangled_name) if scoped else str(cursor.spelling)


def is_device_variable(declared: DeclareTarget, cursor: Cursor) -> bool:
    """Whether a variable is one of the unit's ``declare target`` variables."""
    return variable_key(cursor) in declared.variables
