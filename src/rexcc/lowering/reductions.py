"""Reductions: a private copy per thread, combined on the device (OpenMP 5.2, 5.5).

In: a reduction variable and its operator. Out: the lines that open and close its private copy in the kernel. The result
is complete when the kernel ends; the host adds nothing (REX sums block results on the host).
"""

from __future__ import annotations

from rexcc.analysis.references import Variable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.source.diagnostics import error

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


def reduction_parts(
    region: TargetRegion, variable: Variable, operator: str, target: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return opening and closing lines of a reduction into ``*target``.

    Raises CompileError for user-defined operators and types that cannot be combined atomically.
    """
    place = region.unit.span(variable.uses[0]) if variable.uses else region.construct.span
    name = OPERATORS.get(operator)
    if name is None:
        raise error("unsupported-reduction", f"the user-defined reduction '{operator}' cannot be lowered yet", place)
    kind = types.without_reference(variable.cursor.type)
    if not types.is_scalar(kind) or types.kind_name(types.canonical(kind)) in (
        "LONGDOUBLE",
        "COMPLEX",
        "FLOAT128",
        "INT128",
    ):
        raise error(
            "unsupported-reduction",
            f"a reduction of '{variable.name}' with type '{types.spell(kind)}' cannot be lowered yet",
            place,
        )
    spelled = types.spell(kind)
    opening = f"{types.declare(kind, variable.name)} = rex_identity_{name}<{spelled}>();"
    return (opening,), (f"rex_reduce_{name}({target}, {variable.name});",)
