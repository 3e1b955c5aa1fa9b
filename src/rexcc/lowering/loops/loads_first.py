"""Iterations with several stores load what they need before the first, where no store is to what they load.

In: a kernel whose threads take one iteration of a loop after another. Out: edits of its statements. Before::

    p->x[i] = p->a[i + 1] - p->a[i];
    p->y[i] -= p->b[i + n];

after::

    float *const __rex_place_x = &p->x[i];
    float *const __rex_place_y = &p->y[i];
    if (rex_differs(__rex_place_x, &p->y[i], &p->b[i + n])) {
      const float __rex_early_y = p->y[i];
      const float __rex_early_b = p->b[i + n];
      p->x[i] = p->a[i + 1] - p->a[i];
      *__rex_place_y = __rex_early_y - (__rex_early_b);
    } else {
      p->x[i] = p->a[i + 1] - p->a[i];
      p->y[i] -= p->b[i + n];
    }

Nothing tells the device's compiler that what is stored is not what comes next, so it loads behind each store, and the
thread waits for memory once for each statement. Addresses are compared in the thread, which costs a few instructions.

It cannot be seen. An iteration reads all of these elements in any case, as all stand in statements that are always
executed, with nothing between them that waits or leaves, so no memory is touched that would not be. Addresses are the
same in front of the stores: what they are computed with is not changed in between, neither a variable of the thread's
nor memory, which the stores do not write because it has another type (C23, 6.5.1; not with ``-fno-strict-aliasing``).
Loads come first only where no store of this iteration in front of a load is to the same element; elements of one type
are the same one or have nothing in common. No other thread writes it meanwhile: that would be a race, for threads
execute the iterations of a worksharing loop at the same time. What is loaded where a store before it surely was to
the same element stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_range
from rexcc.kernel.ir import Block, Code, Declare, UserSlot
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.early_loads import LOADED
from rexcc.lowering.cleanups.memory import OWN
from rexcc.lowering.cleanups.neighbour_addresses import values_of_address
from rexcc.lowering.cleanups.pure_values import Meaning, meaning_of
from rexcc.lowering.cleanups.syntax import (
    is_evaluated,
    is_exact,
    is_load,
    is_unconditional,
    value_type,
)
from rexcc.lowering.cleanups.value_changes import value_changes
from rexcc.lowering.loops.accesses import Access, accesses_of, differ_in_type
from rexcc.lowering.loops.tile_rules import heavy_statement, is_store, refused_by_form, statements_of
from rexcc.lowering.loops.tiles import stands_here
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import place_in_lines
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass, field

_MOST_LOADS = 12
_MOST_TESTS = 16


@dataclass(frozen=True, eq=False)
class _Element:
    """An element that a statement of the iteration stores to or loads: where it stands, and what it means."""

    node: Node
    at: int
    meaning: Meaning


@dataclass(eq=False)
class _Iteration:
    """The statements of an iteration, its stores, and what it loads first."""

    context: CleanupContext
    statements: list[Node]
    stores: list[_Element]
    loads: dict[Meaning, list[_Element]] = field(default_factory=dict)
    tests: list[tuple[_Element, _Element]] = field(default_factory=list)


def load_before_stores(context: CleanupContext, numbered: bool, threads_meet: bool) -> None:
    """Edit the statements of an iteration that qualifies."""
    scope = context.scope
    if scope.kind != "COMPOUND_STMT" or context.stored or refused_by_form(context, numbered, threads_meet):
        return
    statements = statements_of(scope)
    if any(heavy_statement(context, statement) is not None for statement in statements):
        return
    stores = _stores(context, statements)
    if stores is None or len(stores) < 2:
        return
    found = _Iteration(context, statements, stores)
    for at in range(stores[0].at + 1, len(statements)):
        _find_loads(found, at)
        if len(found.loads) > _MOST_LOADS or len(found.tests) > _MOST_TESTS:
            return
    if found.tests and len(found.loads) > 1:
        _edit(found)


def _stores(context: CleanupContext, statements: list[Node]) -> list[_Element] | None:
    """Return what an iteration stores to; None where an address is not one that can be compared in front."""
    found: list[_Element] = []
    for at, statement in enumerate(statements):
        if not is_store(context, statement):
            continue
        target = statement.bare().children[0].bare()
        element = _element(context, target, at)
        if element is None or not _stays(context, target, statements[found[0].at if found else at : at], found):
            return None
        found.append(element)
        if len(found) > _MOST_TESTS:
            return None
    return found


def _element(context: CleanupContext, node: Node, at: int) -> _Element | None:
    """Return an element of memory that other threads have too, which the text names in full."""
    if node.kind != "ARRAY_SUBSCRIPT_EXPR" or types.kind_name(types.canonical(node.type)) not in LOADED:
        return None
    places, body = context.memory.provenance.place(node), context.body
    meaning = meaning_of(body, node)
    if meaning is None or types.is_volatile(node.type) or (places is not None and OWN in places):
        return None
    if node.file != body.file.scan.source.path or not (is_exact(body, node) or stands_here(body, node)):
        return None
    return _Element(node, at, meaning) if _is_as_written(body, node) else None


def _is_as_written(body: DeviceBody, node: Node) -> bool:
    """Whether the text of an element is the user's, but for the name of a method's object."""
    return body.edited_node(node).replace("__rex_this->", "") == body.original(node).replace("this->", "")


def _stays(context: CleanupContext, element: Node, passed: Sequence[Node], stores: Sequence[_Element]) -> bool:
    """Whether an element's address is the same in front of some statements, of which some are stores."""
    stored = {store.at for store in stores}
    others = [one for one in passed if not is_store(context, one)]
    declared = {Variable(n.cursor) for one in passed for n in one.walk() if n.kind == "VAR_DECL"}
    accesses = [_access(context, store.node) for store in stores] if stored else []
    for part in values_of_address(element):
        if any(named_variable(n) in declared for n in part.walk()):
            return False
        if next(value_changes(context.memory, part, others, frozenset()), None) is not None:
            return False
        read = [one for one in accesses_of(context.memory, part) if not _is_constant(one.node)]
        if not all(differ_in_type(one, store) for one in read for store in accesses):
            return False
    return True


