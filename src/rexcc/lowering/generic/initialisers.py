"""Where the initialiser of a variable stands in the user's text, in each of its forms.

In: a declared variable and its value. Out: :class:`Initialiser`: ``= value``, ``(value)`` or ``{values}``.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.generic.scope import initial_value
from rexcc.lowering.generic.team_arrays import refused
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.extents import name_end
from rexcc.source.lexical import BLANK
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_BEFORE_VALUE = regex(rf"(?P<form>[=({{]){BLANK}\Z")
_CLOSES = regex(rf"{BLANK}\)")
_BEHIND_NAME = regex(rf"{BLANK}(?P<form>[=({{])")


@dataclass(frozen=True)
class Initialiser:
    """An initialiser: the declarator in front of it ends at ``start``, its own characters are ``[opening, end)``, and
    ``form`` is the first of them."""

    form: str
    start: int
    opening: int
    end: int

    @property
    def value(self) -> int:
        """Where the value begins: behind ``=``, or with its bracket."""
        return self.opening + (self.form == "=")


def initialiser_of(body: DeviceBody, variable: Node, value: Node) -> Initialiser:
    """Return the initialiser of a variable with a value.

    The value's range has the braces of a list, but no parentheses; the call of a constructor begins with the variable's
    name and has them.
    """
    named, first, last = name_end(body, variable), body.start(value), body.end(value)
    text, is_call = body.text, first < named
    match = None if is_call else _BEFORE_VALUE.search(text, named, first)
    match = match or _BEHIND_NAME.match(text, named if is_call else first)
    closed = _CLOSES.match(text, last) if match and match["form"] == "(" and not is_call else None
    if match is None or (match["form"] == "(" and text[last - 1 : last] != ")" and closed is None):
        raise refused(f"the form in which '{variable.spelling}' is initialised", body.span(variable))
    opening = match.start("form")
    start = named + len(text[named:opening].rstrip())
    return Initialiser(match["form"], start, opening, closed.end() if closed else last)


def declarator_end(body: DeviceBody, variable: Node) -> int:
    """Return where a variable's declarator ends, its initialiser included."""
    value = initial_value(variable)
    if value is None or value.file != variable.file:
        return body.end(variable)
    return max(body.end(variable), initialiser_of(body, variable, value).end)


def single_value(kind: Type, value: Node) -> Node:
    """Return the expression in the braces of an initialiser of a type that has one value; others as they are."""
    while value.kind == "INIT_LIST_EXPR" and len(value.children) == 1 and has_one_value(kind):
        value = value.children[0]
    return value


def has_one_value(kind: Type) -> bool:
    """Whether a type is one of numbers, enumerators or pointers."""
    return types.is_scalar(kind) or types.is_pointer(kind)
