"""Names of kernels: stable, readable, unique in a translation unit.

In: regions in source order. Out: the stem ``OUT__<n>__<function>__<line>__``, for an instantiation of a
template with its arguments: ``OUT__2__axpy__12__float__``.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor, Type

from rexcc.analysis.object_classes import TEMPLATES
from rexcc.analysis.regions import TargetRegion
from rexcc.clang.library import template_of
from rexcc.clang.scopes import scope_of
from rexcc.clang.template_arguments import arguments_of_type, method_arguments, template_argument
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.clang.types import is_constant

PARAMETER_KINDS = frozenset({"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER"})

UNNAMED_SCOPE = "(anonymous namespace)::"
"""How clang spells an unnamed namespace, whose names need no scope."""


def function_name(region: TargetRegion) -> str:
    """Return the name of the function, method or lambda's function that a region stands in."""
    cursor: Cursor = region.owner.node.cursor
    return str(cursor.spelling) or "lambda"


def _common_name(region: TargetRegion) -> str:
    """Return the name of a region's function, the same for all instantiations: conversions to other types are one."""
    is_conversion = region.owner.template is not None and region.owner.node.kind == "CONVERSION_FUNCTION"
    return "operator" if is_conversion else function_name(region)


def _identifier(text: str) -> str:
    return re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "anonymous"


def template_arguments(cursor: Cursor, pattern: Cursor | None = None) -> tuple[tuple[str, str], ...]:
    """Return kind and text of the template arguments of an instantiation, its classes' first.

    With the function's pattern, without those of classes that the user has specialised: no parameter is for them.
    """
    return (*class_arguments(cursor, pattern), *function_arguments(cursor))


def class_arguments(cursor: Cursor, pattern: Cursor | None = None) -> tuple[tuple[str, str], ...]:
    """Return kind and text of the template arguments of the classes around a function, the outermost's first."""
    found: list[tuple[str, str]] = []
    scope, written = scope_of(cursor), pattern
    while scope is not None and kind_of(scope) in RECORD_KINDS:
        written = scope_of(written) if written is not None else None
        if written is None or kind_of(written) in TEMPLATES:
            found = _arguments(scope) + found
        scope = scope.semantic_parent
    return _without_unnamed(found)


def function_arguments(cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """Return kind and text of the template arguments of a function itself."""
    return _without_unnamed(_arguments(cursor))


def _without_unnamed(found: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((kind, text.replace(UNNAMED_SCOPE, "")) for kind, text in found)


def _arguments(cursor: Cursor) -> list[tuple[str, str]]:
    pattern = template_of(cursor) if kind_of(cursor) in ("CXX_METHOD", "CONSTRUCTOR") else None
    if pattern is not None:
        return [_of_kind(p, text) for p, text in zip(parameters_of(pattern), method_arguments(cursor), strict=False)]
    pattern = template_of(cursor) if kind_of(cursor) == "CONVERSION_FUNCTION" else None
    if pattern is not None:
        found: dict[str, str] = {}
        _deduce(pattern.result_type, cursor.result_type.get_canonical(), found)
        return [_of_kind(p, found.get(str(p.spelling), "")) for p in parameters_of(pattern)]
    pattern = template_of(cursor) if kind_of(cursor) == "UNION_DECL" else None
    if pattern is not None:  # libclang has no arguments of unions
        texts = arguments_of_type(str(cursor.type.get_canonical().spelling))
        return [_of_kind(p, text) for p, text in zip(parameters_of(pattern), texts, strict=False)]
    return [template_argument(cursor, i) for i in range(max(0, cursor.get_num_template_arguments()))]


def _deduce(written: Type, given: Type, found: dict[str, str]) -> None:
    """Find the types that parameters stand for in the type that a template's function converts to: libclang has no
    arguments of such a function, and clang prints none."""
    while written.get_pointee().kind.name != "INVALID":
        written, given = written.get_pointee(), given.get_pointee()
    text = str(given.spelling)
    if is_constant(written):  # a pointer's own 'const' stands behind it
        text = text.removesuffix("const") if given.kind.name == "POINTER" else text.removeprefix("const ")
    found.setdefault(str(written.spelling).removeprefix("const "), text)
    for number in range(max(written.get_num_template_arguments(), 0)):
        _deduce(written.get_template_argument_type(number), given.get_template_argument_type(number), found)


def parameters_of(template: Cursor) -> list[Cursor]:
    """Return the parameters that a template's own text lists."""
    return [c for c in template.get_children() if kind_of(c) in PARAMETER_KINDS]


def _of_kind(parameter: Cursor, printed: str) -> tuple[str, str]:
    """Return kind and text of an argument of a member template, which clang prints."""
    if printed.startswith("<"):
        return "pack", printed.removeprefix("<").removesuffix(">")
    if kind_of(parameter) == "TEMPLATE_NON_TYPE_PARAMETER":
        is_address = printed.startswith("&") or parameter.type.kind.name == "LVALUEREFERENCE"
        return ("address" if is_address else "value"), printed
    return ("type" if kind_of(parameter) == "TEMPLATE_TYPE_PARAMETER" else "template"), printed


class KernelNames:
    """Gives out stems; asking twice for one region of one instantiation cannot happen.

    ``mark`` tells the unit from others where the devices' linker joins their kernels in one image; else it is empty.
    """

    def __init__(self, mark: str = "") -> None:
        self._mark = mark
        self._numbers: dict[tuple[str, int], int] = {}
        self._given: set[str] = set()

    def number(self, region: TargetRegion) -> int:
        """Return the number of a region's directive, the same for all instantiations."""
        site = region.construct.probe.site
        return self._numbers.setdefault((site.source.path, site.start), len(self._numbers) + 1)

    def base(self, region: TargetRegion) -> str:
        """Return what the stems of all instantiations of a region begin with."""
        line = region.construct.probe.site.source.users_line(region.construct.probe.site.start)
        mark = f"{self._mark}__" if self._mark else ""
        return f"OUT__{self.number(region)}__{_identifier(_common_name(region))}__{line}__{mark}"

    def stem(self, region: TargetRegion) -> str:
        """Return the stem of a region's names."""
        stem = self.base(region)
        if region.owner.template is not None:
            arguments = template_arguments(region.owner.node.cursor)
            stem += _identifier("_".join(text for _, text in arguments)) + "__"
        unique, count = stem, 1
        while unique in self._given:
            count += 1
            unique = f"{stem}{count}__"
        self._given.add(unique)
        return unique
