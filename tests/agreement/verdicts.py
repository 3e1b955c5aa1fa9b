"""The common vocabulary of a comparison: what happens to a variable at a target construct.

In: nothing. Out: verdicts as short texts, ``map(tofrom)``, ``firstprivate`` … so that both sides can be compared and
counted; and the result types of either side.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

FIRSTPRIVATE = "firstprivate"
POINTER = "zero-length section"
ABSENT = "not passed"
THIS = "this"

LAST = "lastprivate or linear"
CONSTANT = "constant"
CONST = "const object"
FIRSTPRIVATE_POINTER = "first-private pointer"
COMBINED = "combined with parallel"
DEFAULTED = "by default"
CAPTURED = "lambda's capture"
GLOBAL = "global variable"
REDUCED = "reduced and mapped"
SHAPED = "member with a shape"
UNUSED = "unused"
OUTSIDE = "only in clauses"
BOUND = "only in bounds that the host evaluates"
TASKS = "only in tasks"
INDEX = "iteration variable"
MEASURED = "only measured"
MEMBER_ON_DEVICE = "member on the device"
"""Remarks of our side that make a difference meant."""

_ORDER = ("always", "close", "present", "ompx_hold", "delete")


@dataclass(frozen=True)
class Side:
    """A target construct as one side sees it: line, mangled name of the function, and a verdict for each variable.

    ``notes`` are remarks of this side on single variables, which can explain a difference; ``partial`` tells that it
    ignores a part of the directive.
    """

    line: int
    function: str
    verdicts: dict[str, str]
    notes: dict[str, str] = field(default_factory=dict)
    partial: bool = False


def mapped(words: Iterable[str]) -> str:
    """Return the verdict of a variable with these map types and modifiers, all of its list items taken together."""
    found = set(words)
    directions = {"to", "from"} & found | ({"to", "from"} if "tofrom" in found else set())
    kind = "tofrom" if len(directions) == 2 else "".join(directions) or "alloc"
    return f"map({', '.join([*(w for w in _ORDER if w in found), kind])})"
