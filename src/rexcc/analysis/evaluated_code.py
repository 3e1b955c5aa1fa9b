"""Which expressions of a piece of code need code on a device: not those that only a compiler looks at.

In: a node, and the code that it is in. Out: whether it may be executed. Where that is not known the answer is no: the
device's compiler sees what is left.
"""

from __future__ import annotations

import re
from itertools import dropwhile

from rexcc.clang import library
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.clang.unevaluated import is_only_compiled
from rexcc.program.unit import ParsedUnit

_NEVER = RECORD_KINDS | {"GENERIC_SELECTION_EXPR", "LAMBDA_EXPR", "PARM_DECL"}
"""What has code that something else has to call, a lambda's or a local class's, or of which only one is chosen."""

_CONSTEXPR_IF = re.compile(r"if\s*constexpr\b")


def is_executed(unit: ParsedUnit, node: Node, top: Node) -> bool:
    """Whether a node in ``top`` may be executed when ``top`` is."""
    below = node
    while below is not top:
        above = below.parent
        if above is None:
            return True
        if above is not top and (above.kind in _NEVER or is_only_compiled(above, below)):
            return False
        if _is_left_out(unit, above, below):
            return False
        below = above
    return True


def _is_left_out(unit: ParsedUnit, above: Node, below: Node) -> bool:
    match above.kind:
        case "CONDITIONAL_OPERATOR":
            return _is_discarded(above, below)
        case "BINARY_OPERATOR" if above.operator in ("&&", "||") and below is above.children[-1]:
            return _is_decided(above.children[0], above.operator == "||")
        case "IF_STMT":
            return _is_discarded(above, below) and _is_constexpr(unit, above)
        case _:
            return False


def _is_discarded(above: Node, below: Node) -> bool:
    """Whether a constant condition, behind what it declares, keeps a branch from being executed."""
    rest = tuple(dropwhile(lambda child: child.kind == "DECL_STMT", above.children))
    if len(rest) < 2 or below not in rest[1:]:
        return False
    condition, *branches = rest
    value = library.evaluate_integer(condition.cursor)
    return value is not None and (below is branches[0]) != bool(value)


def _is_constexpr(unit: ParsedUnit, conditional: Node) -> bool:
    span = unit.span(conditional)
    return span is not None and bool(_CONSTEXPR_IF.match(span.text))


def _is_decided(operand: Node, value: bool) -> bool:
    found = library.evaluate_integer(operand.cursor)
    return found is not None and bool(found) is value
