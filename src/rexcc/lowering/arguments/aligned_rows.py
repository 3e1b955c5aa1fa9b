"""Arrays of numbers of which a thread visits several side by side, at places that are aligned if the array is.

In: a kernel's code, and what is known of its memory. Out: for each pointer that leads to such an array the multiple
that the kernel asks for (:mod:`.aligned_pointers`). Here the device compiler joins four loads to one where it knows
that ``in`` begins at a multiple of 16 bytes, for ``16 * i`` elements of four bytes are one::

    for (int k = 0; k < 16; k++) h = step(h, in[16 * i + k]);

and here pairs, at a multiple of 8::

    float re = z[2 * i], im = z[2 * i + 1];

An address is a sum: of literals, of indices of inner loops that count between constants, which make a run of elements,
and of the rest, which has a power of two as a factor. Accesses with the same rest are one row. A piece of 16 or 8 bytes
that begins at its multiple in the row, and whose elements are all visited, is what one instruction takes. A row at one
place for all, without a rest, is loaded once by each thread, which is not worth a kernel with its code twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.loop_reader import canonical_loop
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import VALUE_CASTS, Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.cleanups.neighbour_addresses import factor
from rexcc.lowering.cleanups.neighbour_groups import MOST_ITERATIONS, MOST_NODES, SIZES
from rexcc.lowering.cleanups.pure_values import Meaning, meaning_of
from rexcc.lowering.cleanups.syntax import is_evaluated, is_plain_scalar
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass, field

_PIECES = (16, 8)
_MOST_ELEMENTS = 64
"""Elements of a row that are looked at."""

_MOST_PARTS = 64
"""Parts of an address that are looked at: each local stands for what it is declared with, wherever it is named."""


def asked_rows(context: CleanupContext) -> dict[Variable, int]:
    """Return the pointers to arrays in which a thread visits rows, with the bytes that their address is asked for."""
    rows = _Rows(context)
    found: dict[Variable, int] = {}
    for row in rows.all():
        found[row.array] = max(found.get(row.array, 0), row.piece)
    return {array: piece for array, piece in found.items() if piece}


@dataclass(eq=False)
class _Row:
    """The elements of a row by their distance in bytes from an address that is a multiple of ``factor`` bytes."""

    array: Variable
    size: int
    factor: int
    places: set[int] = field(default_factory=set)

    @property
    def piece(self) -> int:
        """The bytes of the largest piece that is visited as a whole, 0 for none."""
        return next((piece for piece in _PIECES if self.size < piece <= self.factor and self._has(piece)), 0)

    def _has(self, piece: int) -> bool:
        starts = {place - place % piece for place in self.places}
        return any(self.places.issuperset(range(start, start + piece, self.size)) for start in starts)


@dataclass(eq=False)
class _Address:
    """An address as a sum in bytes: a pointer, a constant, the run of an inner loop, and what is left."""

    array: Variable
    parts: int = 0
    constant: int = 0
    factor: int = _PIECES[0]
    rest: set[Meaning] = field(default_factory=set)
    runs: list[tuple[Variable, int]] = field(default_factory=list)


class _Rows:
    def __init__(self, context: CleanupContext) -> None:
        self.context = context
        self.provenance = context.memory.provenance
        self.runs = dict(self._runs())

    def all(self) -> Iterator[_Row]:
        """Yield the rows of the region."""
        found: dict[tuple[object, ...], _Row] = {}
        for node in self.context.kernel.region.body.walk():
            if node.kind != "ARRAY_SUBSCRIPT_EXPR" or not is_plain_scalar(node.type) or not is_evaluated(node):
                continue
            address, size = self._address(node), int(types.canonical(node.type).get_size())
            if (
                address is None
                or not address.rest
                or len(address.runs) > 1
                or self._is_joined_already(node, address, size)
            ):
                continue
            row = found.setdefault(
                (address.array, size, frozenset(address.rest)), _Row(address.array, size, address.factor)
            )
            row.places.update(self._places(address))
        yield from found.values()

    def _runs(self) -> Iterator[tuple[Variable, range]]:
        """Yield the indices of inner loops that are short enough to be unrolled, with their values."""
        for statement in self.context.inner_loops():
            try:
                loop = canonical_loop(self.context.kernel.region.unit, statement)
            except CompileError:
                continue
            first, last = loop.lower_value, evaluate_integer(loop.bound.cursor)
            if first is None or last is None or loop.step.value != 1 or not loop.increasing or not loop.is_integer:
                continue
            values = range(first, last + ("=" in statement.children[1].bare().operator))
            nodes = sum(1 for _ in loop.body.walk())
            if 1 < len(values) <= MOST_ITERATIONS and len(values) * nodes <= MOST_NODES:
                yield loop.index, values

    def _is_joined_already(self, node: Node, address: _Address, size: int) -> bool:
        """Whether a row is one that :mod:`rexcc.lowering.cleanups.neighbours` takes, with a test of its own."""
        return any(size * len(self.runs[index]) in SIZES for index, _ in address.runs) or self.context.is_in_local(node)

    def _places(self, address: _Address) -> Iterator[int]:
        """Yield the distances in bytes of the elements that an access visits."""
        if not address.runs:
            yield address.constant
            return
        ((index, scale),) = address.runs
        yield from (address.constant + value * scale for value in self.runs[index][:_MOST_ELEMENTS])

    def _address(self, element: Node) -> _Address | None:
        """Return the address of an element behind a pointer that the region gets, None for others."""
        pointer, parts = element, list[tuple[Node, int]]()
        for _ in range(_MOST_PARTS):
            bare = pointer.bare()
            if bare.kind == "ARRAY_SUBSCRIPT_EXPR":
                parts.append((bare.children[1], int(types.canonical(bare.type).get_size())))
                pointer = bare.children[0]
            elif bare.kind == "BINARY_OPERATOR" and bare.operator == "+" and types.is_pointer(bare.type):
                pointer, distance = (
                    bare.children if types.is_pointer(bare.children[0].bare().type) else bare.children[::-1]
                )
                parts.append((distance, int(types.canonical(types.pointee_of(bare.type)).get_size())))
            elif bare.kind == "UNARY_OPERATOR" and bare.operator == "&":
                pointer = bare.children[0]
            elif (value := self._value_of(bare)) is not None and types.is_pointer(bare.type):
                pointer = value
            else:
                break
        else:
            return None
        array = named_variable(bare)
        if array is None or array in self.provenance.declared or not types.is_pointer(types.canonical(array.type)):
            return None
        address = _Address(array)
        return address if all(self._add(address, part, scale) for part, scale in parts) else None

    def _add(self, address: _Address, number: Node, scale: int) -> bool:
        """Add what a number in an address stands for; False where it is no pure value, or has too many parts."""
        address.parts += 1
        if address.parts > _MOST_PARTS:
            return False
        bare = number.bare()
        value = evaluate_integer(bare.cursor)
        if value is not None:
            address.constant += value * scale
            return True
        if bare.kind in VALUE_CASTS:
            return self._add(address, bare.children[-1], scale)
        if bare.kind == "BINARY_OPERATOR" and bare.operator in ("+", "-"):
            left, right = bare.children
            return self._add(address, left, scale) and self._add(
                address, right, scale if bare.operator == "+" else -scale
            )
        variable = named_variable(bare)
        if variable is not None and variable in self.runs:
            address.runs.append((variable, scale))
            return True
        if (local := self._value_of(bare)) is not None:
            return self._add(address, local, scale)
        meaning = meaning_of(self.context.body, bare)
        address.factor = min(address.factor, factor(self.context, bare) * (scale & -scale))
        address.rest.add((meaning, scale))
        return meaning is not None

    def _value_of(self, name: Node) -> Node | None:
        """Return what a local is declared with that never changes."""
        variable = named_variable(name)
        if variable is None or variable in self.runs or not self.provenance.is_constant(variable):
            return None
        declaration = self.provenance.declared.get(variable)
        return initialiser(declaration) if declaration is not None and not types.is_reference(variable.type) else None
