"""Reductions: a private copy per thread, combined on the device (OpenMP 5.2, 5.5).

In: a reduction variable and its operator. Out: the lines that open and close its private copy in the kernel. The result
is complete when the kernel ends; the host adds nothing (REX sums block results on the host).
"""

from __future__ import annotations

from clang.cindex import Type

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


_NOT_COMBINED = frozenset({"LONGDOUBLE", "COMPLEX", "FLOAT128", "INT128"})


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
    element = types.shape_of(kind).element if types.is_array(kind) and not types.is_variable_length(kind) else kind
    if not types.is_scalar(element) or types.kind_name(types.canonical(element)) in _NOT_COMBINED:
        raise error(
            "unsupported-reduction",
            f"a reduction of '{variable.name}' with type '{types.spell(kind)}' cannot be lowered yet",
            place,
        )
    if element is not kind:
        return _array_parts(variable.name, kind, types.spell(element), name, target)
    spelled = types.spell(kind)
    opening = f"{types.declare(kind, variable.name)} = rex_identity_{name}<{spelled}>();"
    return (opening,), (f"rex_reduce_{name}({target}, {variable.name});",)


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
