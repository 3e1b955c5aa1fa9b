"""Template parameters inside a kernel.

In: a region of an instantiated template. Out: the lines that give the template's parameter names their meaning in the
kernel (``using T = float;``, ``constexpr int N = 4;``), so that the user's body stays as written.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.regions import TargetRegion
from rexcc.clang.tree import kind_of
from rexcc.lowering.host.template_keys import partial_specialisation, template_parameters, written_arguments
from rexcc.lowering.model.names import template_arguments
from rexcc.source.diagnostics import error

_PARAMETERS = frozenset({"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER"})


def template_aliases(region: TargetRegion) -> tuple[str, ...]:
    """Return the alias lines of a region, in the order of the template's parameters; none for ordinary functions."""
    if region.owner.template is None:
        return ()
    used = {n.spelling for n in _pattern_names(region)}
    lines: list[str] = []
    for parameter, (kind, text) in _meanings(region, used):
        if parameter.spelling not in used:
            continue
        if kind == "type":
            lines.append(f"using {parameter.spelling} = {text};")
        elif kind == "value":
            lines.append(f"constexpr {parameter.type.spelling} {parameter.spelling} = {text};")
    return tuple(lines)


def _meanings(region: TargetRegion, used: set[str]) -> list[tuple[Cursor, tuple[str, str]]]:
    """Return the template's parameters with their arguments.

    Raises CompileError where those of a partial specialisation would have to be taken out of other types.
    """
    assert region.owner.template is not None
    pattern = region.owner.template.cursor
    parameters, arguments = template_parameters(pattern), template_arguments(region.owner.node.cursor)
    partial = partial_specialisation(pattern)
    if partial is None:
        return list(zip(parameters, arguments, strict=False))
    found: list[tuple[Cursor, tuple[str, str]]] = []
    for parameter in parameters:
        name = str(parameter.spelling)
        pairs = zip(written_arguments(partial), arguments, strict=False)
        known = [(kind, text) for written, (kind, given) in pairs if (text := _matched(name, written, given))]
        if known:
            found.append((parameter, known[0]))
        elif name in used:
            message = f"'{name}' is part of another argument of the partial specialisation that this region is in; "
            raise error("unsupported-template", message + "this cannot be lowered yet", region.construct.span)
    return found


def _matched(name: str, written: str, given: str) -> str:
    """Return what a parameter means where a type written with it, ``const T *``, is another one; empty if unknown."""
    constant, star = written.startswith("const "), written[-1:] if written[-1:] in ("*", "&") else ""
    if written.removeprefix("const ").removesuffix(star).strip() != name or not given.endswith(star):
        return ""
    if constant and not given.startswith("const "):
        return ""
    return (given.removeprefix("const ") if constant else given).removesuffix(star).strip()


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
