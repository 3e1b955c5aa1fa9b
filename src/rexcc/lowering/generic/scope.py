"""Where the variables of a team live, and which of its statements every thread may execute.

In: the parts of a team's code and the variables that the kernel has by value. Out: :class:`TeamScope`. The threads of a
block walk through the code of the initial thread together. A statement whose effects stay in variables that each
thread can keep for itself is executed by all (redundantly); any other by one thread. A variable lives in ``__shared__``
memory when a parallel changes it, or when only one thread would know its value. What a parallel reduces may be every
thread's own all the same (:mod:`.known_to_all`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rexcc.analysis.team_routines import called_by
from rexcc.clang import classes, types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.effects import ANYTHING, EffectReader, Effects, Functions
from rexcc.lowering.cleanups.memory import NOWHERE, Memory, Places, Provenance, parts
from rexcc.lowering.generic.known_to_all import is_number, reached, reduced_numbers
from rexcc.lowering.generic.plan import Form, Part
from rexcc.lowering.generic.private_ranges import PrivateRanges
from rexcc.lowering.text.variable_uses import is_address_taken, is_looked_up, may_change
from rexcc.program.constructs import Construct
from rexcc.program.environment import Sharing
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

_ONCE = frozenset({"atomic", "critical", "flush", "ordered", "task", "taskloop"})
_WHOLE = frozenset({Sharing.PRIVATE, Sharing.FIRSTPRIVATE, Sharing.LASTPRIVATE, Sharing.FIRST_AND_LAST})


@dataclass(frozen=True)
class _Outside:
    """Everything a statement names is a variable of the team, or memory; ``copies`` are variables even where they
    are references outside."""

    copies: frozenset[Variable]

    def storage(self, variable: Variable) -> Places:
        """Return the variable itself; what a reference names is memory."""
        return frozenset({Memory(variable, types.is_reference(variable.type) and variable not in self.copies)})

    def target(self, pointer: Variable) -> Places:
        """Return what the pointer points to."""
        return frozenset({Memory(pointer, True)})


class _Reader(EffectReader):
    """Reads what every thread does by itself: the functions that all threads call ``together`` have each effect once,
    wait for what threads still read, and let them wait for what they change."""

    def __init__(self, provenance: Provenance, functions: Functions, together: frozenset[Node]) -> None:
        super().__init__(provenance, functions)
        self.together = together

    def _call(self, call: Node) -> Effects:
        return Effects(NOWHERE, None) if call in self.together else super()._call(call)


@dataclass(frozen=True)
class StatementEffects:
    """``assigned``: variables of the team it changes; ``once``: it has other effects; ``read``: what it reads."""

    assigned: frozenset[Variable]
    once: bool
    read: Places


class TeamScope:
    """Classification of a team's variables and statements; ``shared`` holds those in shared memory.

    ``by_value`` are the variables from outside of which each thread has a copy when the kernel starts,
    ``large`` those of them that a team shall have once in any case, with a use; ``whole`` are the parallels that all
    threads of the block execute, by identity.
    """

    def __init__(
        self,
        unit: ParsedUnit,
        top: Part,
        by_value: frozenset[Variable],
        large: Mapping[Variable, Node] | None = None,
        whole: frozenset[int] = frozenset(),
    ) -> None:
        self.unit = unit
        self.top = top
        self.by_value = by_value
        self.functions = Functions(unit.tree)
        self.together = frozenset(called for p in top.walk() for name in p.calls if (called := called_by(name)))
        declared = ((Variable(n.cursor), n) for n in _declarations(top))
        self.declared = {v: n for v, n in declared if not v.is_global or types.is_constant(v.type)}  # else the device's
        own = by_value | frozenset(self.declared) | frozenset(v for p in top.walk() for v in p.indices)
        self.copied = {v: n for p in top.walk() for v, n in _copied(p) if v not in own}
        self.team = own | frozenset(self.copied)
        self.large = large or {}
        self.whole = whole
        self.shared: set[Variable] = set()
        self.exposed: set[Variable] = set()
        self.reasons: dict[Variable, Node] = {}
        self._known: dict[int, StatementEffects] = {}
        self.found_by_name = frozenset(v for v, n in self.declared.items() if is_number(n)) - reached(top)
        self._find_shared()

    def effects(self, node: Node) -> StatementEffects:
        """Return the effects of a statement or expression of the initial thread."""
        key = int(node.cursor.hash)
        if key not in self._known:
            self._known[key] = self._read(node)
        return self._known[key]

    def is_redundant(self, part: Part) -> bool:
        """Whether every thread may execute a leaf or a declaration's initialisers."""
        if part.form is Form.DECLARATION:
            mine = any(self._runs_once(n) or Variable(n.cursor) in self.shared for n in variables_of(part.node))
            return not mine and not any(True for _ in self._bound_once(part.node))
        if any(_ONCE & set(c.directive.leaves) for top in part.constructs for c in top.walk()):
            return False
        found = self.effects(part.node)
        return not found.once and not found.assigned & self.shared

    def is_uniform(self, expression: Node) -> bool:
        """Whether every thread may evaluate an expression."""
        found = self.effects(expression)
        return not found.once and not found.assigned & self.shared

    def memory_read(self, node: Node) -> Places:
        """Return what a statement reads that another thread may change: anything but a thread's own copies."""
        found = self.effects(node).read
        own = self.team - self.shared
        return None if found is None else frozenset(m for m in found if m.pointee or m.variable not in own)

    def memory_changed(self, part: Part) -> Places:
        """Return what a statement changes when one thread executes it; a variable with an address is any memory."""
        if part.form is Form.DECLARATION:
            declared = frozenset(Variable(n.cursor) for n in variables_of(part.node))
            once = any(map(self._runs_once, variables_of(part.node))) or any(True for _ in self._bound_once(part.node))
            return None if once else _storage(declared & self.shared)
        if part.constructs or self.effects(part.node).once:
            return None
        changed = self.effects(part.node).assigned
        return None if changed & self.exposed else _storage(changed)

    def _runs_once(self, declaration: Node) -> bool:
        value = initial_value(declaration)
        if value is None:  # a constructor without text may do more than to make its object
            return types.is_record(types.innermost(declaration.type)) and not self.is_uniform(declaration)
        return value.kind != "LAMBDA_EXPR" and not self.is_uniform(value)

    def _bound_once(self, statement: Node) -> Iterator[Node]:
        """Yield the first values of structured bindings that not every thread may compute."""
        return (value for value in map(bound_value, bindings_of(statement)) if not self.is_uniform(value))

    def _read(self, node: Node) -> StatementEffects:
        found = _Reader(Provenance(node, _Outside(self.by_value)), self.functions, self.together).effects(node)
        if found == ANYTHING or found.written is None:
            return StatementEffects(self._assignments(node), True, None)
        assigned = frozenset(
            m.variable for m in found.written if m.variable is not None and not m.pointee and m.variable in self.team
        )
        return StatementEffects(assigned, len(assigned) != len(found.written), found.read)

    def _assignments(self, node: Node) -> frozenset[Variable]:
        """Return the variables that a statement with unknown effects names and may change."""
        return self.team.intersection(
            named_variable(n) for n in node.walk() if n.kind == "DECL_REF_EXPR" and may_change(n)
        )

    def _find_shared(self) -> None:
        for variable, node in self.copied.items():  # elsewhere the same name means memory, which one thread changes
            self._share({variable}, node)
        for part in self.top.walk():
            if part.form is Form.PARALLEL and part.construct is not None:
                self._see_parallel(part.construct)
        for declaration in self.declared.values():
            value = initial_value(declaration)
            if value is not None and value.kind == "LAMBDA_EXPR":
                self._share(self._assignments(value), value)
        for variable, declaration in self.declared.items():
            if types.is_variable_length(declaration.type):  # device code has none of a thread's own
                self._share({variable}, declaration)
        for variable, node in self.large.items():
            self._share({variable}, node)
        for variable, declaration in self.declared.items():  # whose constructors and destructor run once
            kind = types.without_reference(declaration.type)
            element = types.shape_of(kind).element if types.is_array(kind) else kind
            if types.is_record(element) and (self._runs_once(declaration) or not classes.is_copied_as_bytes(element)):
                self._share({variable}, declaration)
        self._see_exposed()
        grown = True
        while grown:
            before = len(self.shared)
            for part in self.top.walk():
                self._see_sequential(part)
                if part.form is Form.PARALLEL and part.construct is not None:
                    self._share_together(part.construct)
            grown = len(self.shared) > before

    def _see_parallel(self, construct: Construct) -> None:
        """What a parallel may change is shared, and so are the arrays it looks at: a copy for each thread is dear."""
        private = PrivateRanges(construct)
        for use in construct.node.walk():
            variable = named_variable(use)
            if variable is None or variable not in self.team or private.hides(use, variable):
                continue
            if may_change(use) or is_looked_up(use):
                self._share({variable}, use)
        known = self._reduced_for_all(construct)
        for variable, node in private.written_back.items():
            if variable not in known:
                self._share({variable}, node)

    def _reduced_for_all(self, construct: Construct) -> frozenset[Variable]:
        """Return the variables that a parallel reduces for every thread, unless one is shared for another reason."""
        reduced = reduced_numbers(construct) if id(construct) in self.whole else frozenset()
        return reduced if reduced <= self.found_by_name else frozenset()

    def reduces_for_all(self, construct: Construct) -> bool:
        """Whether every thread has the variables that a parallel reduces."""
        reduced = self._reduced_for_all(construct)
        return bool(reduced) and not reduced & self.shared

    def _see_exposed(self) -> None:
        """A variable whose address is taken may be changed through it, wherever that is."""
        for part in self.top.walk():
            if part.form is Form.PARALLEL:
                continue
            for use in _own_nodes(part):
                variable = named_variable(use)
                if variable is not None and variable in self.team and is_address_taken(use):
                    self.exposed.add(variable)
                    self._share({variable}, use)

    def _see_sequential(self, part: Part) -> None:
        """What one thread assigns alone, the others can only see in shared memory."""
        if part.form in (Form.LEAF, Form.RETURN) and not self.is_redundant(part):
            self._share(self.effects(part.node).assigned, part.node)
        for value in self._bound_once(part.node) if part.form is Form.DECLARATION else ():
            self._share(self.effects(value).assigned, value)
        for declaration in variables_of(part.node) if part.form is Form.DECLARATION else ():
            if self._runs_once(declaration) or Variable(declaration.cursor) in self.shared:
                self._share(self.effects(declaration).assigned - {Variable(declaration.cursor)}, declaration)
        for expression in (*part.conditions, *part.steps, *([part.first] if part.first is not None else [])):
            if expression.kind != "DECL_STMT" and not self.is_uniform(expression):
                self._share(self.effects(expression).assigned, expression)

    def _share_together(self, construct: Construct) -> None:
        """What one parallel reduces is the team's or each thread's, all of it."""
        reduced = self._reduced_for_all(construct)
        if reduced & self.shared:
            self._share(reduced, construct.node)

    def _share(self, variables: Iterable[Variable], why: Node) -> None:
        for variable in variables:
            if variable in self.team and variable not in self.shared and not self._stays(variable):
                self.shared.add(variable)
                self.reasons[variable] = why

    def _stays(self, variable: Variable) -> bool:
        """References, constants and lambdas cannot be assigned later: each thread makes its own."""
        declaration = self.declared.get(variable)
        if declaration is None:
            return False
        kind = declaration.type
        value = initial_value(declaration)
        return (
            types.is_reference(kind) or types.is_constant(kind) or (value is not None and value.kind == "LAMBDA_EXPR")
        )


