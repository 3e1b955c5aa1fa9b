"""Declarations of a team's initial thread: each thread's own copy, or one in the memory of the team.

In: a declaration statement with its classification. Out: edits of its text. ``int n = f();`` becomes

* ``int n = rex_from_first([&] { return (f()); });`` when every thread keeps a copy of what only one may compute;
* ``__shared__ int n; if (threadIdx.x == 0) { n = f();`` when the parallels share it; the guard stays open behind it.
"""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Type

from rexcc.analysis.closures import holds_closure
from rexcc.clang import classes, spelling, types
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.kernel.ir import Barrier, ByFirst, Code, Do, FromFirst
from rexcc.lowering.c.conversions import is_written_out
from rexcc.lowering.c.specifiers import behind_alignments
from rexcc.lowering.cleanups.memory import Places, union
from rexcc.lowering.generic.bindings import values_of_one_thread
from rexcc.lowering.generic.common_places import in_braces, is_place_of_all
from rexcc.lowering.generic.initialisers import Initialiser, declarator_end, has_one_value, initialiser_of, single_value
from rexcc.lowering.generic.scope import TeamScope, bindings_of, bound_value, initial_value, variables_of
from rexcc.lowering.generic.team_arrays import extents_of, refused, team_array
from rexcc.lowering.generic.temporaries import check_temporary
from rexcc.lowering.model.host_values import address_text
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.definitions import name_unnamed
from rexcc.lowering.text.extents import name_end
from rexcc.lowering.text.placing import USER, in_own_line, place_around, place_expression, resumed
from rexcc.lowering.text.runtime_arrays import declarator
from rexcc.lowering.text.variables import is_made, place_of
from rexcc.program.variables import Variable
from rexcc.source.edits import Content, Quote, content, listed
from rexcc.source.own_names import own_name
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_AUTO = regex(r"\bauto\b")


@dataclass(frozen=True)
class OpenGuard:
    """Where in a declaration the statements of the first thread begin, and what stands before them."""

    start: int
    before: Code


@dataclass
class DeclarationChange:
    """Edits to make; ``broadcasts``: all threads meet in an initialiser, ``guard``: what begins in it and stays open,
    ``read``: the memory that initialisers read, ``read_by_all`` that which all threads read, ``ends``: all threads meet
    where the block ends, and memory with it. ``owes`` a barrier: the first thread has made a variable of the statement.
    ``makes``: it makes one or more, in guards that are closed in the statement or in the one that stays open.
    """

    broadcasts: bool = False
    guard: OpenGuard | None = None
    read: Places = frozenset()
    read_by_all: Places = frozenset()
    owes: bool = False
    makes: bool = False
    ends: bool = False
    edits: list[Callable[[DeviceBody], None]] = field(default_factory=list)

    def apply(self, body: DeviceBody) -> None:
        """Make the edits."""
        for edit in self.edits:
            edit(body)


def lower_declaration(body: DeviceBody, scope: TeamScope, statement: Node) -> DeclarationChange:
    """Return what becomes of a declaration; raises CompileError for what cannot live in shared memory."""
    change = DeclarationChange()
    variables = list(variables_of(statement))
    for declared, first in values_of_one_thread(body, scope, statement):
        change.read = union(change.read, scope.memory_read(first))
        _from_first(change, first, spelling.spell_value(types.without_reference(declared.type)))
    for bound in map(bound_value, bindings_of(statement)):
        if scope.is_uniform(bound):
            looked = scope.memory_read(bound)
            change.read_by_all, change.read = union(change.read_by_all, looked), union(change.read, looked)
    for variable in variables:
        change.read_by_all = union(change.read_by_all, _read_by_all(scope, variable))
    for position, variable in enumerate(variables):
        check_temporary(body, scope, variable)
        value = initial_value(variable)
        change.read = union(change.read, scope.memory_read(value) if value is not None else frozenset())
        if Variable(variable.cursor) in scope.shared and types.is_variable_length(variable.type):
            _allocate(body, scope, change, variables)
            return change
        shared = Variable(variable.cursor) in scope.shared
        if shared and holds_closure(Variable(variable.cursor)):
            what = f"'{variable.spelling}', whose type has a lambda's in it, is shared by the threads of a team"
            raise refused(what, body.span(variable))
        if shared and is_made(variable.type):
            _make(body, change, variables)
            return change
        if not shared and value is not None and not _is_lambda(value) and not scope.is_uniform(value):
            _broadcast(body, scope, change, variable, value)
        if any(Variable(v.cursor) in scope.shared for v in variables):
            _declare(body, scope, change, variables, position)
    if len(variables) > 1 and change.edits:  # declarators become statements of their own
        defined = [n for n in statement.children if n.kind in RECORD_KINDS]
        change.edits.append(lambda b: _name(defined, b))
    return change


def _read_by_all(scope: TeamScope, variable: Node) -> Places:
    """Return the memory that all threads read for a variable of which each has its own."""
    value = initial_value(variable)
    if value is None or Variable(variable.cursor) in scope.shared or not scope.is_uniform(value):
        return frozenset()
    return scope.memory_read(value)


