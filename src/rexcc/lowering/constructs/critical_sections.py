"""Critical sections that need no lock, and those that need it seldom.

In: a ``critical`` construct in a target region. Out: the form of an atomic operation that does the same, or a condition
without which the section does nothing. Before and after::

    #pragma omp critical                        rex_atomic_add(&sum, x * x);
    sum += x * x;

    #pragma omp critical                        REX_CRITICAL_IF(rex_critical_(), x >= rex_atomic_read(&most))
    if (x > most || (x == most && i < at)) {    if (x > most || (x == most && i < at)) {
      most = x;                                   most = x;
      at = i;                                     at = i;
    }                                           }

The threads that wait for a lock look again each time, and go on when there is nothing left to do for them.

It cannot be noticed. All sections of that name which the threads of a region may come to are known, and change nothing
but variables of the function around, each at most once, to which only their names lead (:func:`_sections`):

- So what a variable is at any time is what it is between two sections. Where that tells a thread that its section does
  nothing, it would have done nothing there. It has told nobody anything, and nobody knows when it was.
- One that changes a variable by its own value, which no section looks at but to change it so, may do that at any time:
  nobody sees the values in between. Each change is one operation, with the rounding that it has in the section.
- What else these expressions name changes in no section, and has no effects.
- The flushes of a section order what a thread does before and behind it. Where no ``atomic`` construct reads, threads
  learn of what others did by barriers, locks and sections that keep theirs, which flush themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.function_facts import calls_unknown, function_facts
from rexcc.analysis.implicit_calls import implicit_calls
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.analysis.rules.facts import critical_name
from rexcc.clang import library, types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import Node, parent_kind
from rexcc.lowering.atomics.forms import Form, atomic_kind, changing_form
from rexcc.lowering.atomics.operand_ranges import find_written, is_without_macros
from rexcc.lowering.atomics.operations import alike, assignment
from rexcc.lowering.atomics.thread_private import is_private
from rexcc.lowering.cleanups.pure_functions import computes
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.implied_comparisons import implied_comparisons
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import alone
from rexcc.program.optimisations import Optimisation
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass, field, replace

_NUMBERS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})
"""The types of what sections change: those of which a GPU changes and loads one at once."""

_EXACT = {"rex_atomic_add": "rex_atomic_plain_add", "rex_atomic_sub": "rex_atomic_plain_sub"}
_PLAIN = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "DECL_REF_EXPR",
                    "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR",
                    "CONDITIONAL_OPERATOR", "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL",
                    "CXX_BOOL_LITERAL_EXPR", "TYPE_REF"})  # fmt: skip
_CHANGING = frozenset({"=", "++", "--", "p++", "p--", ",", "&"})


@dataclass(frozen=True)
class _Section:
    """A critical section: what it changes, how, if that is one atomic operation, and the condition of all it does."""

    construct: Construct
    written: tuple[Node, ...]
    form: Form | None = None
    condition: Node | None = None

    @property
    def roots(self) -> frozenset[Variable]:
        """The variables of which it changes something."""
        return frozenset(v for one in self.written if (v := _root(one)) is not None)


def update_of(context: Context, construct: Construct) -> Form | None:
    """Return the atomic form of a critical section, None where it needs its lock."""
    sections = _known_sections(context, construct)
    section = next((one for one in sections if one.construct is construct), None)
    if section is None or section.form is None:
        return None
    (root,) = section.roots
    changed = _changed(sections)
    same = [s for s in sections if any(named_variable(node) == root for node in _body(s.construct).walk())]
    if not all(_is_update_of(context, s, section.form.target, changed) for s in same):
        return None  # one under the lock would lose what others do at the same time
    return _with_all_bits(section.form)


def _is_update_of(context: Context, section: _Section, target: Node, changed: frozenset[Variable]) -> bool:
    """Whether a section can be an atomic operation on a variable, which the threads of the region share."""
    form, construct = section.form, section.construct
    if form is None or not alike(form.target, target) or is_private(context.unit.tree, construct, form.target):
        return False
    try:
        find_written(context.body, construct, form)
    except CompileError:
        return False  # a macro hides the form
    return not _names_any(form.operands.values(), changed)


def _with_all_bits(form: Form) -> Form:
    """Return a form whose result has the bits that it has in the section: GPUs add subnormal floats as 0."""
    is_float = types.kind_name(types.canonical(form.target.type)) == "FLOAT"
    exact = _EXACT.get(form.function) if is_float else None
    return replace(form, function=exact) if exact is not None else form


def test_of(context: Context, construct: Construct) -> str:
    """Return the condition, in device code, without which a section does nothing; empty where none is known."""
    sections = _known_sections(context, construct)
    section = next((one for one in sections if one.construct is construct), None)
    if section is None or section.condition is None or not is_without_macros(context.body, section.condition):
        return ""
    changed = _changed(sections)
    for one in implied_comparisons(section.condition):
        is_target = any(alike(one.place, place) for place in section.written)
        if not is_target or is_private(context.unit.tree, construct, one.place):
            continue
        if all(map(_is_plain, one.read)) and not _names_any(one.read, changed):
            guards = "".join(f"({context.text(guard)}) && " for guard in one.guards)
            place = f"rex_atomic_read(&{context.text(one.place.bare())})"
            return f"{guards}({context.text(one.other)}) {one.operator} {place}"
    return ""


def _changed(sections: Iterable[_Section]) -> frozenset[Variable]:
    return frozenset[Variable]().union(*(one.roots for one in sections))


def _names_any(expressions: Iterable[Node], variables: frozenset[Variable]) -> bool:
    return not variables.isdisjoint(named_variable(n) for e in expressions for n in e.walk())


def _known_sections(context: Context, construct: Construct) -> tuple[_Section, ...]:
    if context.is_pattern or Optimisation.CRITICAL in context.unit.left_out:
        return ()
    return context.unit.kept(_Sections).of(construct)


@dataclass(eq=False)
class _Sections:
    """The critical sections of a unit's regions, by region and name."""

    unit: ParsedUnit
    _known: dict[tuple[int, str], tuple[_Section, ...]] = field(default_factory=dict)

    def of(self, construct: Construct) -> tuple[_Section, ...]:
        """Return all sections of a construct's name that threads of its region may come to, nothing where these are
        not known, or not of the kind that this is about."""
        region = next((c for c in (construct, *construct.around()) if c.directive.leaves[0] == "target"), None)
        if region is None or region.body is None:
            return ()
        key = id(region), critical_name(construct.directive)
        if key not in self._known:
            self._known[key] = self._sections(region, key[1])
        return self._known[key]

    def _sections(self, region: Construct, name: str) -> tuple[_Section, ...]:
        owner = next((f for f in self.unit.functions if any(_holds(top, region) for top in f.constructs)), None)
        if owner is None or owner.template is not None or not self._are_all_here(region, name):
            return ()
        found: list[_Section] = []
        for construct in _criticals(region.descendants(), name):
            section = _section(construct)
            if section is None:
                return ()
            found.append(section)
        return tuple(found) if all(_has_one_name(root, owner.node) for root in _changed(found)) else ()

    def _are_all_here(self, region: Construct, name: str) -> bool:
        """Whether no function that a region calls has a section of that name, or may have, nor anything that tells
        threads what others did before their sections."""
        assert region.body is not None
        facts = function_facts(self.unit)
        if calls_unknown(region.body) or any(map(_tells, region.descendants())):
            return False
        for definition in facts.reached(region.body):
            if lacks_definition(definition):
                return False
            node = self.unit.tree.node(definition)
            inside = facts.constructs_in(node)
            if calls_unknown(node) or any(map(_tells, inside)) or any(_criticals(inside, name)):
                return False
        return True


