"""Inner loops of several iterations as one: unroll and jam of a nest over the grid.

In: a nest that :mod:`.jam_rules` lets through. Out: its form, and edits of the pieces of an iteration. Before::

    float s = 0;
    for (int q = 0; q < n; q++) s += a[i * n + q] * b[q * n + j];
    c[i * n + j] = s;

after, with four neighbours in ``i`` and two in ``j``::

    const bool __rex_together = rex_jams<2>(…);
    rex_by_parts<2>(__rex_together, [&](const auto __rex_parts) {
      const long long __rex_columns = rex_pieces(__rex_trips_j, __rex_parts.columns);
      const long long __rex_tiles = rex_pieces(__rex_trips_i, __rex_parts.rows) * __rex_columns;
      for (long long __rex_iteration = …) {
        … __rex_tile_row, __rex_tile_column from __rex_iteration …
        float __rex_parts_of_s[__rex_parts.count];
        for (int __rex_part = 0; __rex_part < __rex_parts.count; __rex_part++) {
          float s = 0;
          __rex_parts_of_s[__rex_part] = s;
        }
        for (int q = 0; q < n; q++) {
          for (int __rex_part = 0; …) {
            const long long __rex_i = rex_part(__rex_tile_row, __rex_part / __rex_parts.columns, __rex_trips_i);
            const long long __rex_j = rex_part(__rex_tile_column, __rex_part % __rex_parts.columns, __rex_trips_j);
            int i = (int)__rex_i;
            int j = (int)__rex_j;
            float &s = __rex_parts_of_s[__rex_part];
            s += a[i * n + q] * b[q * n + j];
          }
        }
        for (int __rex_part = 0; …) {
          if (… >= __rex_trips_i) continue;
          if (… >= __rex_trips_j) continue;
          … i, j, s …
          c[i * n + j] = s;
        }
      }
    });

The number of parts is a type, so the user's text stands once and is compiled for a tile and for single iterations. A
part that a loop has not does the first one's iteration once more, up to where it would store. An element
that an inner loop writes (:mod:`.jam_elements`) has an array, too, which is loaded in front of the pieces and stored
behind them; in them it is ``float &__rex_cached_c = rex_part_element(__rex_parts, …, c[i * n + j]);``.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end, statement_range, statement_start
from rexcc.kernel.ir import (
    CONTINUE,
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
from rexcc.lowering.loops.numbered_loops import iteration_count, nest_counts, positions_of
from rexcc.lowering.loops.tile_forms import PART
from rexcc.lowering.loops.tiles import TILE
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.text.placing import place_in_lines
from rexcc.lowering.text.team import grid
from rexcc.source.own_names import own_name, related
from rexcc.source.records import dataclass

REGISTERS = 128
"""Of a thread: left alone, ptxas keeps to those with which a multiprocessor has all the threads it can."""

_ROW, _COLUMN = "__rex_part / __rex_parts.columns", "__rex_part % __rex_parts.columns"
_PARTS = For("int __rex_part", "__rex_part", "0", "<", "__rex_parts.count", "++")


def jam(context: CleanupContext, numbered: bool, threads_meet: bool, text: Text) -> Jammed | Reason | None:
    """Return the form of a nest, with its iteration edited, or why it has none; None where it has no inner loops."""
    rules = jam_rules(context, numbered, threads_meet)
    return _Form(context, rules, text).lowered() if isinstance(rules, Jam) else rules


@dataclass(frozen=True)
class Jammed:
    """The loop, and how many iterations a thread takes together."""

    loop: LoweredLoop
    count: int


class _Form:
    """The form of one nest."""

    def __init__(self, context: CleanupContext, rules: Jam, text: Text) -> None:
        self.context = context
        self.rules = rules
        self.text = text
        self.loops = context.kernel.region.loops
        self.trips, self.extent = (related("trips", self.loops[at].name) for at in (0, -1))
        several = rules.columns > 1
        self.column = "__rex_tile_column" if several else own_name(self.loops[-1].name)
        self.inside = (self.loops[0], self.loops[-1]) if several else self.loops[:1]
        self.outside = tuple(loop for loop in self.loops if loop not in self.inside)

    def lowered(self) -> Jammed:
        """Return the loop over the grid, with the pieces of the user's statement in loops over parts."""
        last = max(at for at, piece in enumerate(self.rules.pieces) if piece.loop is not None)
        for at, piece in enumerate(self.rules.pieces):
            self._place(piece, at > last)
        for element in self.rules.elements:
            for use in element.uses:
                self.context.body.edits.replace(*self._range(use), element.local)
        share = Share.of(grid(self.context.kernel.region.unit.target.words))
        counts, product = nest_counts(self.loops, self.text)
        *others, row = [related("trips", loop.name) for loop in reversed(self.loops)][1:]
        tiles = [f"rex_pieces({row}, __rex_parts.rows)", *others, "__rex_columns"]
        arrays = [_array(self._type(node), variable.name) for variable, node in self.rules.kept.items()]
        arrays += [_array(element.type, element.local) for element in self.rules.elements]
        each: Code = (
            *self._numbers(),
            *positions_of(self.outside, self.loops, "", self.text),
            *arrays,
            *self._moves(is_load=True),
            UserSlot(),
            *self._moves(is_load=False),
        )
        body: Code = (
            constant("__rex_columns", f"rex_pieces({self.extent}, __rex_parts.columns)"),
            constant("__rex_tiles", " * ".join(tiles)),
            ONE_BY_ONE,
            Block(counting("__rex_iteration", share.number, "__rex_tiles", f"+= {share.count}"), each),
        )
        before = (self._comment(), *share.before, *counts, constant("__rex_trips", product), *self._asked(share))
        header = f"rex_by_parts<{self.rules.columns}>(__rex_together, [&](const auto __rex_parts)"
        lowered = LoweredLoop(before, (header,), body, behind=");")
        return Jammed(lowered, TILE * self.rules.columns)

    def _comment(self) -> Do:
        columns = f" and two in '{self.loops[-1].name}'" if self.rules.columns > 1 else ""
        told = f"REX_TILE neighbours in '{self.loops[0].name}'{columns}, whose inner loops it executes together"
        return Do(f"/* A thread takes a tile: {told}. */")

    def _asked(self, share: Share) -> Code:
        """Return the code that asks whether threads take tiles, or iterations one by one."""
        inner = " * ".join(related("trips", loop.name) for loop in self.loops[1:])
        asked = f"rex_jams<{self.rules.columns}>(__rex_trips, {inner}, {share.count})"
        raced = f"{self.trips} > 1 && {self.extent} > 1"
        first: Code = (Declare("const bool __rex_raced", "__rex_raced", raced),) if self.rules.are_raced else ()
        together = f"{asked} && __rex_raced" if self.rules.are_raced else asked
        return (*first, Declare("const bool __rex_together", "__rex_together", together))

    def _numbers(self) -> Code:
        """Return the code that takes ``__rex_iteration`` apart: a tile's place in each loop."""
        *others, innermost = self.loops[1:]
        rest = related("above", innermost.name)
        found = _divided("__rex_iteration", "__rex_columns", rest, self.column)
        for loop in reversed(others):
            above = related("above", loop.name)
            found += _divided(rest, related("trips", loop.name), above, own_name(loop.name))
            rest = above
        columns = (Do("__rex_tile_column *= __rex_parts.columns;"),) if self.rules.columns > 1 else ()
        return (*found, *columns, constant("__rex_tile_row", f"{rest} * __rex_parts.rows"))

    def _moves(self, is_load: bool) -> Code:
        """Return the loop that gives the parts' locals the elements that they stand for, or stores these.

        One iteration alone has them in memory; a part that a loop has not stores none.
        """
        moves: list[Stmt] = []
        for element in self.rules.elements:
            local = f"{_array_of(element.local)}{PART}"
            move: Stmt = Assign(local, element.place) if is_load else Assign(element.place, local)
            loop = element.loop
            moves.append(If(f"{iteration_count(loop, self.context.body.original)} > 0", (move,)) if loop else move)
        if not moves:
            return ()
        beyond: Code = () if is_load else self._beyond
        parts = Block(_PARTS, (*beyond, *self._index(), *moves))
        return (Block("if (__rex_parts.count > 1)", (UNROLL, parts)),)

    @property
    def _beyond(self) -> Code:
        """The end of a part that one of the loops has not."""
        row = If(f"__rex_tile_row + {_ROW} >= {self.trips}", (CONTINUE,))
        if self.rules.columns == 1:
            return (row,)
        return (row, If(f"__rex_tile_column + {_COLUMN} >= {self.extent}", (CONTINUE,)))

    def _index(self) -> Code:
        """Return the declarations of a part's positions and indices."""
        first, last = own_name(self.loops[0].name), own_name(self.loops[-1].name)
        found = [constant(first, f"rex_part(__rex_tile_row, {_ROW}, {self.trips})")]
        if self.rules.columns > 1:
            found.append(constant(last, f"rex_part(__rex_tile_column, {_COLUMN}, {self.extent})"))
        return (*found, *positions_of(self.inside, self.loops, first, self.text))

    def _range(self, node: Node) -> tuple[int, int]:
        return self.context.body.start(node), self.context.body.end(node)

    def _type(self, declaration: Node) -> str:
        return value_type(types.canonical(declaration.type), self.context.body.unit.is_cplusplus)

    def _place(self, piece: Piece, is_end: bool) -> None:
        """Put the loop over the parts around a piece, or around the body of an inner loop."""
        body, code = self.context.body, self._for_each_part(piece, is_end)
        if piece.loop is None:
            first, last = piece.statements[0], piece.statements[-1]
            place_in_lines(body, statement_start(body.file, first), statement_end(body.file, last), code)
        else:
            inner = piece.loop.body
            place_in_lines(body, *statement_range(body.file, inner), (Block("", code),))

    def _for_each_part(self, piece: Piece, is_end: bool) -> Code:
        known = [(v, n) for v, n in self.rules.kept.items() if v not in piece.declared and piece.names(v)]
        made = [v for v in piece.declared if v in self.rules.kept]
        elements = [element for element in self.rules.elements if piece.names(element.variable)]
        inside: Code = (
            *(self._beyond if is_end else ()),
            *(self._index() if elements or any(piece.names(loop.index) for loop in self.inside) else ()),
            *(Bind(f"{self._type(n)} &{v.name}", v.name, f"{_array_of(v.name)}{PART}") for v, n in known),
            *(Bind(f"{e.type} &{e.local}", e.local, _chosen(e)) for e in elements),
            UserSlot(),
            *(Assign(f"{_array_of(v.name)}{PART}", v.name) for v in made),
        )
        return (UNROLL, Block(_PARTS, inside))


def _divided(number: str, extent: str, quotient: str, remainder: str) -> Code:
    declared = DeclareAll("long long", (Declare(quotient, quotient), Declare(remainder, remainder)))
    return (declared, Do(f"rex_divmod({number}, {extent}, &{quotient}, &{remainder});"))


def _array(kind: str, name: str) -> DeclareAll:
    return DeclareAll(kind, (Declare(f"{_array_of(name)}[__rex_parts.count]", _array_of(name)),))


def _array_of(name: str) -> str:
    return related("parts_of", name)


def _chosen(element: KeptElement) -> str:
    """Return what an element is for a part: its local, for one iteration alone the element itself."""
    return f"rex_part_element(__rex_parts, {_array_of(element.local)}{PART}, {element.place})"
