"""Ranges of cases in device code, an extension of GNU's: ``case 1 ... 5:``.

In: device code. Out: edits that make a label of each value, ``case 1: case 2: …``. nvcc (13.0) takes a range in a
kernel for its first value, without a word; the host's compilers know both forms.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Type

from rexcc.clang import spelling, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.diagnostics import error
from rexcc.source.lexical import COMMENT
from rexcc.source.patterns import regex

MOST_VALUES = 1000
"""Of a range: each is a label."""

_BETWEEN = regex(rf"(?:\s|{COMMENT})*\.\.\.(?:\s|{COMMENT})*")
_INT, _LONG = 1 << 31, 1 << 63
_SIGNED, _UNSIGNED = frozenset({"INT", "LONG", "LONGLONG"}), frozenset({"UINT", "ULONG", "ULONGLONG"})


def spread_case_ranges(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Make labels of the ranges below some nodes; raises CompileError for those that cannot be."""
    for top in tops:
        for node in top.walk():
            if node.kind == "CASE_STMT" and len(node.children) == 3:  # first and last value, the statement
                _spread(body, *node.children[:2])


def _spread(body: DeviceBody, first: Node, last: Node) -> None:
    low, high = _value(first), _value(last)
    start, end = body.end(first), body.end(last)
    is_written = _BETWEEN.fullmatch(body.text, start, max(start, body.start(last))) is not None
    if low is None or high is None or not is_written:
        raise _refused(body, first, "whose values the text does not show")
    if not 0 <= high - low < MOST_VALUES:
        what = "has no values" if high < low else f"has {high - low + 1} values, more than {MOST_VALUES}"
        raise _refused(body, first, f"that {what}")
    kind = first.bare().type
    body.edits.rewrite(start, end, "".join(f": case {_label(kind, value)}" for value in range(low + 1, high + 1)))


def _value(label: Node) -> int | None:
    """Return the value of a label, converted to the type of the ``switch``'s value as C does."""
    value = evaluate_integer(label.cursor)
    switch = next((above for above in label.ancestors() if above.kind == "SWITCH_STMT"), None)
    kind = types.canonical(switch.children[-2].type) if switch is not None else None
    if value is None or kind is None or types.kind_name(kind) not in _SIGNED | _UNSIGNED:
        return value
    values = 1 << 8 * int(kind.get_size())
    value %= values
    return value if types.kind_name(kind) in _UNSIGNED or value < values // 2 else value - values


def _label(kind: Type, value: int) -> str:
    suffix = "" if -_INT <= value < _INT else "LL" if value < _LONG else "ULL"
    declaration = types.canonical(kind).get_declaration()
    return f"({spelling.spell(kind)}){value}" if declaration.is_scoped_enum() else f"{value}{suffix}"


def _refused(body: DeviceBody, first: Node, which: str) -> Exception:
    message = f"a range of cases {which} cannot be lowered; write an 'if', or the values as cases of their own"
    return error("unsupported-control-flow", message, body.unit.span(first))