def _is_constant(node: Node) -> bool:
    return node.kind == "DECL_REF_EXPR" and types.is_constant(node.type) and types.is_scalar(node.type)


def _access(context: CleanupContext, node: Node) -> Access:
    return Access(node, context.memory.provenance.place(node), False)


def _find_loads(found: _Iteration, at: int) -> None:
    """Find what a statement loads that may come first."""
    context, statement = found.context, found.statements[at]
    before = [store for store in found.stores if store.at < at]
    passed = found.statements[before[0].at : at]
    for node in statement.walk():
        element = _element(context, node, at) if _is_loaded(context, statement, node) else None
        if element is None or not _stays(context, node, passed, before):
            continue
        tests = _tests(context, element, before)
        if tests is not None:
            found.loads.setdefault(element.meaning, []).append(element)
            known = {(a.meaning, b.meaning) for a, b in found.tests}
            found.tests += [pair for pair in tests if (pair[0].meaning, pair[1].meaning) not in known]


def _is_loaded(context: CleanupContext, statement: Node, node: Node) -> bool:
    """Whether a statement always loads an element: one that it uses, or that it changes by an operator."""
    if not is_evaluated(node) or not is_unconditional(context, node, statement):
        return False
    return is_load(node) or (_is_changed(statement, node) and _is_written_out(context, statement))


def _is_changed(statement: Node, node: Node) -> bool:
    top = statement.bare()
    return top.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and top.children[0].bare() is node


def _is_written_out(context: CleanupContext, statement: Node) -> bool:
    """Whether nothing but an operator stands between what a statement changes and the value that it does so by."""
    body, top = context.body, statement.bare()
    target, value = top.children
    if value.file != target.file or not body.end(target) < body.start(value):
        return False
    between = body.text[body.end(target) : body.start(value)].strip()
    return between == top.operator and body.edits.is_free(body.end(target), body.start(value))