def _name(defined: list[Node], body: DeviceBody) -> None:
    for node in defined:
        name_unnamed(node, body)


def _allocate(body: DeviceBody, scope: TeamScope, change: DeclarationChange, variables: list[Node]) -> None:
    """Variable-length arrays of the team: they lie in memory that ends with the scope."""
    texts: list[Content] = []
    for position, variable in enumerate(variables):
        if types.is_variable_length(variable.type):
            texts.append(team_array(body, variable))
        else:
            texts.append(_beside_array(body, scope, variable, position))
    extents = [extent for variable in variables for extent in extents_of(variable)]
    for extent in extents:
        change.read = union(change.read, scope.memory_read(extent))
    change.ends = True
    start, end = body.start(variables[0]), declarator_end(body, variables[-1])
    change.edits.append(lambda b: b.edits.rewrite(start, end, listed(texts, "; ")))
    for extent in (e for e in extents if not scope.is_uniform(e)):
        _from_first(change, extent, "")


def _beside_array(body: DeviceBody, scope: TeamScope, variable: Node, position: int) -> Content:
    """Return the declaration of a variable that shares its statement with a variable-length array."""
    value, shared = initial_value(variable), Variable(variable.cursor) in scope.shared
    if value is not None and (shared or not scope.is_uniform(value)):
        what = f"the initialiser of '{variable.spelling}' in one declaration with a variable-length array"
        raise refused(what, body.span(variable))
    return content(f"{body.unit.target.words.team_memory} " if shared else "", declarator(body, variable, position))


def _make(body: DeviceBody, change: DeclarationChange, variables: list[Node]) -> None:
    """An object that the first thread makes and ends."""
    variable = variables[0]
    name, kind = variable.spelling, variable.type
    start, end, at = body.start(variable), body.end(variable), name_end(body, variable)
    given = body.text[at:end].strip()
    if given and _keeps_list(kind):
        raise refused(f"the elements of '{name}' are one thread's, and end where it has made them", body.span(variable))
    if len(variables) > 1 or (types.is_array(kind) and "=" in given):
        raise refused(
            f"'{name}' has constructors or a destructor and is shared by the threads of a team", body.span(variable)
        )
    made, spelled = content(f"rex_make({name})"), spelling.spell_value(kind)
    if given and not types.is_array(kind):
        first = at + len(body.text[at:end]) - len(body.text[at:end].lstrip())
        value = given.removeprefix("=").lstrip()
        text = Quote(first + len(given) - len(value), first + len(given))
        is_list = value.startswith("{") or not given.startswith("=")
        made = content(f"new ({address_text(name, kind)}) {spelled}", text if is_list else ("(", text, ")"))
    change.ends, change.guard, change.makes = True, OpenGuard(start, place_of(kind, name)), True
    change.edits.append(lambda b: b.edits.rewrite(start, end, made))


def _keeps_list(kind: Type) -> bool:
    """Whether an object is a view of elements that its declaration makes beside it (ISO C++, [dcl.init.list])."""
    return types.is_record(kind) and types.canonical(kind).spelling.startswith("std::initializer_list<")


def _is_lambda(value: Node) -> bool:
    return value.bare().kind == "LAMBDA_EXPR"


def _broadcast(body: DeviceBody, scope: TeamScope, change: DeclarationChange, variable: Node, value: Node) -> None:
    kind = types.without_reference(variable.type)
    single = single_value(kind, value)
    place = in_braces(value)
    is_reference = types.is_reference(variable.type)
    if is_reference and body.start(place) >= name_end(body, variable) and is_place_of_all(scope, place):
        change.broadcasts = True
        put = FromFirst(USER, is_place=True)
        change.edits.append(lambda b: place_expression(b, b.start(place), b.end(place), put))
        return
    plain = types.is_scalar(kind) or types.is_pointer(kind) or (types.is_record(kind) and classes.is_trivial(kind))
    is_expression = single.kind != "INIT_LIST_EXPR" and body.start(single) >= name_end(body, variable)
    if not plain or is_reference or not is_expression:
        raise refused(
            f"the initialiser of '{variable.spelling}' has effects that only one thread may have", body.span(variable)
        )
    given = single.bare().type
    is_converted = not body.unit.is_cplusplus and not types.is_array(given) and is_written_out(kind, given)
    _from_first(change, single, spelling.spell_value(given if is_converted else kind))


def _from_first(change: DeclarationChange, value: Node, kind: str) -> None:
    """Let the first thread alone evaluate an expression, as a value of a type, or of its own."""
    change.broadcasts = True
    change.edits.append(lambda b: place_expression(b, b.start(value), b.end(value), FromFirst(USER, kind)))


