"""Tiles: each thread takes several iterations side by side, all values first, then all stores.

In: a loop that :mod:`.tile_rules` lets through. Out: its form, and edits of the stores in its body. Before::

    for (int i = 0; i < n; i++) y[i] = a * x[i];

after (``REX_TILE`` is 4 on a GPU and 1 on the CPU device)::

    const long long _dev_count = n;
    for (long long _dev_first = _dev_thread_id; _dev_first < _dev_count; _dev_first += REX_TILE * _dev_thread_num) {
      float *__rex_place_y[REX_TILE], __rex_value_y[REX_TILE];
      for (int _dev_part = 0; _dev_part < REX_TILE; _dev_part++) {
        const long long __rex_i = _dev_first + _dev_part * _dev_thread_num;
        if (__rex_i < _dev_count) {
          int i = (int)__rex_i;
          __rex_place_y[_dev_part] = &y[i]; __rex_value_y[_dev_part] = a * x[i];
        }
      }
      for (int _dev_part = 0; _dev_part < REX_TILE; _dev_part++)
        if (_dev_first + _dev_part * _dev_thread_num < _dev_count)
          *__rex_place_y[_dev_part] = __rex_value_y[_dev_part];
    }

A value has the type of what is assigned to, so conversions are those of the assignment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end
from rexcc.lowering.body import DeviceBody
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.cleanups.syntax import is_exact, value_type
from rexcc.lowering.constructs.team import GRID
from rexcc.lowering.loop import LoweredLoop, Share, Text, iteration_count, nest_counts, position_lines, quotient_lines
from rexcc.lowering.remarks import Reason
from rexcc.lowering.tile_rules import TileRules, tile_rules

TILE = 4
"""Iterations that a thread of a GPU takes side by side."""

_PART = "[_dev_part]"
_PARTS = "for (int _dev_part = 0; _dev_part < REX_TILE; _dev_part++)"
_BEFORE_PLACE = -12
"""The rank of what stands before all else that is put in front of an assignment's target."""


@dataclass(frozen=True)
class _Store:
    """What a store needs across the tile: the arrays of its places and values."""

    name: str
    type: str

    @property
    def place(self) -> str:
        return f"__rex_place_{self.name}"

    @property
    def value(self) -> str:
        return f"__rex_value_{self.name}"

    @property
    def declaration(self) -> str:
        return f"{self.type} *{self.place}[REX_TILE], {self.value}[REX_TILE];"


def tile(context: CleanupContext, numbered: bool, threads_meet: bool, text: Text) -> LoweredLoop | Reason:
    """Return the tiled form of a loop, with its stores edited, or why it has none."""
    rules = tile_rules(context, numbered, threads_meet)
    if not isinstance(rules, TileRules):
        return rules
    written = [_written(context, store) for store in rules.stores]
    hidden = next((s for s, w in zip(rules.stores, written, strict=True) if w is None), None)
    if hidden is not None:
        return Reason("a macro hides this assignment", hidden)
    stores = [_edited(context, w) for w in written if w is not None]
    closing = []
    for element in context.stored:
        store = _Store(context.name(element.array), element.type)
        stores.append(store)
        closing += [f"{store.place}{_PART} = &{element.place};", f"{store.value}{_PART} = {element.local};"]
    return _form(context.kernel.region.loops, stores, closing, text)


@dataclass(frozen=True)
class _Written:
    """An assignment as it stands in the user's text: ``at`` has its operator, with the blanks around it."""

    target: Node
    operator: str
    value: Node
    at: tuple[int, int]
    semicolon: int


def _written(context: CleanupContext, statement: Node) -> _Written | None:
    """Return an assignment's parts, None where they are not in the user's text."""
    body, top = context.body, statement.bare()
    target, value = top.children
    if not _stands_here(body, target.bare()) or value.file != target.file:
        return None
    start, end = body.end(target), body.start(value)
    semicolon = statement_end(body.file, statement) - 1
    if body.text[start:end].strip() != top.operator or body.text[semicolon : semicolon + 1] != ";":
        return None
    return _Written(target, top.operator, value, (start, end), semicolon)


