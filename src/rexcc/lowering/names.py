"""Names of kernels: stable, readable, unique in a translation unit.

In: regions in source order. Out: the stem ``OUT__<n>__<function>__<line>__`` (seed 004), for an instantiation of a template
with its arguments: ``OUT__2__axpy__12__float__``.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor

from rexcc.analysis.regions import TargetRegion
from rexcc.clang.library import template_argument
from rexcc.clang.tree import kind_of


def function_name(region: TargetRegion) -> str:
    """Return the name of the function, method or lambda's function that a region stands in."""
    cursor: Cursor = region.owner.node.cursor
    return str(cursor.spelling) or "lambda"


def _identifier(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_") or "anonymous"


def template_arguments(cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """Return kind (``type``, ``value``) and text of the template arguments of an instantiation, its class's first."""
    found: list[tuple[str, str]] = []
    parent = cursor.semantic_parent
    if parent is not None and kind_of(parent) in ("CLASS_DECL", "STRUCT_DECL"):
        found += _record_arguments(parent)
    for index in range(max(0, cursor.get_num_template_arguments())):
        found.append(template_argument(cursor, index))
    return tuple(found)


def _record_arguments(record: Cursor) -> list[tuple[str, str]]:
    count = record.get_num_template_arguments()
    return [template_argument(record, i) for i in range(max(0, count))]


class KernelNames:
    """Gives out stems; asking twice for one region of one instantiation cannot happen."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int], int] = {}
        self._given: set[str] = set()

    def number(self, region: TargetRegion) -> int:
        """Return the number of a region's directive, the same for all instantiations."""
        site = region.construct.probe.site
        return self._numbers.setdefault((site.source.path, site.start), len(self._numbers) + 1)

    def base(self, region: TargetRegion) -> str:
        """Return what the stems of all instantiations of a region begin with."""
        line = region.construct.probe.site.source.line_column(region.construct.probe.site.start)[0]
        return f"OUT__{self.number(region)}__{_identifier(function_name(region))}__{line}__"

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
