"""Addresses in the initialisers of variables that live on the device (OpenMP 5.2, 7.8).

In: the ``declare target`` variables of a unit. Out: the variables whose addresses they begin with, which have to be on
the device too: one initialiser leads to another. A constant that is not declared so, of which device code could have
the definition, cannot begin with the address of a variable that only the host has.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from clang.cindex import Cursor

from rexcc.analysis.constant_values import changes_in_part, has_constant_value
from rexcc.analysis.linked_variables import Linked, Way
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.clang.unevaluated import SIZE_OPERATOR
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note

_WIDE = frozenset({"LONG", "ULONG", "LONGLONG", "ULONGLONG"})


def add_pointees(variables: dict[Variable, Cursor], known: Sequence[Node]) -> None:
    """Add the variables whose addresses others begin with; ``known`` are those that may live on the device."""
    places = {Variable(node.cursor): node.cursor for node in known}
    waiting = list(variables.values())
    while waiting:
        for target in _addressed(waiting.pop()):
            variable = Variable(target)
            if variable in variables or variable not in places:
                continue
            variables[variable] = places[variable].get_definition() or places[variable]
            waiting.append(variables[variable])


def check_pointees(
    unit: ParsedUnit, variables: Mapping[Variable, Cursor], linked: Mapping[Variable, Linked], sink: DiagnosticSink
) -> None:
    """Report addresses that the image cannot hold: those of variables whose storage is elsewhere."""
    for variable, cursor in variables.items():
        if variable in linked:
            continue
        for target in _addressed(cursor):
            found = linked.get(Variable(target))
            if found is None or found.way is Way.MAPPED:
                continue
            message = (
                f"'{cursor.spelling}' begins with the address of '{target.spelling}', whose storage on the device "
            )
            message += "is known only when the program runs; assign it in a region"
            place = unit.tree.node(library.initialiser(cursor) or cursor)
            note = Note("declared here", unit.span(unit.tree.node(target)))
            sink.error("unsupported-initialiser", message, unit.span(place), note)


def begins_with_hosts_address(constant: Cursor, on_device: Container[Variable]) -> bool:
    """Whether a constant holds, by other constants or functions that its initialiser calls too, the address of a
    variable that is none of those ``on_device``. The definition on the device would lead to a variable of its own."""
    if not types.holds_pointers(constant.type) and not _is_address_as_number(constant):
        return False
    seen: set[Variable] = set()
    waiting = [constant]
    while waiting:
        for target in _named(waiting.pop()):
            variable = Variable(target)
            if variable in seen or variable in on_device or not variable.is_global:
                continue
            if not types.is_constant(target.type) or changes_in_part(target) or _is_elsewhere(target):
                return True
            seen.add(variable)
            waiting.append(target)
    return False


def _is_elsewhere(constant: Cursor) -> bool:
    return library.initialiser(constant.get_definition() or constant) is None


def _is_address_as_number(constant: Cursor) -> bool:
    return types.kind_name(types.canonical(constant.type)) in _WIDE and library.evaluate_integer(constant) is None


def _addressed(cursor: Cursor) -> Iterator[Cursor]:
    """Yield the variables that a constant initialiser names, but for constants: it has their addresses.

    Of what has to be computed the host does that.
    """
    if has_constant_value(cursor):
        yield from (target for target in _named(cursor) if not types.is_constant(target.type))


def _named(cursor: Cursor) -> Iterator[Cursor]:
    """Yield the variables that an initialiser names, and those of functions that it calls; operands of ``sizeof`` are
    not evaluated."""
    first = library.initialiser(cursor.get_definition() or cursor)
    waiting = [first] if first is not None else []
    called: set[str] = set()
    while waiting:
        node = waiting.pop()
        if kind_of(node) == SIZE_OPERATOR:
            continue
        target = node.referenced if kind_of(node) in ("DECL_REF_EXPR", "CALL_EXPR") else None
        if target is not None and kind_of(target) == "VAR_DECL":
            yield target
        elif target is not None and kind_of(node) == "CALL_EXPR" and target.get_usr() not in called:
            called.add(target.get_usr())
            waiting += _body(target)
        waiting += node.get_children()


def _body(function: Cursor) -> list[Cursor]:
    definition = None if library.in_system_header(function) else function.get_definition()
    return list(definition.get_children()) if definition is not None else []