def _declare(
    body: DeviceBody, scope: TeamScope, change: DeclarationChange, variables: list[Node], position: int
) -> None:
    """Write one declarator of a statement that has shared variables."""
    variable = variables[position]
    shared = Variable(variable.cursor) in scope.shared
    value = initial_value(variable)
    words = body.unit.target.words
    opening = f"{words.team_memory} " if shared else ""
    start = behind_alignments(body.text, body.start(variable))
    if position > 0:
        start = declarator_end(body, variables[position - 1])
        alignment = body.needs.aligned.get(Variable(variable.cursor))
        opening = f"alignas({alignment}) {opening}" if alignment else opening
        waits = _read_by_all(scope, variable) != frozenset()
        if shared and value is not None and not scope.is_uniform(value):  # it may change what the others still read
            waits = any(_read_by_all(scope, earlier) != frozenset() for earlier in variables[:position])
        met = waits and (change.owes or shared)
        ended = f";{in_own_line(body, start, words.barrier) if met else resumed(body, start)}"
        if change.guard is not None:
            _close(change, change.guard, variables[position - 1], waits)
            ended = resumed(body, start)
        change.owes = not waits and (change.owes or change.guard is not None)
        opening = f"{ended}{opening}{spelling.declare(variable.type, variable.spelling)}"
    change.guard = None
    is_deduced = position == 0 and shared and value is not None and _is_deduced(body, start, variable)
    if is_deduced and spelling.is_unnamed(variable.type):
        what = f"'{variable.spelling}' is shared by the threads of a team, and its type has no name"
        raise refused(what, body.span(variable))
    if is_deduced:
        opening = f"{opening}{spelling.declare(variable.type, variable.spelling)}"
    if value is None:
        end = start if position == 0 else body.end(variable)
        change.edits.append(lambda b: _put(b, start, end, opening))
        return
    initialiser = initialiser_of(body, variable, value)
    behind = initialiser.start if shared else initialiser.opening
    end = behind if position > 0 or is_deduced else start
    space = " " if position > 0 and not shared and initialiser.form == "=" else ""
    change.edits.append(lambda b: _put(b, start, end, f"{opening}{space}"))
    if shared:
        _assign(change, variable, value, initialiser)


def _is_deduced(body: DeviceBody, start: int, variable: Node) -> bool:
    """Whether a variable's value may tell its type, which a declaration without the value has to say."""
    found = _AUTO.search(body.text, start, name_end(body, variable))
    return found is not None and body.unit.is_cplusplus


def _close(change: DeclarationChange, guard: OpenGuard, variable: Node, waits: bool) -> None:
    """Let the guard that begins in a declarator end behind it, and all threads wait where they read what it made."""
    value = initial_value(variable)
    assert value is not None
    code = (*guard.before, ByFirst(USER), *((Barrier(),) if waits else ()))
    change.edits.append(lambda b: b.edits.after(*_assigned(b, variable, value), ";"))
    change.edits.append(lambda b: place_around(b, guard.start, declarator_end(b, variable), code))


def _assigned(body: DeviceBody, variable: Node, value: Node) -> tuple[int, int]:
    """Return a range that ends where the initialiser does, and is inside of it."""
    initialiser = initialiser_of(body, variable, value)
    return body.start(value) if initialiser.form == "=" else initialiser.opening + 1, initialiser.end


def _put(body: DeviceBody, start: int, end: int, text: str) -> None:
    if start == end:
        body.edits.insert(start, text)
    else:
        body.edits.replace(start, end, text)


def _assign(change: DeclarationChange, variable: Node, value: Node, initialiser: Initialiser) -> None:
    """Turn an initialiser into an assignment by the first thread."""
    name, kind, start = variable.spelling, variable.type, initialiser.start
    change.guard, change.makes = OpenGuard(start, (Do(";"),)), True
    if _is_assignable(kind, value, initialiser):
        space = "" if initialiser.form == "=" else " "
        change.edits.append(lambda b: b.edits.replace(start, initialiser.value, f"{name} ={space}"))
        return
    copy = f"__builtin_memcpy({address_text(name, kind)}, {address_text(own_name(name), kind)}, sizeof {name})"
    declared = spelling.declare(kind, own_name(name))
    is_constant = types.innermost(kind).is_const_qualified()
    if spelling.has_given_name(kind):
        declared, is_constant = f"__typeof__({name}) {own_name(name)}", False  # C code has no decltype
    points = types.is_pointer(types.innermost(kind))  # a const in front would be that of what it points to
    text = f"{'' if points or is_constant else 'const '}{declared}{' =' if initialiser.form == '=' else ''}"
    change.edits.append(lambda b: _put(b, start, initialiser.value, text))
    change.edits.append(lambda b: b.edits.after(*_assigned(b, variable, value), f";{resumed(b, start)}{copy}"))


def _is_assignable(kind: Type, value: Node, initialiser: Initialiser) -> bool:
    """Whether an assignment gives a variable the value that its initialiser does; without ``=`` that may convert an
    object where an assignment may not."""
    if initialiser.form == "=":
        return not types.is_array(kind) and value.bare().kind != "INIT_LIST_EXPR"
    is_converted = any(types.is_record(n.type) for n in value.walk() if n.end >= single_value(kind, value).end)
    return has_one_value(kind) and not is_converted
