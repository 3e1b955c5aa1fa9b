"""Where the variables of a team live, and which of its statements every thread may execute.

In: the parts of a team's code and the variables that the kernel has by value. Out: :class:`TeamScope`. The threads of a
block walk through the code of the initial thread together. A statement whose effects stay in variables that each
thread can keep for itself is executed by all (redundantly); any other by one thread. A variable lives in ``__shared__``
memory when a parallel changes it, or when only one thread would know its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from clang.cindex import Cursor

from rexcc.analysis.references import variable_key
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.effects import ANYTHING, EffectReader, Effects, Functions
from rexcc.lowering.cleanups.memory import Memory, Places, Provenance, parts
from rexcc.lowering.generic.plan import Form, Part
from rexcc.lowering.generic.private_ranges import PrivateRanges
from rexcc.lowering.text.variable_uses import is_address_taken, is_looked_up, may_change
from rexcc.program.constructs import Construct
from rexcc.program.environment import Sharing
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass

_ONCE = frozenset({"atomic", "critical", "flush", "ordered", "task", "taskloop"})
_WHOLE = frozenset({Sharing.PRIVATE, Sharing.FIRSTPRIVATE, Sharing.LASTPRIVATE, Sharing.FIRST_AND_LAST})
Keys = frozenset[int] | None
"""Variables by key, -1 for what pointers point to; None for any memory."""


@dataclass(frozen=True)
class _Outside:
    """Everything a statement names is a variable of the team, or memory; ``copies`` are variables, by key, even where
    they are references outside."""

    copies: frozenset[int]

    def storage(self, variable: Cursor) -> Places:
        """Return the variable itself; what a reference names is memory."""
        key = variable_key(variable)
        return frozenset({Memory(key, types.is_reference(variable.type) and key not in self.copies, variable)})

    def target(self, pointer: Cursor) -> Places:
        """Return what the pointer points to."""
        return frozenset({Memory(variable_key(pointer), True, pointer)})


@dataclass(frozen=True)
class StatementEffects:
    """``assigned``: variables of the team it changes; ``once``: it has other effects; ``read``: keys of what it reads,
    None for any memory."""

    assigned: frozenset[int]
    once: bool
    read: frozenset[int] | None


class TeamScope:
    """Classification of a team's variables and statements; ``shared`` holds the keys of those in shared memory.

    ``by_value`` are the keys of variables from outside of which each thread has a copy when the kernel starts,
    ``large`` those of them that a team shall have once in any case, with a use.
    """

    def __init__(
        self, unit: ParsedUnit, top: Part, by_value: frozenset[int], large: Mapping[int, Node] | None = None
    ) -> None:
        self.unit = unit
        self.top = top
        self.by_value = by_value
        self.functions = Functions(unit.tree)
        self.declared = {variable_key(n.cursor): n for n in _declarations(top)}
        own = by_value | frozenset(self.declared) | frozenset(k for p in top.walk() for k in p.indices)
        self.copied = {k: n for p in top.walk() for k, n in _copied(p) if k not in own}
        self.team = own | frozenset(self.copied)
        self.large = large or {}
        self.shared: set[int] = set()
        self.exposed: set[int] = set()
        self.reasons: dict[int, Node] = {}
        self._known: dict[int, StatementEffects] = {}
        self._find_shared()

    def effects(self, node: Node) -> StatementEffects:
        """Return the effects of a statement or expression of the initial thread."""
        key = int(node.cursor.hash)
        if key not in self._known:
            self._known[key] = self._read(node)
        return self._known[key]

    def is_redundant(self, part: Part) -> bool:
        """Whether every thread may execute a leaf or a declaration's initialisers."""
        if any(_ONCE & set(c.directive.leaves) for top in part.constructs for c in (top, *top.descendants())):
            return False
        if part.form is Form.DECLARATION:
            return not any(self._runs_once(n) or variable_key(n.cursor) in self.shared for n in variables_of(part.node))
        found = self.effects(part.node)
        return not found.once and not found.assigned & self.shared

    def is_uniform(self, expression: Node) -> bool:
        """Whether every thread may evaluate an expression."""
        found = self.effects(expression)
        return not found.once and not found.assigned & self.shared

    def memory_read(self, node: Node) -> Keys:
        """Return what a statement reads that another thread may change: anything but a thread's own copies."""
        found = self.effects(node).read
        return None if found is None else found - (self.team - self.shared)

    def memory_changed(self, part: Part) -> Keys:
        """Return what a statement changes when one thread executes it; a variable with an address is any memory."""
        if part.form is Form.DECLARATION:
            changed = frozenset(variable_key(n.cursor) for n in variables_of(part.node)) & self.shared
            return None if any(self._runs_once(n) for n in variables_of(part.node)) else changed
        if part.constructs or self.effects(part.node).once:
            return None
        changed = self.effects(part.node).assigned
        return None if changed & self.exposed else changed

    def _runs_once(self, declaration: Node) -> bool:
        value = initial_value(declaration)
        return value is not None and value.kind != "LAMBDA_EXPR" and not self.is_uniform(value)

    def _read(self, node: Node) -> StatementEffects:
        found = EffectReader(Provenance(node, _Outside(self.by_value)), self.functions).effects(node)
        if found == ANYTHING or found.written is None:
            return StatementEffects(self._assignments(node), True, None)
        assigned = frozenset(m.key for m in found.written if not m.pointee and m.key in self.team)
        return StatementEffects(assigned, len(assigned) != len(found.written), _keys(found))

    def _assignments(self, node: Node) -> frozenset[int]:
        """Return the variables that a statement with unknown effects names and may change."""
        found: set[int] = set()
        for use in node.walk():
            if use.kind == "DECL_REF_EXPR" and use.referenced is not None and may_change(use):
                found.add(variable_key(use.referenced))
        return frozenset(found & self.team)

    def _find_shared(self) -> None:
        for key, node in self.copied.items():  # elsewhere the same name means memory, which one thread changes
            self._share({key}, node)
        for part in self.top.walk():
            if part.form is Form.PARALLEL and part.construct is not None:
                self._see_parallel(part.construct)
        for declaration in self.declared.values():
            value = initial_value(declaration)
            if value is not None and value.kind == "LAMBDA_EXPR":
                self._share(self._assignments(value), value)
        for key, declaration in self.declared.items():
            if types.is_variable_length(declaration.type):  # device code has none of a thread's own
                self._share({key}, declaration)
        for key, node in self.large.items():
            self._share({key}, node)
        for key, declaration in self.declared.items():  # whose constructors and destructor run once
            kind = types.without_reference(declaration.type)
            element = types.shape_of(kind).element if types.is_array(kind) else kind
            if types.is_record(element) and (self._runs_once(declaration) or not types.is_copied_as_bytes(element)):
                self._share({key}, declaration)
        self._see_exposed()
        grown = True
        while grown:
            before = len(self.shared)
            for part in self.top.walk():
                self._see_sequential(part)
            grown = len(self.shared) > before

    def _see_parallel(self, construct: Construct) -> None:
        """What a parallel may change is shared, and so are the arrays it looks at: a copy for each thread is dear."""
        private = PrivateRanges(construct)
        for use in construct.node.walk():
            variable = use.referenced if use.kind == "DECL_REF_EXPR" else None
            if variable is None or variable_key(variable) not in self.team or private.hides(use, variable):
                continue
            if may_change(use) or is_looked_up(use):
                self._share({variable_key(variable)}, use)
        for key, node in private.written_back.items():
            self._share({key}, node)

    def _see_exposed(self) -> None:
        """A variable whose address is taken may be changed through it, wherever that is."""
        for part in self.top.walk():
            if part.form is Form.PARALLEL:
                continue
            for use in _own_nodes(part):
                variable = use.referenced if use.kind == "DECL_REF_EXPR" else None
                if variable is not None and variable_key(variable) in self.team and is_address_taken(use):
                    self.exposed.add(variable_key(variable))
                    self._share({variable_key(variable)}, use)

    def _see_sequential(self, part: Part) -> None:
        """What one thread assigns alone, the others can only see in shared memory."""
        if part.form is Form.LEAF and not self.is_redundant(part):
            self._share(self.effects(part.node).assigned, part.node)
        for expression in (*part.conditions, *part.steps, *([part.first] if part.first is not None else [])):
            if expression.kind != "DECL_STMT" and not self.is_uniform(expression):
                self._share(self.effects(expression).assigned, expression)

    def _share(self, keys: Iterable[int], why: Node) -> None:
        for key in keys:
            if key in self.team and key not in self.shared and not self._stays(key):
                self.shared.add(key)
                self.reasons[key] = why

    def _stays(self, key: int) -> bool:
        """References, constants and lambdas cannot be assigned later: each thread makes its own."""
        declaration = self.declared.get(key)
        if declaration is None:
            return False
        kind = declaration.type
        value = initial_value(declaration)
        return (
            types.is_reference(kind) or types.is_constant(kind) or (value is not None and value.kind == "LAMBDA_EXPR")
        )


