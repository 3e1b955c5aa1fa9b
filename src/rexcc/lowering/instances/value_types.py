"""Types of a template's parameters that are values: ``decltype(N)``.

In: a region of an instantiation. Out: edits. A kernel has its argument as a constant, ``constexpr int N = 4;``, of
which ``decltype`` says ``const int``; of the parameter it says ``int`` (ISO C++, [dcl.type.decltype]).
"""

from __future__ import annotations

import re

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import kind_of
from rexcc.lowering.instances.arguments import template_parameters
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.lexical import CHARACTER, COMMENT, RAW_STRING, STRING
from rexcc.source.patterns import regex

_ASKED = regex(rf"{RAW_STRING}|{STRING}|{CHARACTER}|{COMMENT}|\bdecltype\s*\(\s*(?P<name>\w+)\s*\)", re.ASCII)

_VALUE = "TEMPLATE_NON_TYPE_PARAMETER"


def lower_value_types(body: DeviceBody, region: TargetRegion) -> None:
    """Let ``decltype`` of a value's name in a region be the parameter's type."""
    template = region.owner.template
    if template is None or "decltype" not in body.text:
        return
    given = (p for p in template_parameters(template.cursor) if kind_of(p) == _VALUE)
    values = {str(p.spelling) for p in given if not types.is_reference(p.type)}
    for found in _ASKED.finditer(body.text, body.start(region.body), body.end(region.body)):
        if found["name"] in values and body.edits.is_free(found.start(), found.end()):
            body.edits.replace(found.start(), found.end(), f"rex_value_type<{found[0]}>")
