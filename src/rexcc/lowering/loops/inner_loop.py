"""What is known of an inner loop whose iterations several threads may execute.

In: a loop inside of an iteration, and the region's memory. Out: :class:`InnerLoop`, which tells what stays the same in
all iterations of the loop, whether two accesses are apart, or go to the same element, and whether the addresses of an
access lie between those at the ends of the loops (:mod:`.affine`), so that they can be compared when the kernel runs.
Where the access is not made at the ends, as under a condition, sums of its subscripts may overflow there: those are
computed with indices of 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_written
from rexcc.clang import types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import VALUE_CASTS, Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.syntax import is_unconditional
from rexcc.lowering.loops.accesses import Access, accesses_of, differ_in_type, outline_of
from rexcc.lowering.loops.affine import Slopes, offsets
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError

_LEAVING = frozenset({"BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT", "RETURN_STMT"})
WIDE_BYTES = 8
"""The bytes of a number in which no sum of subscripts overflows."""


class InnerLoop:
    """A loop with the accesses in its body; ``strict``: objects of different types are different objects.

    ``declared`` are the variables that the body declares, ``locals`` those of them that never change, ``nested`` the
    loops inside whose bounds are the same in all iterations.
    """

    def __init__(self, context: CleanupContext, loop: CanonicalLoop, strict: bool) -> None:
        self.context = context
        self.memory = context.memory
        self.loop = loop
        self.strict = strict
        self.inside = list(loop.body.walk())
        declared = (n for n in self.inside if n.kind == "VAR_DECL")
        self.declared = {Variable(n.cursor): n for n in declared}
        self.locals = {v: n for v, n in self.declared.items() if self.memory.provenance.is_constant(v)}
        self.nested = tuple(self._nested_loops())
        self.accesses = accesses_of(self.memory, loop.body)
        self.written = [a for a in self.accesses if is_written(a.node)]

    def is_fixed(self, node: Node) -> bool:
        """Whether an expression names nothing that changes in the inner loop."""
        return all(self._is_fixed_name(n) for n in _names(node))

    def _is_fixed_name(self, node: Node) -> bool:
        variable = named_variable(node)
        if variable is None:
            return True
        if variable == self.loop.index or variable in self.declared:
            return False
        changes = self.memory.provenance.changes(variable)
        return not changes.exposed and not any(w.is_inside(self.loop.statement) for w in changes.writes)

    def moving_subscript(self, access: Access) -> Node | None:
        """Return a subscript by which the access goes to another element in each iteration of the inner loop."""
        root = access.root
        if root is None or not all(self._is_same_each_time(n) for n in _names(root)):
            return None
        for subscript in access.subscripts:
            slope = Slopes(self.loop.index, self.locals).of(subscript)
            if slope is None or slope.value in (None, 0) or (slope.may_wrap and not slope.is_one):
                continue
            if all(self._is_fixed_or_index(n) for n in _names(subscript)):
                return subscript
        return None

    def _is_same_each_time(self, node: Node) -> bool:
        """Whether a name stands for one value in all iterations: of a local, what it is made of does."""
        declaration = self._declaration_of(node)
        if declaration is None:
            return self._is_fixed_name(node)
        calls = any(n.kind == "CALL_EXPR" for n in declaration.walk())
        is_same = not calls and self._is_stable(declaration)
        return is_same and all(self._is_same_each_time(n) for n in _names(declaration))

    def _declaration_of(self, node: Node) -> Node | None:
        variable = named_variable(node)
        return None if variable is None else self.locals.get(variable)

    def _is_fixed_or_index(self, node: Node) -> bool:
        """Whether a name in a subscript is the index, fixed, or a local made of such."""
        variable = named_variable(node)
        if variable is None or variable == self.loop.index:
            return True
        declaration = self.locals.get(variable)
        if declaration is not None:
            return self._is_stable(declaration) and all(self._is_fixed_or_index(n) for n in _names(declaration))
        return self._is_fixed_name(node)

    def is_same_element(self, write: Access, other: Access) -> bool:
        """Whether two accesses find, in each iteration, something inside of the same element."""
        first, second = self.moving_subscript(write), self.moving_subscript(other)
        if first is None or second is None or outline_of(first) != outline_of(second):
            return False
        roots = write.root, other.root
        if roots[0] is None or roots[1] is None or outline_of(roots[0]) != outline_of(roots[1]):
            return False
        return _position(write, first) == _position(other, second)

    def is_apart(self, write: Access, other: Access) -> bool:
        """Whether two accesses, of which the first writes, are known to go to different objects."""
        if self.memory.all_apart(write.place, other.place):
            return True
        return self.strict and differ_in_type(write, other)

    def has_range(self, access: Access) -> bool:
        """Whether the addresses of an access lie between those at the corners of the loops' indices."""
        if not _stands_alone(self.context, access.node) or is_bit_field(access.node.bare()):
            return False
        if any(n.kind == "CALL_EXPR" for n in access.node.walk()) or not self._can_precede(access.node):
            return False
        indices = [self.loop.index, *(loop.index for loop in loops_around(self.nested, access))]
        if not all(self._is_ranged(n, indices) for n in _names(access.node)):
            return False
        terms = list(offsets(access.node, self.locals))
        slopes = (Slopes(index, self.locals).of(one) for one in terms for index in indices)
        if not all(slope is not None and not slope.may_wrap for slope in slopes):
            return False
        return self.is_at_ends(access) or not self._is_cut(access.node, indices)

    def is_at_ends(self, access: Access) -> bool:
        """Whether an access is made at the ends of the loops, so that no sum by which it is found overflows there."""
        top, around = self.loop, loops_around(self.nested, access)
        if any(node.kind in _LEAVING for node in self.inside):
            return False
        for loop in around:
            if not top.step.is_one or not is_unconditional(self.context, loop.statement, top.body):
                return False
            top = loop
        return top.step.is_one and is_unconditional(self.context, access.node, top.body)

    def _is_cut(self, node: Node, indices: list[Variable]) -> bool:
        """Whether a cast makes a narrow number of an index, or of a local that is computed from one."""
        narrow = (n for n in node.walk() if n.kind in VALUE_CASTS and types.canonical(n.type).get_size() < WIDE_BYTES)
        if any(Slopes(index, self.locals).depends(cast) for cast in narrow for index in indices):
            return True
        declarations = (self._declaration_of(n) for n in _names(node))
        return any(self._is_cut(one, indices) for one in declarations if one is not None)

    def _is_ranged(self, node: Node, indices: list[Variable]) -> bool:
        variable = named_variable(node)
        if variable is None or variable in indices:
            return True
        declaration = self.locals.get(variable)
        if declaration is not None:
            known = self._is_stable(declaration) and self._can_precede(declaration)
            return known and all(self._is_ranged(n, indices) for n in _names(declaration))
        return self._is_fixed_name(node)

    def _can_precede(self, node: Node) -> bool:
        """Whether an address can be found in front of the loop: pointers are followed there only if they are anyway."""
        read = (a.node for a in accesses_of(self.memory, node) if a.node is not node and a.node.kind != "DECL_REF_EXPR")
        return next(read, None) is None or is_unconditional(self.context, node, self.loop.body)

    def _is_stable(self, declaration: Node) -> bool:
        """Whether what a local is computed from does not change in the loop."""
        read = accesses_of(self.memory, declaration)
        return all(self.is_apart(write, access) for write in self.written for access in read)

    def _nested_loops(self) -> Iterator[CanonicalLoop]:
        """Yield the loops inside of the inner loop whose bounds are the same in all of its iterations."""
        for node in self.inside:
            if node.kind != "FOR_STMT" or self.context.is_directive(node):
                continue
            try:
                loop = canonical_loop(self.context.kernel.region.unit, node)
            except CompileError:
                continue
            if loop.is_integer and self.is_fixed(loop.lower) and self.is_fixed(loop.bound):
                yield loop


