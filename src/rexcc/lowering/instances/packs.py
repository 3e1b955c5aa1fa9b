"""Function parameter packs that a region names: one name for several variables, which no kernel can have.

In: a region of a template. Out: nothing, or the error.
"""

from __future__ import annotations

from rexcc.analysis.regions import TargetRegion
from rexcc.clang.tree import kind_of
from rexcc.source.diagnostics import error


def refuse_function_packs(region: TargetRegion) -> None:
    """Raise CompileError where a region names a parameter pack of its function (``unsupported-template``)."""
    template, place = region.owner.template, region.construct.node
    if template is None:
        return
    for node in template.walk():
        target = node.referenced
        if target is None or kind_of(target) != "PARM_DECL" or not place.start <= node.start < place.end:
            continue
        declared = template.tree.node(target)
        if not place.start <= declared.start < place.end and str(target.type.spelling).endswith("..."):
            message = f"'{target.spelling}' is a parameter pack of the function; a target region cannot use it yet; "
            message += "give the region variables with names of their own, or an object of a class that has the values"
            raise error("unsupported-template", message, region.unit.span(node))
