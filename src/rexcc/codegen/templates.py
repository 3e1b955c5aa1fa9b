"""Template parameters inside a kernel.

In: a region of an instantiated template. Out: the lines that give the template's parameter names their meaning in the
kernel (``using T = float;``, ``constexpr int N = 4;``), so that the user's body stays as written.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.regions import TargetRegion
from rexcc.clang.tree import kind_of
from rexcc.lowering.names import template_arguments
from rexcc.lowering.template_keys import template_parameters

_PARAMETERS = frozenset({"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER"})


def template_aliases(region: TargetRegion) -> tuple[str, ...]:
    """Return the alias lines of a region, in the order of the template's parameters; none for ordinary functions."""
    if region.owner.template is None:
        return ()
    parameters = template_parameters(region.owner.template.cursor)
    arguments = template_arguments(region.owner.node.cursor)
    used = {n.spelling for n in _pattern_names(region)}
    lines: list[str] = []
    for parameter, (kind, text) in zip(parameters, arguments, strict=False):
        if parameter.spelling not in used:
            continue
        if kind == "type":
            lines.append(f"using {parameter.spelling} = {text};")
        elif kind == "value":
            lines.append(f"constexpr {parameter.type.spelling} {parameter.spelling} = {text};")
    return tuple(lines)


def _pattern_names(region: TargetRegion) -> list[Cursor]:
    """Return the template parameters that the pattern's text mentions."""
    template = region.owner.template
    assert template is not None
    found: list[Cursor] = []
    for node in template.walk():
        target = node.referenced
        if target is not None and kind_of(target) in _PARAMETERS:
            found.append(target)
    return found