class ComparedLoop(Protocol):
    """A loop of which some accesses have to lie apart when the kernel runs, as :class:`InnerLoop` describes it."""

    @property
    def loop(self) -> CanonicalLoop:
        """The loop."""

    @property
    def compared(self) -> tuple[tuple[Access, Access], ...]:
        """What the loop writes, with what it must not be."""

    @property
    def unsure(self) -> frozenset[Node]:
        """Those of these accesses that may not be made at the ends of the loop."""

    @property
    def nested(self) -> tuple[CanonicalLoop, ...]:
        """The loops inside of it whose bounds are fixed there."""

    @property
    def locals(self) -> dict[Variable, Node]:
        """The declarations inside of it of what never changes."""


def unsure_of(inner: InnerLoop, compared: Iterable[tuple[Access, Access]]) -> frozenset[Node]:
    """Return those of some accesses that may not be made at the ends of a loop."""
    return frozenset(one.node for pair in compared for one in pair if not inner.is_at_ends(one))


def loops_around(nested: tuple[CanonicalLoop, ...], access: Access) -> tuple[CanonicalLoop, ...]:
    """Return those of some loops inside of which an access stands."""
    return tuple(loop for loop in nested if access.node.is_inside(loop.body))


def _names(node: Node) -> Iterator[Node]:
    return (n for n in node.walk() if n.kind == "DECL_REF_EXPR")


def _position(access: Access, subscript: Node) -> int:
    """Return which subscript of an access one is, from the left."""
    found = list(access.subscripts)
    return len(found) - found.index(subscript)


def _stands_alone(context: CleanupContext, node: Node) -> bool:
    """Whether the text in an expression's range is that expression, and no more: it may be a macro's use."""
    body, unit = context.body, context.kernel.region.unit
    if node.file != body.file.scan.source.path or not unit.is_whole(node):
        return False
    here = (body.start(node), body.end(node))
    for above in node.ancestors():
        if (body.start(above), body.end(above)) != here:
            return True
        if above.kind not in ("PAREN_EXPR", "UNEXPOSED_EXPR"):
            return above.kind.endswith("_STMT")
    return True