def _tells(construct: Construct) -> bool:
    """Whether a construct gives a thread what another one has written, without a barrier or a lock."""
    return "atomic" in construct.directive.leaves and atomic_kind(construct.directive) not in ("update", "write")


def _holds(top: Construct, region: Construct) -> bool:
    return top is region or any(c is region for c in top.descendants())


def _criticals(constructs: Iterable[Construct], name: str) -> Iterator[Construct]:
    return (c for c in constructs if "critical" in c.directive.leaves and critical_name(c.directive) == name)


def _body(construct: Construct) -> Node:
    assert construct.body is not None
    return construct.body


def _section(construct: Construct) -> _Section | None:
    """Return what a critical section does, None where it is anything but a change of a few variables."""
    if construct.directive.leaves != ("critical",) or construct.children:
        return None
    statement = alone(_body(construct))
    form = changing_form(statement)
    if form is not None:
        others = list(form.operands.values())
        is_known = _is_place(form.target) and all(map(_is_plain, others))
        return _Section(construct, (form.target,), form, _condition(statement)) if is_known else None
    if statement.kind != "IF_STMT" or len(statement.children) != 2 or not _is_plain(statement.children[0]):
        return None
    inside = statement.children[1]
    assigned = [assignment(s) for s in (inside.children if inside.kind == "COMPOUND_STMT" else (inside,))]
    written = tuple(one[0] for one in assigned if one is not None)
    if len(written) < len(assigned) or not all(_is_place(p) for p in written):
        return None
    if not all(one is not None and _is_plain(one[1]) for one in assigned):
        return None
    is_once = not any(_overlap(a, b) for k, a in enumerate(written) for b in written[:k])
    return _Section(construct, written, None, statement.children[0]) if is_once else None


