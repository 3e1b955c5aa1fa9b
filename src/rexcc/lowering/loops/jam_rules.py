"""Which nests over the grid have iterations whose inner loops a thread executes together (the form is in ``jam``).

In: a kernel whose body has been cleaned up. Out: the pieces of an iteration, or why its inner loops stay alone; None
where there are none. Each step of an inner loop is taken for four neighbours in the outermost loop, and for two in the
innermost one, so that what they load in common is loaded once (docs/decisions/076-inner-loops-together.md).

It cannot be noticed. Iterations of a worksharing loop have no order among each other, and none reads what another one
writes (``tile_rules``). Inside an iteration all statements keep their order: an inner loop's header is the same for all
four, so one loop makes the same steps that four would have made. No iteration leaves anything to the next one but what
it stores: all that it assigns to is its own, or memory that is no thread's own. Elements that inner loops write live in
locals meanwhile (``jam_elements``).

Whether it pays says ``jam_gains``; many sums would need more registers than the shared loads are worth.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_range
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, initialiser
from rexcc.lowering.loops.jam_elements import KeptElement, kept_elements
from rexcc.lowering.loops.jam_gains import SharedLoads, slow_step
from rexcc.lowering.loops.light_parts import ASSIGNMENTS, ELEMENTS
from rexcc.lowering.loops.tile_rules import (
    heavy_part,
    heavy_statement,
    is_store,
    refused_by_form,
    statements_of,
)
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass

MOST_SUMS, BYTES_OF_EIGHT = 2, 8
"""Variables of the iteration that an inner loop changes, at most; bytes of such variables up to which a thread takes
eight iterations, else it takes four: each of them needs registers."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Statements of an iteration that stand in a row, or an inner loop."""

    statements: tuple[Node, ...]
    loop: CanonicalLoop | None = None

    @property
    def declared(self) -> dict[Variable, Node]:
        """The variables that the statements declare for the rest of the iteration."""
        made = (n for s in self.statements if self.loop is None and s.kind == "DECL_STMT" for n in s.children)
        return {Variable(n.cursor): n for n in made if n.kind == "VAR_DECL"}

    def names(self, variable: Variable) -> bool:
        """Whether the statements name a variable."""
        return any(named_variable(n) == variable for s in self.statements for n in s.walk())


@dataclass(frozen=True, eq=False)
class Jam:
    """An iteration in pieces, with the variables that live from one into another, and the elements that inner loops
    write."""

    pieces: tuple[Piece, ...]
    kept: dict[Variable, Node]
    elements: tuple[KeptElement, ...]
    columns: int

    @property
    def are_raced(self) -> bool:
        """Whether elements are apart from loads only where the outermost and the innermost loop have two iterations."""
        return any(element.is_raced for element in self.elements)


def jam_rules(context: CleanupContext, numbered: bool, threads_meet: bool) -> Jam | Reason | None:
    """Return the pieces of an iteration whose inner loops several iterations execute together, or why they do not."""
    kernel, scope = context.kernel, context.scope
    if len(kernel.region.loops) < 2 or kernel.packs or scope.kind != "COMPOUND_STMT" or context.jumps:
        return None
    if context.opening or context.stored or refused_by_form(context, numbered, threads_meet):
        return None
    statements = statements_of(scope)
    if not any(s.kind == "FOR_STMT" for s in statements):
        return None
    if context.turns or context.walks:
        return Reason("the inner loop loads elements of several iterations before the first")
    if context.before or context.guarded:
        return Reason("of what stands in front of the inner loop")
    if not _stand_apart(context, statements):
        return Reason("a macro hides where a statement ends")
    pieces = _pieces(context, statements)
    if isinstance(pieces, Reason):
        return pieces
    elements = kept_elements(context, tuple(piece.loop for piece in pieces if piece.loop is not None))
    return elements if isinstance(elements, Reason) else _Rules(context, pieces, elements).decide()


def _stand_apart(context: CleanupContext, statements: list[Node]) -> bool:
    """Whether each statement has a place of its own in the user's text."""
    body, last = context.body, 0
    for statement in statements:
        start, end = statement_range(body.file, statement)
        is_whole = last <= start < end and body.text[end - 1] in ";}"
        if not is_whole or statement.file != body.file.scan.source.path:
            return False
        last = end
    return True