def _copied(part: Part) -> Iterator[tuple[int, Node]]:
    """Yield the variables, by key, of which a loop shared among teams makes copies."""
    construct = part.construct
    if part.form is not Form.DISTRIBUTE or construct is None:
        return
    for key in construct.environment.copied():
        items = [e.item for e in construct.environment.copies(key) if e.sharing in _WHOLE and e.item is not None]
        if items and items[0].node is not None:
            yield key, items[0].node


def joined(first: Keys, second: Keys) -> Keys:
    """Return both together."""
    return None if first is None or second is None else first | second


def variables_of(statement: Node) -> Iterator[Node]:
    """Yield the variables that a declaration statement declares."""
    return (c for c in statement.children if c.kind == "VAR_DECL")


def _declarations(top: Part) -> Iterator[Node]:
    for part in top.walk():
        if part.form is Form.DECLARATION:
            yield from variables_of(part.node)
        elif part.first is not None and part.first.kind == "DECL_STMT":
            yield from variables_of(part.first)
        elif part.form is Form.CONTROL and part.node.kind == "CXX_FOR_RANGE_STMT":
            yield from (c for c in part.node.children if c.kind == "VAR_DECL")


def _own_nodes(part: Part) -> Iterator[Node]:
    """Yield the nodes of a part without those of the parts in it."""
    if part.form in (Form.LEAF, Form.DECLARATION):
        yield from part.node.walk()
    for expression in (*part.conditions, *part.steps, *([part.first] if part.first is not None else [])):
        yield from expression.walk()