def _copied(part: Part) -> Iterator[tuple[Variable, Node]]:
    """Yield the variables of which a loop shared among teams makes copies."""
    construct = part.construct
    if part.form is not Form.DISTRIBUTE or construct is None:
        return
    for variable in construct.environment.copied():
        items = [e.item for e in construct.environment.copies(variable) if e.sharing in _WHOLE and e.item is not None]
        if items and items[0].node is not None:
            yield variable, items[0].node


def _storage(variables: frozenset[Variable]) -> Places:
    return frozenset(Memory(variable, False) for variable in variables)


def variables_of(statement: Node) -> Iterator[Node]:
    """Yield the variables that a declaration statement declares."""
    return (c for c in statement.children if c.kind == "VAR_DECL")


def bindings_of(statement: Node) -> Iterator[Node]:
    """Yield what a declaration statement takes apart by structured bindings; libclang has no kind of its own for it."""
    found = (c for c in statement.children if c.kind == "UNEXPOSED_DECL")
    return (c for c in found if c.children and c.children[-1].cursor.kind.is_expression())


def bound_value(declared: Node) -> Node:
    """Return the first value of what structured bindings take apart."""
    return declared.children[-1]


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
    if part.form in (Form.LEAF, Form.DECLARATION, Form.RETURN):
        yield from part.node.walk()
    for expression in (*part.conditions, *part.steps, *([part.first] if part.first is not None else [])):
        yield from expression.walk()


def initial_value(declaration: Node) -> Node | None:
    """Return the expression that a variable is initialised with; the call of a constructor without text is none."""
    values = [c for c in parts(declaration) if c.cursor.kind.is_expression()]
    if types.is_array(declaration.type) and not types.is_reference(declaration.type):
        values = [v for v in values if v.bare().kind in ("INIT_LIST_EXPR", "STRING_LITERAL")]
    if not values or (values[-1].kind == "CALL_EXPR" and not values[-1].children and _has_no_text(values[-1])):
        return None
    return lambda_copied(values[-1]) or values[-1]


def lambda_copied(value: Node) -> Node | None:
    """Return the lambda that an expression makes, or copies as an initialiser does before C++17.

    One that copies objects has the ends of these around it.
    """
    call = value.bare()
    if call.kind == "LAMBDA_EXPR":
        return call
    inner = parts(call) if call.kind == "CALL_EXPR" else []
    return inner[0].bare() if len(inner) == 1 and inner[0].bare().kind == "LAMBDA_EXPR" else None


def _has_no_text(call: Node) -> bool:
    """Whether clang made a call where the user wrote only the variable's name."""
    above = call.parent
    return above is not None and call.end - call.start == len(above.spelling) and call.end == above.end
