"""How a function uses its variables, in the order of the text: what suspicions rest on.

In: a function with constructs. Out: :class:`FunctionUses`: the uses of each variable, which clauses name it, and
questions about one use. Suspicions are warnings, so whatever is not certain counts as harmless.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.references import is_written
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.program.constructs import Construct, ConstructFunction, ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, field

_CONDITIONS = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR", "SWITCH_STMT"})


@dataclass(frozen=True, eq=False)
class FunctionUses:
    """A function, its constructs, and by variable its uses in the text and the clauses that name it."""

    unit: ParsedUnit
    function: ConstructFunction
    constructs: tuple[Construct, ...]
    uses: dict[Variable, list[Node]] = field(default_factory=dict)
    listed: dict[Variable, list[ResolvedItem]] = field(default_factory=dict)

    def of(self, variable: Variable) -> list[Node]:
        """Return the uses of a variable in statements, in the order of the text."""
        return self.uses.get(variable, [])

    def used_in(self, node: Node) -> list[Variable]:
        """Return the variables with uses in a statement, in the order of their first use in the function."""
        first = bisect_left(self._places, node.start, key=_place)
        last = bisect_left(self._places, node.end, first, key=_place)
        found = {variable for _, variable in self._places[first:last]}
        return [variable for variable in self.uses if variable in found]

    @cached_property
    def _places(self) -> list[tuple[int, Variable]]:
        """Where uses stand, in order, each with its variable."""
        return sorted(((use.start, v) for v, uses in self.uses.items() for use in uses), key=_place)

    def inside(self, variable: Variable, node: Node) -> list[Node]:
        """Return the uses of a variable in a statement."""
        ordered = self._by_place.get(variable, [])
        return ordered[bisect_left(ordered, node.start, key=_start) : bisect_left(ordered, node.end, key=_start)]

    @cached_property
    def _by_place(self) -> dict[Variable, list[Node]]:
        return {variable: sorted(uses, key=_start) for variable, uses in self.uses.items()}

    def names(self, variable: Variable, construct: Construct) -> list[ResolvedItem]:
        """Return the clauses of a construct that name a variable."""
        return self.named_by(construct).get(variable, [])

    def named_by(self, construct: Construct) -> dict[Variable, list[ResolvedItem]]:
        """Return what the clauses of a construct name, by variable."""
        return self._by_construct.get(id(construct), {})

    @cached_property
    def _by_construct(self) -> dict[int, dict[Variable, list[ResolvedItem]]]:
        found: dict[int, dict[Variable, list[ResolvedItem]]] = {}
        for variable, entries in self.listed.items():
            for entry in entries:
                found.setdefault(id(entry.construct), {}).setdefault(variable, []).append(entry)
        return found

    @cached_property
    def moved(self) -> dict[Variable, list[ResolvedItem]]:
        """Where data constructs and updates map or move variables, by variable."""
        return {variable: [e for e in entries if _is_move(e)] for variable, entries in self.listed.items()}


def _is_move(entry: ResolvedItem) -> bool:
    leaf = entry.construct.directive.leaves[0]
    return entry.clause.name in ("map", "to", "from") and leaf.startswith("target") and leaf != "target"


def _start(use: Node) -> int:
    return use.start


def _place(entry: tuple[int, Variable]) -> int:
    return entry[0]


def uses_of(unit: ParsedUnit, function: ConstructFunction) -> FunctionUses:
    """Return how a function uses its variables."""
    found = FunctionUses(unit, function, tuple(function.walk()))
    for construct in found.constructs:
        for item in construct.items_of(*construct.directive.clauses):
            for variable in item.names:
                if kind_of(variable.cursor) in VARIABLE_KINDS:
                    found.listed.setdefault(variable, []).append(item)
    probes = {id(c.node): c for c in found.constructs}
    stack = [function.node]
    while stack:
        node = stack.pop()
        probe = probes.get(id(node))
        if probe is not None:
            stack += [probe.body] if probe.body is not None else []
            continue
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is not None and kind_of(target) in VARIABLE_KINDS:
            found.uses.setdefault(Variable(target), []).append(node)
        stack.extend(reversed(node.children))
    return found


def is_index(construct: Construct, variable: Variable) -> bool:
    """Whether a variable counts a loop that belongs to a construct or to one inside of it."""
    return any(variable in c.environment.indices for c in construct.walk())


def is_assigned_only(use: Node) -> bool:
    """Whether a use gives the variable a value without reading it."""
    parent = use.in_parentheses().parent
    if parent is None or not is_written(use):
        return False
    return parent.spelling == "operator=" if parent.kind == "CALL_EXPR" else parent.operator == "="


def is_unclear(use: Node) -> bool:
    """Whether what happens to a variable cannot be seen: a pointer, lambda, ``asm`` or ``sizeof`` has it."""
    if is_exposed(use):
        return True
    return is_unevaluated(use) or any(a.kind == "LAMBDA_EXPR" or a.kind.endswith("ASM_STMT") for a in use.ancestors())


def element(use: Node) -> Node:
    """Return the element, target or member that an array, pointer or struct is used for, else the use itself."""
    found = node = use.in_parentheses()
    while node.parent is not None:
        parent = node.parent
        first = bool(parent.children) and parent.children[0] is node
        is_target = parent.is_dereference
        if (parent.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") and first) or is_target:
            found = parent
        elif parent.kind not in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
            break
        node = parent
    return found.in_parentheses()


def is_conditional(use: Node, within: Node) -> bool:
    """Whether a use stands under a condition inside a statement."""
    for above in use.ancestors():
        if above is within:
            return False
        if above.kind in _CONDITIONS or (above.kind == "BINARY_OPERATOR" and above.operator in ("&&", "||")):
            return True
    return False