def _condition(statement: Node) -> Node | None:
    return statement.children[0] if statement.kind == "IF_STMT" else None


def _root(place: Node) -> Variable | None:
    """Return the variable of which a place is a part."""
    node = place.bare()
    while node.kind == "MEMBER_REF_EXPR" and node.children and not types.is_pointer(node.children[0].type):
        node = node.children[0].bare()
    return named_variable(node) if node.kind == "DECL_REF_EXPR" else None


def _is_place(place: Node) -> bool:
    """Whether a place is a number that is a variable of a function, or a member of one: no part of a union."""
    root = _root(place)
    if root is None or root.is_global or types.is_reference(root.type) or is_bit_field(place.bare()):
        return False
    node = place.bare()
    while node.kind == "MEMBER_REF_EXPR":
        member = node.referenced
        if member is None or parent_kind(member) == "UNION_DECL" or types.is_reference(member.type):
            return False
        node = node.children[0].bare()
    return types.kind_name(types.canonical(place.type)) in _NUMBERS and not types.is_volatile(place.type)


def _overlap(first: Node, second: Node) -> bool:
    """Whether two places may be one: of the same variable, but for two members of one object."""
    if _root(first) != _root(second):
        return False
    left, right = first.bare(), second.bare()
    are_members = left.kind == right.kind == "MEMBER_REF_EXPR" and left.spelling != right.spelling
    return not (are_members and alike(left.children[0], right.children[0]))


def _is_plain(value: Node) -> bool:
    """Whether an expression changes nothing and calls nothing but functions that compute a value from values."""
    return all(_is_plain_node(node) for node in value.walk())


def _is_plain_node(node: Node) -> bool:
    if types.is_volatile(node.type):
        return False
    if node.kind == "CALL_EXPR":
        callee = node.referenced
        is_of_library = callee is not None and library.in_system_header(callee) and "omp" not in str(callee.spelling)
        return is_of_library and computes(node) and not implicit_calls(node)
    if node.kind not in _PLAIN:
        return False
    return node.operator not in _CHANGING or (node.operator == "&" and node.kind == "BINARY_OPERATOR")


def _has_one_name(root: Variable, function: Node) -> bool:
    """Whether only a variable's name leads to it."""
    for node in function.walk():
        if node.kind == "LAMBDA_EXPR" and any(named_variable(n) == root for n in node.walk()):
            return False
        if named_variable(node) == root and address_leaves(node):
            return False
    return True
