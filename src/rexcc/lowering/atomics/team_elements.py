"""Elements of reduced arrays that the threads of a team change together, in copies that it has in shared memory.

In: a loop over the grid that reduces an array whose indices the run decides. Out: :class:`TeamElements` for each array
that qualifies, and the edits of what changes its elements. Before and after::

    int __rex_own_h[200];                                     // reduction(+ : h), int h[200]
    int (&h)[200] = *(int (*)[200])__rex_own_h;
    for (…) { h[k[i]] += x[i]; }

    __shared__ int __rex_room_h[8 * 201];
    int *__rex_own_h = rex_open_elements(8, __rex_room_h, 200, rex_identity_add<int>());
    int (&h)[200] = *(int (*)[200])__rex_own_h;
    for (…) { rex_element_add(&h[k[i]], x[i]); }

A thread would keep, and join, all elements of its own, whether it has changed them or not; a team has a few copies
(``rex_device_elements.h``). Those for which shared memory has no room are in memory that the launch brings along.

It cannot be noticed:

- Nothing reads a copy before the end: all that the region does with the array are the changes, as statements, by the
  operator that joins the copies too. So whose copy an iteration changes, and when, shows only in the order of the
  operations, which OpenMP leaves open (5.2, 5.5.5). For integers any order gives the same bits; elements in floating
  point are left alone where results have to be the same in each run.
- Each change is one atomic operation that computes what C computes: integers are changed by integers, numbers in
  floating point by what C converts to their own type. Bits of integers that wrap around depend on no order.
- What finds the element and what it is changed by are evaluated once, as before. C leaves their order open; in C++ the
  value comes first, so neither may change anything there.
- The threads of the block wait for each other only before the loop and behind it, where all of them come.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.attributes import Attribute, RegionData
from rexcc.analysis.calls import synchronises
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node, kind_of
from rexcc.frontend.statements import statement_end
from rexcc.lowering.cleanups.alias import KernelMemory
from rexcc.lowering.cleanups.memory import NOWHERE
from rexcc.lowering.cleanups.syntax import is_exact
from rexcc.lowering.loops.accesses import outline_of
from rexcc.lowering.loops.light_parts import ASSIGNMENTS
from rexcc.lowering.reductions.region_reductions import reduction_item
from rexcc.lowering.reductions.shared_elements import array_rows, is_indexed_by_values
from rexcc.lowering.reductions.team_copies import constant_count, team_copies
from rexcc.lowering.text.body import DeviceBody
from rexcc.openmp.model import ReductionClause
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

_LEAVES = (
    ("target", "teams", "distribute", "parallel", "for"),
    ("target", "teams", "distribute", "parallel", "for", "simd"),
)
_CHANGES = {
    "+": {"+=": "add", "-=": "sub", "++": "add", "p++": "add", "--": "sub", "p--": "sub"},
    "&": {"&=": "and"},
    "|": {"|=": "or"},
    "^": {"^=": "xor"},
}  # fmt: skip
"""What changes an element in the way of a reduction's operator, and the operation that does it."""

_OPERATORS = frozenset(word[:-1] for changes in _CHANGES.values() for word in changes if word.endswith("="))

_STEPS = frozenset({"++", "p++", "--", "p--"})
_WORDS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"})
_INTEGERS = _WORDS | {"BOOL", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "ENUM"}
_VALUES = {"FLOAT": _INTEGERS | {"FLOAT"}, "DOUBLE": _INTEGERS | {"FLOAT", "DOUBLE"}}
"""Types whose values C converts to an element's own type, where that is in floating point."""


@dataclass(frozen=True, eq=False)
class _Change:
    """A statement that changes an element: ``value`` is None where that is one.

    ``element`` is the element where an assignment names it once more (``h[e] = h[e] + v``), None for other forms.
    """

    statement: Node
    target: Node
    value: Node | None
    operation: str
    element: Node | None = None


@dataclass(frozen=True, eq=False)
class TeamElements:
    """A reduced array of which a team has so many copies, and what changes its elements."""

    variable: Variable
    copies: int
    changes: tuple[_Change, ...]


def find_team_elements(
    region: TargetRegion, data: RegionData, body: DeviceBody, is_ordered: bool
) -> tuple[TeamElements, ...]:
    """Return the reduced arrays that qualify; ``is_ordered``: results in floating point are the same in each run."""
    if not _has_form(region):
        return ()
    memory = KernelMemory(region, data)
    found = (_elements(region, memory, body, attribute, is_ordered) for attribute in data.attributes)
    return tuple(one for one in found if one is not None)


