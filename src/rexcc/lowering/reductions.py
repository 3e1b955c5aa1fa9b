"""Reductions: a private copy per thread, combined on the device (OpenMP 5.2, 5.5).

In: a reduction variable and its operator. Out: the lines that open and close its private copy in the kernel. The result
is complete when the kernel ends; the host adds nothing (REX sums block results on the host).
"""

from __future__ import annotations

import re

from clang.cindex import Type

from rexcc.analysis.references import Variable, variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.sharing import root_variable
from rexcc.clang import types
from rexcc.openmp.model import ReductionClause
from rexcc.source.diagnostics import error
from rexcc.source.text import Span

OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "&&": "land",
    "||": "lor",
    "min": "min",
    "max": "max",
}


_NOT_COMBINED = frozenset({"LONGDOUBLE", "COMPLEX", "FLOAT128", "INT128"})


def reduction_parts(
    region: TargetRegion, variable: Variable, operator: str, target: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return opening and closing lines of a reduction into ``*target``.

    Raises CompileError for user-defined operators and types that cannot be combined atomically.
    """
    name = OPERATORS.get(operator)
    if name is None:
        message = f"the user-defined reduction '{operator}' cannot be lowered yet"
        raise error("unsupported-reduction", message, _operator_place(region, operator))
    kind = types.without_reference(variable.cursor.type)
    element = types.shape_of(kind).element if types.is_array(kind) and not types.is_variable_length(kind) else kind
    if not types.is_scalar(element) or types.kind_name(types.canonical(element)) in _NOT_COMBINED:
        raise error(
            "unsupported-reduction",
            f"a reduction of '{variable.name}' with type '{types.spell(kind)}' cannot be lowered yet",
            _item_place(region, variable),
        )
    if element is not kind:
        return _array_parts(variable.name, kind, types.spell(element), name, target)
    spelled = types.spell(kind)
    opening = f"{types.declare(kind, variable.name)} = rex_identity_{name}<{spelled}>();"
    return (opening,), (f"rex_reduce_{name}({target}, {variable.name});",)


def _operator_place(region: TargetRegion, operator: str) -> Span:
    """Return where a reduction's operator stands, the clause where a macro hides it."""
    clauses = [p.clause for p in region.clauses("reduction")]
    clause = next((c for c in clauses if isinstance(c, ReductionClause) and c.operator == operator), None)
    if clause is None:
        return region.construct.span
    found = re.search(rf"(?<![\w:]){re.escape(operator)}\s*:(?!:)", clause.span.text)
    if found is None:
        return clause.span
    start = clause.span.start + found.start()
    return Span(clause.span.source, start, start + len(operator))


def _item_place(region: TargetRegion, variable: Variable) -> Span:
    """Return where a reduction's list names a variable."""
    for placed in region.clauses("reduction"):
        items = placed.clause.items if isinstance(placed.clause, ReductionClause) else ()
        for item in items:
            node = placed.construct.expressions.get(item.base)
            root = root_variable(node) if node is not None else None
            if root is not None and root.referenced is not None and variable_key(root.referenced) == variable.key:
                return item.whole.span
    return region.construct.span


def _array_parts(
    variable: str, kind: Type, element: str, name: str, target: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines for an array: a private array, combined element by element.

    A section is treated as the whole array: elements outside of it keep the identity and change nothing.
    """
    count = f"sizeof {variable} / sizeof({element})"
    each = f"for (unsigned long __rex_e = 0; __rex_e < {count}; __rex_e++)"
    opening = (
        f"{types.declare(kind, variable)};",
        f"{each} (({element} *){variable})[__rex_e] = rex_identity_{name}<{element}>();",
    )
    combine = f"rex_reduce_{name}(({element} *){target} + __rex_e, (({element} *){variable})[__rex_e]);"
    return opening, (f"{each} {combine}",)
