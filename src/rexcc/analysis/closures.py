"""Lambdas defined outside a region and called in it.

In: the references of a region. Out: the lambda expressions behind its closure variables, inner ones first; what they
capture joins the region's references. A kernel defines the lambda again from its own text, so the captured values must
be those of the region: variables that the function never changes.
"""

from __future__ import annotations

from rexcc.analysis.references import References, Variable, collect, is_exposed, is_written, variable_key
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.unit import ConstructFunction, ParsedUnit
from rexcc.source.diagnostics import CompileError, error


def is_closure(variable: Variable) -> bool:
    """Whether a variable's type is a lambda's."""
    return "(lambda at" in types.spell(types.without_reference(variable.cursor.type))


def follow_closures(unit: ParsedUnit, owner: ConstructFunction, references: References) -> dict[int, Node]:
    """Return the lambda expression of each closure variable by its key, in the order in which they must be defined.

    Raises CompileError where the lambda cannot be seen, or captures something that changes (``unsupported-capture``).
    """
    found: dict[int, Node] = {}
    for variable in list(references.variables.values()):
        if is_closure(variable):
            _follow(unit, owner, variable, references, found)
    return found


def _follow(
    unit: ParsedUnit, owner: ConstructFunction, variable: Variable, references: References, found: dict[int, Node]
) -> None:
    if variable.key in found:
        return
    expression = next((n for n in unit.tree.node(variable.cursor).walk() if n.kind == "LAMBDA_EXPR"), None)
    if expression is None or unit.span(expression) is None:
        raise _fail(
            unit,
            variable,
            f"the lambda '{variable.name}' comes from elsewhere; a region can call only lambdas of its own function",
        )
    inner = collect([expression])
    if inner.this_uses:
        raise _fail(
            unit, variable, f"the lambda '{variable.name}' uses 'this'; it cannot be called in a target region yet"
        )
    for captured in inner.variables.values():
        if captured.is_global:
            continue
        if is_closure(captured):
            _follow(unit, owner, captured, references, found)
        elif _changes(owner.node, captured.key):
            raise _fail(
                unit,
                variable,
                f"the lambda '{variable.name}' captures '{captured.name}', which changes; pass it as an argument",
            )
        references.variables.setdefault(captured.key, captured)
    found[variable.key] = expression


def _changes(function: Node, key: int) -> bool:
    for node in function.walk():
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None or variable_key(target) != key or _is_capture(node):
            continue
        if is_written(node) or is_exposed(node):
            return True
    return False


def _is_capture(node: Node) -> bool:
    """Whether a reference only stands for a lambda's capture."""
    return node.parent is not None and node.parent.kind == "LAMBDA_EXPR"


def _fail(unit: ParsedUnit, variable: Variable, message: str) -> CompileError:
    return error("unsupported-capture", message, unit.span(variable.uses[0]) if variable.uses else None)
