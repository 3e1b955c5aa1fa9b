"""Inner loops of several iterations as one: unroll and jam of a nest over the grid.

In: a nest that :mod:`.jam_rules` lets through. Out: its form, and edits of the pieces of an iteration. Before::

    float s = 0;
    for (int q = 0; q < n; q++) s += a[i * n + q] * b[q * n + j];
    c[i * n + j] = s;

after, with the parts of a tile as in ``rows`` of :mod:`.tile_forms`::

    rex_by_rows(rex_tile_rows(…), [&](const auto __rex_parts) {
      const long long __rex_tiles = …;
      for (long long __rex_iteration = …) {
        … __rex_above_j, __rex_j from __rex_iteration …
        const long long __rex_tile_row = __rex_above_j * __rex_parts.count;
        int j = (int)__rex_j;
        float __rex_parts_of_s[__rex_parts.count];
        for (int __rex_part = 0; __rex_part < __rex_parts.count; __rex_part++) {
          float s = 0;
          __rex_parts_of_s[__rex_part] = s;
        }
        for (int q = 0; q < n; q++) {
          for (int __rex_part = 0; …) {
            const long long __rex_i = rex_part(__rex_tile_row, __rex_part, __rex_trips_i);
            int i = (int)__rex_i;
            float &s = __rex_parts_of_s[__rex_part];
            s += a[i * n + q] * b[q * n + j];
          }
        }
        for (int __rex_part = 0; …) {
          if (__rex_tile_row + __rex_part >= __rex_trips_i) break;
          … i, s …
          c[i * n + j] = s;
        }
      }
    });

The number of parts is a type, so the user's text stands once and is compiled for a tile and for single iterations. A
part that the outermost loop has not does the first one's iteration once more, up to where it would store. An element
that an inner loop writes (:mod:`.jam_elements`) has an array, too, which is loaded in front of the pieces and stored
behind them; in them it is ``float &__rex_cached_c = rex_part_element(__rex_parts, …, c[i * n + j]);``.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end
from rexcc.kernel.ir import (
    BREAK,
    ONE_BY_ONE,
    UNROLL,
    Assign,
    Bind,
    Block,
    Code,
    Declare,
    DeclareAll,
    Do,
    For,
    If,
    Stmt,
    UserSlot,
)
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.syntax import value_type
from rexcc.lowering.loops.jam_elements import KeptElement
from rexcc.lowering.loops.jam_rules import Jam, Piece, jam_rules
from rexcc.lowering.loops.loop_forms import LoweredLoop, Share, Text, constant, counting
from rexcc.lowering.loops.numbered_loops import iteration_count, nest_counts, positions_of, quotients_of
from rexcc.lowering.loops.tile_forms import PART
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.text.placing import place_in_lines
from rexcc.lowering.text.team import grid
from rexcc.source.own_names import own_name, related

_PARTS = For("int __rex_part", "__rex_part", "0", "<", "__rex_parts.count", "++")


def jam(
    context: CleanupContext, numbered: bool, threads_meet: bool, divided: frozenset[str], text: Text
) -> LoweredLoop | Reason | None:
    """Return the form of a nest, with its iteration edited, or why it has none; None where it has no inner loops.

    ``divided`` are the collapsed loops of whose extents the host makes divisors.
    """
    rules = jam_rules(context, numbered, threads_meet)
    return _Form(context, rules, text).lowered(divided) if isinstance(rules, Jam) else rules


class _Form:
    """The form of one nest."""

    def __init__(self, context: CleanupContext, rules: Jam, text: Text) -> None:
        self.context = context
        self.rules = rules
        self.text = text
        self.loops = context.kernel.region.loops
        self.position, self.trips = own_name(self.loops[0].name), related("trips", self.loops[0].name)

    def lowered(self, divided: frozenset[str]) -> LoweredLoop:
        """Return the loop over the grid, with the pieces of the user's statement in loops over parts."""
        last = max(at for at, piece in enumerate(self.rules.pieces) if piece.loop is not None)
        for at, piece in enumerate(self.rules.pieces):
            self._place(piece, at > last)
        for element in self.rules.elements:
            for use in element.uses:
                self.context.body.edits.replace(*self._range(use), element.local)
        loops, share = self.loops, Share.of(grid(self.context.kernel.region.unit.target.words))
        counts, product = nest_counts(loops, self.text)
        if not divided:
            counts.append(constant("__rex_trips", product))
        inner = " * ".join(related("trips", loop.name) for loop in loops[1:])
        quotients, row = quotients_of(loops, divided)
        arrays = [_array(self._type(node), variable.name) for variable, node in self.rules.kept.items()]
        arrays += [_array(element.type, element.local) for element in self.rules.elements]
        each: Code = (
            *quotients,
            constant("__rex_tile_row", f"{row} * __rex_parts.count"),
            *positions_of(loops[1:], loops, self.position, self.text),
            *arrays,
            *self._moves(is_load=True),
            UserSlot(),
            *self._moves(is_load=False),
        )
        body: Code = (
            constant("__rex_tiles", f"rex_tiles({self.trips}, __rex_parts.count) * {inner}"),
            ONE_BY_ONE,
            Block(counting("__rex_iteration", share.number, "__rex_tiles", f"+= {share.count}"), each),
        )
        rows = f"rex_tile_rows(__rex_trips, {inner}, {share.count})"
        if self.rules.are_raced:
            rows = f"{self.trips} > 1 && {related('trips', loops[-1].name)} > 1 ? {rows} : 1"
        header = f"rex_by_rows({rows}, [&](const auto __rex_parts)"
        told = f"REX_TILE neighbours in '{loops[0].name}', whose inner loops it executes together"
        before = (Do(f"/* A thread takes a tile: {told}. */"), *share.before, *counts)
        return LoweredLoop(before, (header,), body, behind=");")

    def _moves(self, is_load: bool) -> Code:
        """Return the loop that gives the parts' locals the elements that they stand for, or stores these.

        One iteration alone has them in memory; a part that the outermost loop has not stores none.
        """
        moves: list[Stmt] = []
        for element in self.rules.elements:
            local = f"{_array_of(element.local)}{PART}"
            move: Stmt = Assign(local, element.place) if is_load else Assign(element.place, local)
            loop = element.loop
            moves.append(If(f"{iteration_count(loop, self.context.body.original)} > 0", (move,)) if loop else move)
        if not moves:
            return ()
        beyond = () if is_load else (self._beyond,)
        parts = Block(_PARTS, (*beyond, *self._index(), *moves))
        return (Block("if (__rex_parts.count > 1)", (UNROLL, parts)),)

    @property
    def _beyond(self) -> If:
        return If(f"__rex_tile_row + __rex_part >= {self.trips}", (BREAK,))

    def _index(self) -> Code:
        """Return the declarations of a part's position and index."""
        row = constant(self.position, f"rex_part(__rex_tile_row, __rex_part, {self.trips})")
        return (row, *positions_of(self.loops[:1], self.loops, self.position, self.text))

    def _range(self, node: Node) -> tuple[int, int]:
        return self.context.body.start(node), self.context.body.end(node)

    def _type(self, declaration: Node) -> str:
        return value_type(types.canonical(declaration.type), self.context.body.unit.is_cplusplus)

    def _place(self, piece: Piece, is_end: bool) -> None:
        """Put the loop over the parts around a piece, or around the body of an inner loop."""
        body, code = self.context.body, self._for_each_part(piece, is_end)
        if piece.loop is None:
            first, last = piece.statements[0], piece.statements[-1]
            place_in_lines(body, body.start(first), statement_end(body.file, last), code)
        else:
            inner = piece.loop.body
            place_in_lines(body, body.start(inner), statement_end(body.file, inner), (Block("", code),))

    def _for_each_part(self, piece: Piece, is_end: bool) -> Code:
        known = [(v, n) for v, n in self.rules.kept.items() if v not in piece.declared and piece.names(v)]
        made = [v for v in piece.declared if v in self.rules.kept]
        elements = [element for element in self.rules.elements if piece.names(element.variable)]
        inside: Code = (
            *((self._beyond,) if is_end else ()),
            *(self._index() if elements or piece.names(self.loops[0].index) else ()),
            *(Bind(f"{self._type(n)} &{v.name}", v.name, f"{_array_of(v.name)}{PART}") for v, n in known),
            *(Bind(f"{e.type} &{e.local}", e.local, _chosen(e)) for e in elements),
            UserSlot(),
            *(Assign(f"{_array_of(v.name)}{PART}", v.name) for v in made),
        )
        return (UNROLL, Block(_PARTS, inside))


def _array(kind: str, name: str) -> DeclareAll:
    return DeclareAll(kind, (Declare(f"{_array_of(name)}[__rex_parts.count]", _array_of(name)),))


def _array_of(name: str) -> str:
    return related("parts_of", name)


def _chosen(element: KeptElement) -> str:
    """Return what an element is for a part: its local, for one iteration alone the element itself."""
    return f"rex_part_element(__rex_parts, {_array_of(element.local)}{PART}, {element.place})"