def initial_value(declaration: Node) -> Node | None:
    """Return the expression that a variable is initialised with; the call of a constructor without text is none."""
    values = [c for c in parts(declaration) if c.cursor.kind.is_expression()]
    if types.is_array(declaration.type):
        values = [v for v in values if v.bare().kind in ("INIT_LIST_EXPR", "STRING_LITERAL")]
    if not values or (values[-1].kind == "CALL_EXPR" and not values[-1].children and _has_no_text(values[-1])):
        return None
    return lambda_copied(values[-1]) or values[-1]


def lambda_copied(value: Node) -> Node | None:
    """Return the lambda that an expression makes and copies, as an initialiser does before C++17."""
    call = value.bare()
    inner = parts(call) if call.kind == "CALL_EXPR" else []
    return inner[0].bare() if len(inner) == 1 and inner[0].bare().kind == "LAMBDA_EXPR" else None


def _has_no_text(call: Node) -> bool:
    """Whether clang made a call where the user wrote only the variable's name."""
    above = call.parent
    return above is not None and call.end - call.start == len(above.spelling) and call.end == above.end


def _keys(found: Effects) -> frozenset[int] | None:
    """Return the keys of what is read; what pointers point to has none of a variable's."""
    if found.read is None:
        return None
    return frozenset(-1 if m.pointee else m.key for m in found.read)
