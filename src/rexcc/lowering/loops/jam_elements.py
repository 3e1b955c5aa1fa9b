"""Elements of arrays that inner loops add to, where several iterations execute these together (``jam``).

In: an iteration in pieces. Out: the elements, each of which a tile keeps in a local while its inner loops run, or why
one stays in memory. ``c[i][j] += a[i][k] * b[k][j]`` in a loop over ``k`` stores in each step; with several iterations
side by side each of them needs its element in a register. An element is taken when all of this holds:

* every use of the array in the region is this element, spelled the same, with subscripts of collapsed indices and
  values of the launch; none has its address taken, and it is mapped memory and no ``volatile``;
* it is used in every iteration, or in every step of an inner loop: then it is loaded and stored where that has a step;
* nothing else in the iteration writes it, and nothing else reads it, by one of two proofs.

The first proof is that of the other clean-ups: the memories are apart (``cleanups/alias``). The second one is for loads
in inner loops that are the same for all values of a collapsed index (``jam_rules`` lets no others through). Were such a
load one of the element, another iteration would load it, too, while this one writes it, a race; so it is none where
that loop has two iterations. The kernel asks for that (``are_raced``): if not, iterations are done one by one, with the
element in memory as it is written.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import UsedVariable, is_written
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, union
from rexcc.lowering.cleanups.syntax import (
    is_evaluated,
    is_exact,
    is_free,
    is_load,
    is_unconditional,
    subscript_around,
    value_type,
)
from rexcc.lowering.loops.light_parts import ELEMENTS
from rexcc.lowering.loops.tile_rules import leads_to_element
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

_SUBSCRIPTS = frozenset({"BINARY_OPERATOR", "INTEGER_LITERAL", "PAREN_EXPR", "UNEXPOSED_EXPR"})
"""What a subscript consists of besides names: it is evaluated in front of the inner loops and behind them."""


@dataclass(frozen=True, eq=False)
class KeptElement:
    """An element with its uses; ``loop`` has a step where it is used at all, None where each iteration uses it."""

    variable: Variable
    uses: tuple[Node, ...]
    place: str
    type: str
    loop: CanonicalLoop | None
    is_raced: bool

    @property
    def local(self) -> str:
        """The name that stands for it in a part."""
        return related("cached", self.variable.name)


def kept_elements(context: CleanupContext, loops: tuple[CanonicalLoop, ...]) -> tuple[KeptElement, ...] | Reason:
    """Return the elements that these inner loops write, or why one of them cannot live in a local."""
    found: list[KeptElement] = []
    for attribute in context.kernel.data.attributes:
        element = _Finder(context, loops).element(attribute.variable)
        if isinstance(element, Reason):
            return element
        found += [element] if element is not None else []
    return tuple(found)


class _Finder:
    """Looks at one array after the other."""

    def __init__(self, context: CleanupContext, loops: tuple[CanonicalLoop, ...]) -> None:
        self.context = context
        self.loops = loops
        self.indices = {loop.index for loop in context.kernel.region.loops}

    def element(self, variable: UsedVariable) -> KeptElement | Reason | None:
        """Return the only element of an array that the iteration uses, None where no inner loop writes the array."""
        accesses = [(use, self._access(use)) for use in variable.uses]
        written = [a for _, a in accesses if a is not None and is_written(a) and self._loop_of(a) is not None]
        if not written:
            return None
        other = next((use for use, access in accesses if access is None), None)
        if other is not None:
            return Reason(f"this is another use of '{variable.name}', of which an inner loop writes an element", other)
        uses = tuple(access for _, access in accesses if access is not None)
        loop = self._needed(uses)
        reason = loop if isinstance(loop, Reason) else self._refused(variable, uses)
        if isinstance(loop, Reason) or reason is not None:
            return reason
        raced = self._may_be_read(uses)
        if isinstance(raced, Reason):
            return raced
        body = self.context.body
        kind = value_type(uses[0].type, body.unit.is_cplusplus)
        return KeptElement(variable, uses, " ".join(body.original(uses[0]).split()), kind, loop, raced)

    def _access(self, use: Node) -> Node | None:
        """Return the element around a use of an array, where its subscripts are the same in the whole iteration."""
        access, around = None, subscript_around(use)
        while around is not None:
            if not self._is_of_nest(around.children[1]):
                return None
            access, around = around, subscript_around(around)
        return access

    def _is_of_nest(self, subscript: Node) -> bool:
        """Whether a subscript is made of indices of the nest, literals, and values that the region never changes."""
        provenance = self.context.memory.provenance
        for node in subscript.walk():
            if node.kind == "DECL_REF_EXPR":
                variable = named_variable(node)
                if variable is None or variable in self.indices:
                    continue
                is_own = provenance.place(node) == frozenset({OWN}) and provenance.is_constant(variable)
                if not is_own or variable in provenance.declared:
                    return False
            elif node.kind not in _SUBSCRIPTS or node.operator not in ("", "+", "-", "*"):
                return False
        return True

    def _loop_of(self, node: Node) -> CanonicalLoop | None:
        """Return the inner loop in whose body a node stands."""
        return next((one for one in self.loops if any(above is one.body for above in node.ancestors())), None)

    def _needed(self, uses: tuple[Node, ...]) -> CanonicalLoop | Reason | None:
        """Return the loop that must have a step for an element to be used, None where every iteration uses it."""
        context = self.context
        if any(is_unconditional(context, use, context.scope) for use in uses):
            return None
        inside = {id(loop): loop for use in uses if (loop := self._loop_of(use)) is not None}
        loop = next(iter(inside.values()))
        is_one = len(inside) == 1 and all(self._loop_of(use) is loop for use in uses)
        if is_one and any(is_unconditional(context, use, loop.body) for use in uses) and self._is_free(loop):
            return loop
        return Reason("this element may not be used in every iteration", uses[0])

    def _is_free(self, loop: CanonicalLoop) -> bool:
        body, parts = self.context.body, (loop.lower, loop.bound, loop.step_node)
        return all(is_free(body, body.start(part), body.end(part)) for part in parts if part is not None)

    def _refused(self, variable: Variable, uses: tuple[Node, ...]) -> Reason | None:
        """Return why the uses of an element cannot be those of a local."""
        context = self.context
        body, provenance = context.body, context.memory.provenance
        places = provenance.place(uses[0])
        if places is None or OWN in places or len(places) != 1 or not provenance.is_constant(variable):
            return Reason("it is not known where this is", uses[0])
        if types.kind_name(types.canonical(uses[0].type)) not in ELEMENTS - {"BOOL"} or types.is_volatile(uses[0].type):
            return Reason("what is stored here is no number", uses[0])
        for use in uses:
            start, end = body.start(use), body.end(use)
            is_plain = (is_load(use) or is_written(use)) and is_evaluated(use)
            if not is_plain or not is_exact(body, use) or not is_free(body, start, end) or context.is_in_local(use):
                return Reason("this does more than read or write a value, or a macro has a part in it", use)
        if len({"".join(body.original(use).split()) for use in uses}) > 1:
            return Reason(f"the iteration uses several elements of '{variable.name}'", uses[-1])
        names = {found.name for node in uses[0].walk() if (found := named_variable(node)) is not None}
        hidden = (n for v, n in provenance.declared.items() if v.name in names and v not in self.indices)
        hiding = next(hidden, None)
        return Reason("this hides a name in an element that an inner loop writes", hiding) if hiding else None

    def _may_be_read(self, uses: tuple[Node, ...]) -> bool | Reason:
        """Return whether only a race keeps loads of inner loops apart from an element, or what else may be it."""
        memory = self.context.memory
        places, own, is_raced = memory.provenance.place(uses[0]), set(_nodes_of(uses)), False
        for node in self.context.scope.walk():
            if node in own or types.is_array(node.type):
                continue
            effects = memory.of_node(node)
            if memory.all_apart(places, union(effects.written, effects.read)):
                continue
            is_load_inside = leads_to_element(node) and not is_written(node) and self._loop_of(node) is not None
            if not is_load_inside or not self._is_same_for_all(self._loop_of(node)):
                element = self.context.body.original(uses[0])
                return Reason(f"this may be '{element}', which an inner loop writes", node)
            is_raced = True
        return is_raced

    def _is_same_for_all(self, loop: CanonicalLoop | None) -> bool:
        """Whether all iterations execute a loop with the same steps."""
        parts = (loop.lower, loop.bound, loop.step_node) if loop is not None else ()
        named = (named_variable(node) for part in parts if part is not None for node in part.walk())
        return not any(variable in self.indices for variable in named)


def _nodes_of(uses: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the nodes that are an element's uses themselves: accesses, and what assigns to them."""
    for use in uses:
        yield use
        above = use.in_parentheses().parent
        if is_written(use) and above is not None:
            yield above