def _stands_here(body: DeviceBody, target: Node) -> bool:
    """Whether no part of a place's outline comes from a macro; members of the object count by their name alone."""
    inner = parts(target)
    if target.kind == "ARRAY_SUBSCRIPT_EXPR" and inner[0].bare().kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
        index = body.text[body.end(inner[0]) : body.end(target)].strip()
        return index[:1] == "[" and index[-1:] == "]" and _stands_here(body, inner[0].bare())
    if target.kind == "MEMBER_REF_EXPR" and (not inner or inner[0].kind == "CXX_THIS_EXPR"):
        return body.original(target).removeprefix("this->") == target.spelling
    return is_exact(body, target)


def _edited(context: CleanupContext, written: _Written) -> _Store:
    """Make an assignment to memory one to the tile's place and value."""
    body, target = context.body, written.target
    names = re.findall(r"[A-Za-z_]\w*", body.original(target))
    store = _Store(context.name(names[0] if names else "it"), value_type(target.type, body.unit.is_cplusplus))
    body.edits.insert(body.start(target), f"{store.place}{_PART} = &", rank=_BEFORE_PLACE)
    if written.operator == "=":
        body.edits.replace(*written.at, f"; {store.value}{_PART} = ")
        return store
    body.edits.replace(*written.at, f"; {store.value}{_PART} = *{store.place}{_PART} {written.operator[:-1]} (")
    body.edits.insert(written.semicolon, ")")
    return store


def _form(loops: tuple[CanonicalLoop, ...], stores: list[_Store], closing: list[str], text: Text) -> LoweredLoop:
    shape = _rows(loops, text) if len(loops) > 1 else _strides(loops[0], text)
    opening = [
        *shape.once,
        *(store.declaration for store in stores),
        "#pragma unroll",
        f"{_PARTS} {{",
        f"  const long long {shape.position} = {shape.value};",
        f"  if ({shape.exists}) {{",
        *(f"    {line}" for line in shape.indices),
    ]
    ending = [
        *(f"    {line}" for line in closing),
        "  }",
        "}",
        "#pragma unroll",
        _PARTS,
        f"  if ({shape.exists.replace(shape.position, shape.value)}) {{",
        *(f"    *{store.place}{_PART} = {store.value}{_PART};" for store in stores),
        "  }",
    ]
    return LoweredLoop((*shape.before, "#pragma unroll 1"), shape.header, tuple(opening), tuple(ending))


@dataclass(frozen=True)
class _Shape:
    """Which iterations are a tile's: lines before the loop, its header, lines in it before the parts.

    A part's iteration is at ``position``, which has a ``value``; ``exists`` tells whether the loop has it, ``indices``
    are the lines that declare its indices.
    """

    before: tuple[str, ...]
    header: str
    once: tuple[str, ...]
    position: str
    value: str
    exists: str
    indices: tuple[str, ...]


_SHARE = Share.of(GRID)
_ID, _NUM = _SHARE.number, _SHARE.count


def _strides(loop: CanonicalLoop, text: Text) -> _Shape:
    """The parts of a tile are as far apart as there are threads: whatever the grid, all threads have their share."""
    position = f"__rex_{loop.name}"
    return _Shape(
        (*_SHARE.before, f"const long long _dev_count = {iteration_count(loop, text)};"),
        f"for (long long _dev_first = {_ID}; _dev_first < _dev_count; _dev_first += REX_TILE * {_NUM})",
        (),
        position,
        f"_dev_first + _dev_part * {_NUM}",
        f"{position} < _dev_count",
        position_lines((loop,), (loop,), position, text),
    )


def _rows(loops: tuple[CanonicalLoop, ...], text: Text) -> _Shape:
    """The parts of a tile differ in the outermost index: one division for all, and neighbours share loads."""
    counts, _ = nest_counts(loops, text)
    first, inner = loops[0], " * ".join(f"_dev_count_{loop.name}" for loop in loops[1:])
    count, position = f"_dev_count_{first.name}", f"__rex_{first.name}"
    quotients, row = quotient_lines(loops)
    before = (
        *_SHARE.before,
        *counts,
        f"const long long _dev_rows = rex_tile_rows({count}, {inner}, {_NUM});",
        f"const long long _dev_count = rex_tiles({count}, _dev_rows) * {inner};",
    )
    return _Shape(
        before,
        f"for (long long _dev_iteration = {_ID}; _dev_iteration < _dev_count; _dev_iteration += {_NUM})",
        tuple(quotients),
        position,
        f"{row} * _dev_rows + _dev_part",
        f"_dev_part < _dev_rows && {position} < {count}",
        position_lines(loops, loops, position, text),
    )