def place_changes(body: DeviceBody, elements: tuple[TeamElements, ...]) -> None:
    """Make each change of an element a call; what finds the element and the value stay as they are."""
    for change in (change for one in elements for change in one.changes):
        target, value = change.target, change.value
        start, behind = body.start(target), body.end(target)
        opening = f"rex_element_{change.operation}(&"
        if change.element is not None and value is not None:
            body.edits.before(start, behind, opening)
            body.edits.replace(behind, body.start(value), ", ")
            if body.end(value) < body.end(change.statement):
                body.edits.replace(body.end(value), body.end(change.statement), ")")
            else:
                body.edits.after(body.start(value), body.end(value), ")")
        elif value is not None:
            body.edits.before(start, behind, opening)
            between = body.text[behind : body.start(value)].replace(change.statement.operator, ",", 1).strip(" \t")
            body.edits.replace(behind, body.start(value), ", " if between == "," else between)
            body.edits.after(body.start(value), body.end(value), ")")
        elif change.statement.operator.startswith("p"):
            body.edits.before(start, behind, opening)
            body.edits.replace(behind, body.end(change.statement), ", 1)")
        else:
            body.edits.replace(body.start(change.statement), start, opening)
            body.edits.after(start, behind, ", 1)")


def _has_form(region: TargetRegion) -> bool:
    """Whether all threads of all teams share the region's loop, and do nothing else together."""
    if region.leaves not in _LEAVES or region.constructs[-1].children:
        return False
    if Optimisation.BINS in region.left_out or any(region.clauses("allocate", "ordered")):
        return False
    return not synchronises(region.unit, region.body)


def _elements(
    region: TargetRegion, memory: KernelMemory, body: DeviceBody, attribute: Attribute, is_ordered: bool
) -> TeamElements | None:
    variable = attribute.variable
    item = reduction_item(region, variable) if attribute.reduction else None
    if item is None or not isinstance(item.clause, ReductionClause) or types.is_variable_length(variable.type):
        return None
    if any(modifier.name != "default" for modifier in item.clause.modifiers):
        return None
    operator = "+" if item.clause.operator == "-" else item.clause.operator
    changes = _CHANGES.get(operator)
    element = _element(variable)
    if changes is None or element is None or (is_ordered and types.kind_name(element) in _VALUES):
        return None
    if not is_indexed_by_values(region, variable):
        return None
    found = [_change(region, body, use, changes) for use in _uses(region, variable, attribute)]
    if not found or not all(one is not None and _is_as_in_c(memory, body, one, element) for one in found):
        return None
    is_section = bool(item.item.sections)
    copies = team_copies(constant_count(item, variable), element, array_rows(region), is_section)
    changes_made = {id(one.statement): one for one in found if one is not None}  # an assignment has two uses
    return TeamElements(variable, copies, tuple(changes_made.values())) if copies else None


def _element(variable: Variable) -> Type | None:
    """Return the type of an array's elements, None where no atomic operation changes such."""
    kind = types.without_reference(variable.type)
    if not types.is_array(kind) and not types.is_pointer(kind):
        return None
    element = types.shape_of(kind).element
    canonical = types.canonical(element)
    is_number = types.kind_name(canonical) in _WORDS | _VALUES.keys()
    return canonical if is_number and not types.is_volatile(element) and not types.is_volatile(canonical) else None


def _uses(region: TargetRegion, variable: Variable, attribute: Attribute) -> list[Node]:
    """Return all uses of an array in the region."""
    inside = [n for n in region.body.walk() if n.kind == "DECL_REF_EXPR" and named_variable(n) == variable]
    return list({(n.file, n.start): n for n in (*inside, *attribute.variable.uses)}.values())


def _change(region: TargetRegion, body: DeviceBody, use: Node, changes: dict[str, str]) -> _Change | None:
    """Return the statement that changes the element which a use names, None where it is another use."""
    target = use
    while (above := _subscript(target)) is not None:
        target = above
    statement = _parent(target)
    if target is use or statement is None:
        return None
    change = _assigned(statement, target, changes) or _assigned(_parent(statement), target, changes)
    if change is None and statement.operator in changes and statement.children[0] is target:
        value = None if statement.operator in _STEPS else statement.children[1]
        change = _Change(statement, target, value, changes[statement.operator])
    if change is None or not _is_statement(region, change.statement):
        return None
    return change if _is_written_so(body, change) else None


def _parent(node: Node) -> Node | None:
    """Return what an expression is an operand of."""
    return next((above for above in node.ancestors() if above.kind != "UNEXPOSED_EXPR"), None)


def _assigned(statement: Node | None, used: Node, changes: dict[str, str]) -> _Change | None:
    """Return the change that an assignment is: to an element, of that element and something else; one is ``used``."""
    if statement is None or statement.operator != "=" or statement.kind != "BINARY_OPERATOR":
        return None
    target, whole = statement.children[0], statement.children[1].bare()
    operation = changes.get(f"{whole.operator}=") if whole.kind == "BINARY_OPERATOR" else None
    if operation is None:
        return None
    first, second = whole.children
    named = outline_of(target)
    for element, value in ((first, second), (second, first)):
        is_used = used is target or used is element.bare()
        if (element is second and whole.operator == "-") or not is_used:
            continue
        if outline_of(element) == named and _finds_the_same_again(target):
            return _Change(statement, target, value, operation, element)
    return None


