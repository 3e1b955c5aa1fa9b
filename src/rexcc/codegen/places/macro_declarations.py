"""Declarations that a macro makes and that have to be edited one by one.

In: a declaration of the slice and its text. Out: the place of the macro's use, where its expansion has to be in the
text: a qualifier in front of the use is only that of the first declaration which the macro makes, and a template's
stands behind its parameters.
"""

from __future__ import annotations

from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit

_EDITED = FUNCTION_KINDS | RECORD_KINDS | {"VAR_DECL"}


def expand_hidden(body: DeviceBody, node: Node) -> None:
    """Ask for the expansion of the macro that makes a declaration, if its text has to be seen."""
    outer = _use_around(body.unit, node)
    if outer is not None:
        body.expand(body.file.original(outer))
    end = body.unit.kept(_ends_of_uses).get((node.file, node.start), -1)
    if end < 0:
        return
    is_whole = node.end <= end and (_is_edited_inside(node) or _is_one_of_several(body.unit, node))
    if is_whole or _begins_inside(body, node):
        body.expand(body.start(node))


def expand_use(body: DeviceBody, node: Node) -> None:
    """Ask for the expansion of the macro that makes a declaration which begins with it, or is in its argument."""
    outer = _use_around(body.unit, node)
    body.expand(body.file.original(node.start if outer is None else outer))


def _ends_of_uses(unit: ParsedUnit) -> dict[tuple[str, int], int]:
    """Return where the uses of macros end, by their beginnings."""
    return {(file, use.start): use.end for file, uses in unit.use_places.items() for use in reversed(uses)}


def _use_around(unit: ParsedUnit, node: Node) -> int | None:
    """Return where the use of a macro begins that makes a declaration by another one, whose name is its argument
    (``TYPES(DECLARE)``): clang says that the declaration begins at that name, and ends with the use."""
    uses = unit.use_places.get(node.file, ())
    return next((use.start for use in uses if use.start < node.start < use.end <= node.end), None)


def _begins_inside(body: DeviceBody, node: Node) -> bool:
    """Whether a macro makes the parameters of a function template whose body stands behind its use, or another
    declaration in front of a class."""
    if node.kind == "FUNCTION_TEMPLATE":
        return not body.text.startswith("template", body.start(node))
    return node.kind in RECORD_KINDS and _is_one_of_several(body.unit, node)


def _is_edited_inside(node: Node) -> bool:
    """Whether qualifiers stand inside of a declaration: behind a template's parameters, or on a class's methods."""
    return node.kind == "FUNCTION_TEMPLATE" or (
        node.kind in RECORD_KINDS and any(inner.kind in FUNCTION_KINDS for inner in node.walk())
    )


def _is_one_of_several(unit: ParsedUnit, node: Node) -> bool:
    """Whether other functions, classes or variables begin where a declaration does, or the class that it is in."""
    scope = node.cursor.lexical_parent
    is_outermost = scope is None or kind_of(scope) == "TRANSLATION_UNIT"
    if not is_outermost and kind_of(scope) in RECORD_KINDS and _begins_with(node, unit.tree.node(scope)):
        return True
    beside = unit.declarations if is_outermost else unit.tree.node(scope).children
    others = (other for other in beside if other.kind in _EDITED and other.cursor != node.cursor)
    return any(_begins_with(node, other) for other in others)


def _begins_with(node: Node, other: Node) -> bool:
    return (other.file, other.start) == (node.file, node.start)
