"""What a lambda captures, by its list of captures: whether by reference, and with what value.

In: the list, and a variable or an item of it. Out: answers for whoever makes an object of it.
"""

from __future__ import annotations

import re

from rexcc.analysis.captures import CaptureList, declared_name, initialiser
from rexcc.clang import library, types
from rexcc.clang.parameter_packs import is_pack
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable


def is_by_reference(captures: CaptureList, variable: Variable) -> bool:
    """Whether a variable is captured by reference."""
    own = next((i for i in captures.items if value_of(i) and declared_name(i) == variable.name), None)
    return own.startswith("&") if own is not None else captures.by_reference(variable.name)


def captured_value(captures: CaptureList, variable: Variable) -> str:
    """Return the value that the object is made with."""
    values = (value_of(i) for i in captures.items if declared_name(i) == variable.name)
    return next(filter(None, values), variable.name)


def constant_value(unit: ParsedUnit, captures: CaptureList, variable: Variable) -> str | None:
    """Return the value of a constant that the lambda names without capturing it."""
    kind = variable.cursor.type
    if types.is_reference(kind) or not types.is_constant(kind) or variable.name in captures.items:
        return None
    if types.is_volatile(kind) or f"&{variable.name}" in captures.items:
        return None  # is read from its memory
    node = unit.tree.node(variable.cursor)
    if types.kind_name(types.canonical(kind)) == "ENUM" or not types.is_scalar(kind) or not node.children:
        return None
    value = library.evaluate_integer(node.children[-1].cursor)
    return None if value is None else str(value)


def is_captured_pack(variable: Variable) -> bool:
    """Whether a captured variable is a parameter pack of a function, or one that an init-capture declares."""
    return is_pack(variable.cursor) or str(variable.cursor.type.spelling).endswith("...")


def value_of(item: str) -> str:
    """Return the expression that an init-capture gets its value from, empty where it is a list."""
    value = initialiser(item).strip()
    if re.match(r"&?\s*(?:\.\.\.\s*)?\w+\s*=", item):
        return "" if value.startswith("{") else value
    return "" if "," in value else value[1:-1].strip()


def is_captured(captures: CaptureList, name: str) -> bool:
    """Whether the list names a variable, or captures all that are used; a constant may be used without."""
    return bool(captures.default) or name in map(declared_name, captures.items)


def in_order(captures: CaptureList, referred_to: list[str]) -> list[str]:
    """Return the captures of a lambda that evaluates the same values in the same order, and has references to some
    objects instead of copies."""
    by_default = [captures.default] if captures.default else []
    named = [item for item in captures.items if initialiser(item) or declared_name(item) not in referred_to]
    referred = [] if captures.default == "&" else [f"&{name}" for name in referred_to]
    return [*by_default, *named, *referred]


def has_effects(item: str) -> bool:
    """Whether what a capture computes may do something else, too."""
    return re.search(r"\(|\+\+|--|[^=!<>]=(?!=)", initialiser(item)) is not None