def _pieces(context: CleanupContext, statements: list[Node]) -> tuple[Piece, ...] | Reason:
    found: list[Piece] = []
    row: list[Node] = []
    for statement in statements:
        if statement.kind != "FOR_STMT":
            row.append(statement)
            continue
        try:
            loop = canonical_loop(context.kernel.region.unit, statement)
        except CompileError:
            return Reason("the inner loop has another form than OpenMP's loops", statement)
        found += [Piece(tuple(row))] if row else []
        found.append(Piece((statement,), loop))
        row = []
    return (*found, Piece(tuple(row))) if row else tuple(found)


class _Rules:
    """The rules for an iteration in pieces."""

    def __init__(self, context: CleanupContext, pieces: tuple[Piece, ...], elements: tuple[KeptElement, ...]) -> None:
        self.context = context
        self.pieces = pieces
        self.elements = elements
        self.places = {use for element in elements for use in element.uses}
        self.outer, self.inner = (context.kernel.region.loops[at].index for at in (0, -1))
        self.indices = {loop.name for loop in context.kernel.region.loops}
        self.counted = {loop.index for loop in context.kernel.region.loops}
        self.counted |= {piece.loop.index for piece in pieces if piece.loop is not None}
        self.own = {v: n for piece in pieces for v, n in piece.declared.items()}
        provenance = context.memory.provenance
        fixed = {v: n for v, n in provenance.declared.items() if provenance.is_constant(v)}
        self.loads = SharedLoads(context, self.outer, self.inner, fixed, self.counted, self.places)

    def decide(self) -> Jam | Reason:
        """Return the pieces, or the first precondition that fails."""
        last = max(at for at, piece in enumerate(self.pieces) if piece.loop is not None)
        for at, piece in enumerate(self.pieces):
            reason = self._row(piece, at > last) if piece.loop is None else self._loop(piece.loop)
            if reason is not None:
                return reason
        used = {v: n for v, n in self.own.items() if self._lives_on(v)}
        kept = next((r for r in map(self._refused, used.items()) if r is not None), None)
        return kept or Jam(self.pieces, used, self.elements, self._columns())

    def _columns(self) -> int:
        """Return how many neighbours in the innermost loop a thread takes: two, where no inner loop is another one for
        them, and where there are registers."""
        loops = [piece.loop for piece in self.pieces if piece.loop is not None]
        is_same = not any(named_variable(n) == self.inner for loop in loops for n in _bounds(loop))
        sizes = (sum(types.canonical(n.type).get_size() for n in self._changed(loop).values()) for loop in loops)
        return 2 if is_same and max(sizes) <= BYTES_OF_EIGHT else 1

    def _lives_on(self, variable: Variable) -> bool:
        return any(piece.names(variable) and variable not in piece.declared for piece in self.pieces)

    def _refused(self, found: tuple[Variable, Node]) -> Reason | None:
        """Return why a variable cannot be an element of an array of them."""
        variable, declaration = found
        if types.is_reference(variable.type):
            return Reason("this is a reference", declaration)
        kind = types.canonical(declaration.type)
        element = types.canonical(kind.get_pointee()) if types.is_pointer(kind) else kind
        if types.kind_name(element) not in ELEMENTS - {"BOOL"} or kind.is_restrict_qualified():
            return Reason("this variable is no number, and no pointer to numbers", declaration)
        if self.context.memory.provenance.changes(variable).exposed or variable.name in self.indices:
            return Reason("the address of this variable is taken, or it hides an index", declaration)
        if initialiser(declaration) is None and not self._is_given_value(variable):
            return Reason("this variable may have no value in front of the inner loop", declaration)
        return None

    def _is_given_value(self, variable: Variable) -> bool:
        """Whether the statements that declare a variable, or those in a row with it, assign to it."""
        row = next(piece.statements for piece in self.pieces if variable in piece.declared)
        tops = (statement.bare() for statement in row)
        return any(top.operator == "=" and named_variable(top.children[0]) == variable for top in tops)

    def _row(self, piece: Piece, is_end: bool) -> Reason | None:
        """Return what keeps statements from standing side by side with those of other iterations."""
        for statement in piece.statements:
            reason = heavy_statement(self.context, statement)
            if reason is None and not is_end and statement.bare().kind == "IF_STMT":
                reason = Reason("there is a condition in front of the inner loop", statement)
            if reason is None and not is_end and not self._is_kept(statement) and is_store(self.context, statement):
                reason = Reason("this is stored before the inner loop has ended", statement)
            reason = reason or self._assigned(statement)
            if reason is not None:
                return reason
        return None

    def _is_kept(self, statement: Node) -> bool:
        """Whether a statement assigns to an element that lives in a local."""
        top = statement.bare()
        return top.operator in ASSIGNMENTS and top.children[0].bare() in self.places

    def _assigned(self, statement: Node) -> Reason | None:
        """Return what is changed that is neither the iteration's own nor memory that all threads have."""
        for node in statement.walk():
            if node.operator not in ASSIGNMENTS:
                continue
            target = node.children[0]
            variable = named_variable(target.bare())
            if (variable is not None and self._is_own(variable)) or target.bare() in self.places:
                continue
            places = self.context.memory.provenance.place(target)
            if places is None or OWN in places:
                return Reason("an iteration may leave this to the next one", target)
        return None

    def _is_own(self, variable: Variable) -> bool:
        declared = self.context.memory.provenance.declared
        return variable in declared and variable not in self.counted and not types.is_reference(variable.type)

    def _loop(self, loop: CanonicalLoop) -> Reason | None:
        return self._header(loop) or self._body(loop) or self.loads.reason(loop)

    def _header(self, loop: CanonicalLoop) -> Reason | None:
        """Return what may make the loop another one for one of the iterations."""
        body = self.context.body
        own = frozenset({OWN})
        is_own = loop.declares or self.context.memory.provenance.boundary.storage(loop.index) == own
        if not loop.is_integer or not is_own or not body.text.startswith("for", body.start(loop.statement)):
            return Reason("the inner loop's index is not its own number", loop.statement)
        if loop.name in self.indices or any(v.name == loop.name for v in self.own):
            return Reason("the inner loop's index hides another variable", loop.statement)
        for part in (loop.lower, loop.bound, *([loop.step_node] if loop.step_node is not None else [])):
            if (reason := heavy_part(self.context, part)) is not None:
                return reason
        for node in _bounds(loop):
            variable = named_variable(node)
            if variable == self.outer or (variable is not None and variable in self.own):
                return Reason("this is not the same for neighbours in the outermost loop", node)
        return None

    def _body(self, loop: CanonicalLoop) -> Reason | None:
        """Return what an inner loop does beyond changing a few numbers of the iteration."""
        statements = statements_of(loop.body)
        inside = [n for s in statements for n in s.walk() if n.kind == "VAR_DECL"]
        for statement in statements:
            if (reason := heavy_statement(self.context, statement) or slow_step(statement)) is not None:
                return reason
            target = statement.bare().children[0].bare() if statement.bare().operator in ASSIGNMENTS else None
            if target is None:
                continue
            variable = named_variable(target)
            if target not in self.places and (variable is None or not self._is_own(variable)):
                return Reason("this is no variable of the iteration", statement)
        taken = self.indices | {v.name for v in self.own}
        if hidden := [n for n in inside if n.spelling in taken]:
            return Reason("this hides a variable of the iteration", hidden[0])
        is_much = len(self._changed(loop)) > MOST_SUMS
        return Reason(f"it has more than {MOST_SUMS} sums", loop.statement) if is_much else None

    def _changed(self, loop: CanonicalLoop) -> dict[str, Node]:
        """Return the variables of the iteration and the elements that an inner loop changes, by their text."""
        tops = (statement.bare() for statement in statements_of(loop.body))
        targets = [top.children[0].bare() for top in tops if top.operator in ASSIGNMENTS]
        kept = [t for t in targets if t in self.places or named_variable(t) in self.own]
        return {"".join(self.context.body.original(target).split()): target for target in kept}


def _bounds(loop: CanonicalLoop) -> Iterator[Node]:
    """Yield the nodes of what says how often a loop's body runs."""
    for part in (loop.lower, loop.bound, loop.step_node):
        yield from part.walk() if part is not None else ()