def _tests(context: CleanupContext, load: _Element, before: list[_Element]) -> list[tuple[_Element, _Element]] | None:
    """Return the pairs of addresses that have to differ; None where two may overlap that cannot be compared, and where
    a store is to the element."""
    pairs: list[tuple[_Element, _Element]] = []
    for store in before:
        one, other = _access(context, store.node), _access(context, load.node)
        if context.memory.all_apart(one.place, other.place) or differ_in_type(one, other):
            continue
        if store.meaning == load.meaning or _type(store.node) != _type(load.node):
            return None
        pairs.append((store, load))
    return pairs


def _type(node: Node) -> str:
    return str(types.kind_name(types.canonical(node.type)))


def _edit(found: _Iteration) -> None:
    context = found.context
    body, is_cplusplus = context.body, context.body.unit.is_cplusplus
    loads = [load for same in found.loads.values() for load in same]
    written = {element: body.edited_node(element.node) for element in (*found.stores, *loads)}
    asking = [store for store in found.stores if any(store is one for one, _ in found.tests)]
    places = {store: context.name(related("place", _name(store))) for store in found.stores}
    names = {meaning: context.name(related("early", _name(same[0]))) for meaning, same in found.loads.items()}
    pointers = [_pointer(store, name, written[store], is_cplusplus) for store, name in places.items()]
    early = [_early(found.loads[meaning][0], name, written, is_cplusplus) for meaning, name in names.items()]
    asked = " & ".join(_differs(found, store, places[store], written) for store in asking)
    start, _ = statement_range(body.file, found.statements[found.stores[0].at])
    _, end = statement_range(body.file, found.statements[-1])
    as_written = body.edits.apply(body.text, start, end)
    by_target = {store.node: places[store] for store in found.stores}
    for load in sorted(loads, key=lambda load: load.node in by_target):  # what is around a value comes behind it
        _use(context, load, names[load.meaning], by_target)
    indent = body.text[body.text.rfind("\n", 0, start) + 1 : start]
    indent = "" if indent.strip() else indent
    in_order = f" else {{\n{indent}{as_written}\n{indent.removesuffix('  ')}}}"
    code: Code = (*pointers, Block(f"if ({asked})", (*early, UserSlot()), in_order))
    place_in_lines(body, start, end, code)
    context.tell("what this iteration needs is loaded before its first store", None, topic=Topic.LOOP)


def _differs(found: _Iteration, store: _Element, place: str, written: dict[_Element, str]) -> str:
    """Return the question whether a store is to none of the elements that are loaded before it."""
    return f"rex_differs({', '.join((place, *(f'&{written[load]}' for one, load in found.tests if one is store)))})"


def _early(load: _Element, name: str, written: dict[_Element, str], is_cplusplus: bool) -> Declare:
    return Declare(f"const {value_type(load.node.type, is_cplusplus)} {name}", name, written[load])


def _pointer(store: _Element, name: str, written: str, is_cplusplus: bool) -> Declare:
    return Declare(f"{value_type(store.node.type, is_cplusplus)} *const {name}", name, f"&{written}")


def _name(element: _Element) -> str:
    base = str(element.node.children[0].bare().spelling)
    return base if base.isidentifier() else "element"


def _use(context: CleanupContext, load: _Element, name: str, places: dict[Node, str]) -> None:
    """Use what has been loaded first; ``places`` are those of the stores.

    An operator that changes the element becomes an assignment.
    """
    body, node = context.body, load.node
    if node not in places:
        body.edits.supersede(body.start(node), body.end(node), name)
        return
    top = node.in_parentheses().parent
    assert top is not None and top.operator.endswith("=")
    target, value = top.children
    body.edits.supersede(body.start(target), body.end(target), f"*{places[node]} = {name}")
    body.edits.replace(body.end(target), body.start(value), f" {top.operator[:-1]} (")
    body.edits.after(body.start(value), body.end(value), ")")
