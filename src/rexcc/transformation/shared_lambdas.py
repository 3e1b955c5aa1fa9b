"""Lambdas that inline functions of headers return: other files have objects of the same type.

In: a lambda on its way in front of its function. Out: whether its class lays its objects out as all compilers lay out
the lambda's. The linker keeps one of the definitions of an inline function, and it may be that of a file whose lambda
stays.
"""

from __future__ import annotations

from rexcc.analysis.captures import CaptureList, declared_name, initialiser
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.transformation.lambda_captures import is_captured_pack

_NO_CALLS = frozenset({"RETURN_STMT", "UNEXPOSED_EXPR", "PAREN_EXPR", "CALL_EXPR"})
"""What stands between a lambda and the end of its function where it is returned; a call is that of a constructor."""


def may_be_shared(unit: ParsedUnit, expression: Node, line: int, column: int) -> bool:
    """Whether the lambda at a place is what a function of a header returns that other files may define, too."""
    if expression.file == unit.main:
        return False
    above = next((n for n in expression.ancestors() if n.kind in FUNCTION_KINDS), None)
    if above is None or above.cursor.linkage.name in ("INTERNAL", "NO_LINKAGE", "UNIQUE_EXTERNAL"):
        return False
    returned = str(types.canonical(above.cursor.result_type).spelling)
    return f":{line}:{column})" in returned or ("auto" in returned and _is_returned(expression))


def _is_returned(expression: Node) -> bool:
    for above in expression.ancestors():
        if above.kind not in _NO_CALLS or (above.kind == "CALL_EXPR" and above.cursor.referenced is not None):
            return False
        if above.kind == "RETURN_STMT":
            return True
    return False


def order(expression: Node, captures: CaptureList, captured: list[Variable], uses_this: bool) -> list[str] | None:
    """Return the names of the captured variables in the order of the lambda's own members; None where that is not
    known, or where the lambda has variables of all files'."""
    names = [variable.name for variable in captured]
    named = [declared_name(item) if initialiser(item) else item.lstrip("& ") for item in captures.items]
    if any(map(is_captured_pack, captured)) or any(map(_is_changing, expression.walk())):
        return None
    if uses_this and names:
        return None
    if not captures.default:
        return named if sorted(named) == sorted(names) else None
    implied = [name for name in names if name not in named]
    return [*named, *sorted(implied, key=lambda name: _first_use(expression, name))]


def _first_use(expression: Node, name: str) -> int:
    """Return where a variable is named first: captures that no list names are made in this order."""
    uses = (n.start for n in expression.walk() if n.kind == "DECL_REF_EXPR" and n.spelling == name)
    return min(uses, default=expression.end)


def _is_changing(node: Node) -> bool:
    is_static = node.kind == "VAR_DECL" and library.has_global_storage(node.cursor)
    return is_static and not types.is_constant(types.canonical(node.cursor.type))