def _finds_the_same_again(target: Node) -> bool:
    """Whether an expression names the same element when it is evaluated once more."""
    return not any(
        n.kind == "CALL_EXPR" or n.operator in ASSIGNMENTS or n.operator in _STEPS or types.is_volatile(n.type)
        for n in target.walk()
    )


def _subscript(node: Node) -> Node | None:
    """Return the subscript whose array a node is."""
    above = node.parent
    if above is not None and above.kind == "UNEXPOSED_EXPR" and len(above.children) == 1:
        node, above = above, above.parent
    is_array = above is not None and above.kind == "ARRAY_SUBSCRIPT_EXPR" and above.children[0] is node
    return above if is_array else None


def _is_statement(region: TargetRegion, node: Node) -> bool:
    """Whether an expression is a statement of the region's own, and no block gives its value."""
    above = node.parent
    if above is None:
        return False
    position = above.children.index(node)
    match above.kind:
        case "IF_STMT":
            is_statement = position > 0
        case "DO_STMT":
            is_statement = position == 0
        case "FOR_STMT" | "WHILE_STMT" | "CXX_FOR_RANGE_STMT" | "SWITCH_STMT" | "CASE_STMT":
            is_statement = position == len(above.children) - 1
        case kind:
            is_statement = kind in ("COMPOUND_STMT", "DEFAULT_STMT", "LABEL_STMT")
    return is_statement and all(outer.kind.endswith("_STMT") for outer in _around(region, node))


def _around(region: TargetRegion, node: Node) -> Iterator[Node]:
    """Yield what is around a statement, up to the region's loop."""
    for above in node.ancestors():
        yield above
        if above is region.body:
            return


def _is_written_so(body: DeviceBody, change: _Change) -> bool:
    """Whether all of a change stands in the user's text, and nothing but its operator between its operands."""
    statement, target, value = change.statement, change.target, change.value
    if not is_exact(body, target) or statement.file != target.file:
        return False
    begin, start, behind = body.start(statement), body.start(target), body.end(target)
    end = statement_end(body.file, statement)
    beside = statement.parent.children if statement.parent is not None else ()
    if any(begin <= body.start(other) < end for other in beside if other is not statement):
        return False  # a macro brings several statements
    if value is None:
        pieces = (body.text[begin:start], body.text[behind:end])
        expected = (
            ("", f"{statement.operator[1:]};") if statement.operator.startswith("p") else (statement.operator, ";")
        )
        return tuple("".join(piece.split()) for piece in pieces) == expected and body.end(statement) < end
    if value.file != target.file or value.bare().kind == "INIT_LIST_EXPR" or begin != start:
        return False
    first, last = body.start(value), body.end(value)
    if change.element is not None:
        return _is_assigned_so(body, change, change.element, value, end)
    return body.text[behind:first].strip() == statement.operator and body.text[last:end].strip() == ";"


def _is_assigned_so(body: DeviceBody, change: _Change, element: Node, value: Node, end: int) -> bool:
    """Whether an assignment consists of its target, the element once more and the value, without parentheses."""
    if element.file != value.file or not is_exact(body, element.bare()):
        return False
    left, right = sorted((element, value), key=body.start)
    around = (body.end(change.target), body.start(left), body.end(left), body.start(right), body.end(right), end)
    between = [body.text[at:until].strip() for at, until in zip(around[::2], around[1::2], strict=True)]
    return between[0] == "=" and between[1] in _OPERATORS and between[2] == ";"


def _is_as_in_c(memory: KernelMemory, body: DeviceBody, change: _Change, element: Type) -> bool:
    """Whether an atomic operation does what a change does, its operands evaluated in any order."""
    parts = [change.target, *([change.value] if change.value is not None else [])]
    if change.value is not None:
        value, kinds = change.value.bare(), _VALUES.get(types.kind_name(element), _INTEGERS)
        is_object = value.referenced is not None and kind_of(value.referenced) == "CONVERSION_FUNCTION"
        if is_object or types.kind_name(types.canonical(value.type)) not in kinds:
            return False
    if types.canonical(change.target.type) != element:
        return False
    return not body.unit.is_cplusplus or not any(_changes_something(memory, part) for part in parts)


def _changes_something(memory: KernelMemory, part: Node) -> bool:
    changes = (n for n in part.walk() if n.operator in ASSIGNMENTS or n.operator in _STEPS)
    return any(changes) or memory.effects(part).written != NOWHERE
